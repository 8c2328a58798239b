// Games to train on in tests.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/movegen.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

// Games of legal random moves, each another one; Red and Black win in turn.
inline std::vector<GameRecord> RandomGames(int count, int plies) {
  std::vector<GameRecord> games;
  for (int i = 0; i < count; ++i) {
    GameRecord record;
    record.start = Position::Start();
    record.outcome = i % 2 == 0 ? Outcome::kBlackLoses : Outcome::kRedLoses;
    record.end = GameEnd::kResignation;
    Position position = record.start;
    Random random(static_cast<uint64_t>(i), StreamId("game"));
    for (int ply = 0; ply < plies; ++ply) {
      MoveList moves;
      GenerateLegal(position, &moves);
      if (moves.size == 0) break;
      const Move move = moves[static_cast<int>(random.Below(static_cast<uint64_t>(moves.size)))];
      position.Make(move);
      record.plies.push_back({.move = move, .policy = {}, .root = {}});
    }
    games.push_back(std::move(record));
  }
  return games;
}

}  // namespace chuhe
