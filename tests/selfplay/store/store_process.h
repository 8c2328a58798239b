// Real processes that put and ingest games, to be killed at any instant.
#pragma once

#include <sys/types.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "selfplay/records/record_bytes.h"
#include "selfplay/store/spool_ingester.h"

namespace chuhe::testing {

// A child that runs `work`, which gets a descriptor to tell of what it has done, and then ends.
class StoreProcess {
 public:
  explicit StoreProcess(const std::function<void(int)>& work);
  StoreProcess(const StoreProcess&) = delete;
  StoreProcess& operator=(const StoreProcess&) = delete;
  ~StoreProcess();

  // Sends SIGKILL, unless it has ended.
  void Kill();
  // Blocks until it has ended. True: by itself and well.
  bool Wait();
  // All that it has told of, after Wait() or Kill().
  const std::string& told() const { return told_; }

 private:
  pid_t pid_ = -1;
  int pipe_ = -1;
  bool ended_well_ = false;
  std::string told_;
};

// Puts all of the games, telling the 16 bytes of each receipt. Kills itself at the `count`-th time
// that it reaches `step`; 0: never.
void PutGames(const std::string& folder, const std::vector<std::string>& games, int tell,
              WriteStep step = WriteStep::kWritten, int count = 0);

// Ingests until nothing is left, likewise; or for ever, in passes.
void IngestGames(const std::string& folder, bool for_ever, IngestStep step = IngestStep::kSynced,
                 int count = 0);

// What a writer told of.
std::set<GameId> Receipts(const std::string& told);

// The names of all games in shards, each as often as it is there; an unreadable game or shard fails
// the test.
std::vector<GameId> GamesInShards(const std::string& folder);

// Encoded games, each another one.
std::vector<std::string> DistinctGames(int count);

}  // namespace chuhe::testing
