#include "tests/selfplay/store/store_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "gtest/gtest.h"
#include "selfplay/store/shard_folder.h"
#include "selfplay/store/spool_folder.h"
#include "tests/selfplay/records/random_records.h"

namespace chuhe::testing {
namespace {

// Small, so that passes begin new shards.
constexpr uint64_t kShardBytes = 4000;

}  // namespace

StoreProcess::StoreProcess(const std::function<void(int)>& work) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  pid_ = fork();
  if (pid_ < 0) std::abort();
  if (pid_ == 0) {
    close(ends[0]);
    work(ends[1]);
    _exit(EXIT_SUCCESS);
  }
  close(ends[1]);
  pipe_ = ends[0];
}

StoreProcess::~StoreProcess() { Kill(); }

void StoreProcess::Kill() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  Wait();
}

bool StoreProcess::Wait() {
  if (pid_ < 0) return ended_well_;
  char bytes[4096];
  for (ssize_t count = 0; (count = read(pipe_, bytes, sizeof(bytes))) > 0;) {
    told_.append(bytes, static_cast<size_t>(count));
  }
  close(pipe_);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  ended_well_ = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
  return ended_well_;
}

void PutGames(const std::string& folder, const std::vector<std::string>& games, int tell,
              WriteStep step, int count) {
  int left = count;
  const auto store = SpoolStore::Open(folder, [&](WriteStep reached) {
    if (count > 0 && reached == step && --left == 0) raise(SIGKILL);
  });
  if (!store.ok()) _exit(EXIT_FAILURE);
  for (const std::string& game : games) {
    const absl::StatusOr<GameId> id = (*store)->Put(game);
    if (!id.ok() || write(tell, id->bytes.data(), 16) != 16) _exit(EXIT_FAILURE);
  }
}

void IngestGames(const std::string& folder, bool for_ever, IngestStep step, int count) {
  int left = count;
  IngestOptions options{.max_shard_bytes = kShardBytes};
  options.at = [&](IngestStep reached) {
    if (count > 0 && reached == step && --left == 0) raise(SIGKILL);
  };
  const auto ingester = SpoolIngester::Open(folder, options);
  if (!ingester.ok()) _exit(EXIT_FAILURE);
  for (;;) {
    const absl::StatusOr<IngestReport> report = (*ingester)->Ingest();
    if (!report.ok()) _exit(EXIT_FAILURE);
    const bool is_idle = report->ingested + report->duplicates + report->quarantined == 0;
    if (is_idle && !for_ever) return;
    if (is_idle) std::this_thread::yield();
  }
}

std::set<GameId> Receipts(const std::string& told) {
  std::set<GameId> ids;
  for (size_t i = 0; i + 16 <= told.size(); i += 16) {
    GameId id;
    std::copy_n(told.begin() + static_cast<ptrdiff_t>(i), 16, id.bytes.begin());
    ids.insert(id);
  }
  return ids;
}

std::vector<GameId> GamesInShards(const std::string& folder) {
  std::vector<GameId> ids;
  const auto shards = ShardFolder::Open(folder + "/shards");
  EXPECT_TRUE(shards.ok()) << shards.status();
  if (!shards.ok()) return ids;
  uint64_t next = 0;
  for (const ShardReader& shard : shards->shards()) {
    EXPECT_EQ(shard.tail(), ShardTail::kClean) << shard.path();
    EXPECT_EQ(shard.first_game(), next) << shard.path();
    next += shard.size();
    for (size_t i = 0; i < shard.size(); ++i) {
      const auto bytes = shard.ReadBytes(i);
      EXPECT_TRUE(bytes.ok()) << bytes.status();
      if (bytes.ok()) ids.push_back(IdOf(*bytes));
    }
  }
  return ids;
}

std::vector<std::string> DistinctGames(int count) {
  std::vector<std::string> games;
  for (int i = 0; i < count; ++i) {
    games.push_back(EncodeGame(RandomRecord(static_cast<uint64_t>(i), 10)).value());
  }
  return games;
}

}  // namespace chuhe::testing
