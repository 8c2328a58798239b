// A store that keeps games in memory: a fake for tests.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/mutex.h"
#include "gtest/gtest.h"
#include "selfplay/records/record_bytes.h"
#include "selfplay/store/game_store.h"

namespace chuhe::testing {

// Thread-safe.
class MemoryStore : public GameStore {
 public:
  absl::StatusOr<GameId> Put(absl::string_view record_bytes) override {
    const MutexLock lock(&mutex_);
    if (!error_.ok()) return error_;
    games_.emplace_back(record_bytes.data(), record_bytes.size());
    return IdOf(record_bytes);
  }

  // From now on nothing is taken.
  void FailWith(const absl::Status& error) {
    const MutexLock lock(&mutex_);
    error_ = error;
  }

  std::vector<std::string> games() const {
    const MutexLock lock(&mutex_);
    return games_;
  }
  // As a store of real games would check them.
  std::vector<GameRecord> Records() const {
    std::vector<GameRecord> records;
    for (const std::string& bytes : games()) {
      absl::StatusOr<GameRecord> record = DecodeGame(bytes, Judging::kRejudge);
      EXPECT_TRUE(record.ok()) << record.status();
      if (record.ok()) records.push_back(*std::move(record));
    }
    return records;
  }

 private:
  mutable Mutex mutex_;
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> games_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace chuhe::testing
