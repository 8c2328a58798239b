// Games as self-play records them, and stores of them, to train on in tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "gtest/gtest.h"
#include "selfplay/records/record_bytes.h"
#include "selfplay/store/spool_folder.h"
#include "selfplay/store/spool_ingester.h"
#include "tests/train/random_games.h"

namespace chuhe {

// RandomGames() with searches: every second ply has a policy, by chance but in favour of moves
// along the file; the others have a fast search.
inline std::vector<GameRecord> SelfPlayGames(int count, int plies, uint64_t seed = 0) {
  std::vector<GameRecord> games = RandomGames(count, plies);
  Random random(seed, StreamId("self-play games"));
  for (size_t number = 0; number < games.size(); ++number) {
    GameRecord& game = games[number];
    game.seed = seed << 32 | number;
    Position position = game.start;
    for (size_t ply = 0; ply < game.plies.size(); ++ply) {
      PlyRecord& record = game.plies[ply];
      record.is_searched = true;
      record.is_fast = ply % 2 == 1;
      const auto win = static_cast<float>(random.Below(5000)) / 10000;
      const auto loss = static_cast<float>(random.Below(5000)) / 10000;
      record.root = {win, 1 - win - loss, loss};
      if (!record.is_fast) {
        MoveList moves;
        GenerateLegal(position, &moves);
        for (const Move move : moves) {
          const bool is_favoured = FileOf(move.from()) == FileOf(move.to());
          const auto weight =
              static_cast<uint16_t>(random.Below(3) * random.Below(300) * (is_favoured ? 20 : 1));
          if (weight > 0) record.policy.push_back({move, weight});
        }
        if (record.policy.empty()) record.policy.push_back({record.move, 1});
      }
      position.Make(record.move);
    }
  }
  return games;
}

// Adds the games to the store of that folder, through incoming/ into shards/.
inline void StoreGames(const std::string& games_folder, const std::vector<GameRecord>& games,
                       uint64_t max_shard_bytes = uint64_t{64} << 20) {
  const auto store = SpoolStore::Open(games_folder);
  ASSERT_TRUE(store.ok()) << store.status();
  auto ingester = SpoolIngester::Open(games_folder, {.max_shard_bytes = max_shard_bytes});
  ASSERT_TRUE(ingester.ok()) << ingester.status();
  for (const GameRecord& game : games) {
    const auto bytes = EncodeGame(game);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    ASSERT_TRUE((*store)->Put(*bytes).ok());
    const auto report = (*ingester)->Ingest();  // one at a time, so that they keep their order
    ASSERT_TRUE(report.ok()) << report.status();
    ASSERT_EQ(report->ingested, 1) << report->first_problem;
  }
}

}  // namespace chuhe
