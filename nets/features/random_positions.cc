#include "nets/features/random_positions.h"

#include "engine/base/random.h"
#include "engine/board/movegen.h"
#include "engine/eval/evaluator.h"
#include "engine/rules/game.h"

namespace chuhe {

std::vector<PackedPosition> RandomPositions(int count, uint64_t seed) {
  constexpr int kMaxPlies = 120;
  constexpr int kPliesBetween = 10;  // so that neighbours differ
  Random random(seed, StreamId("calibration positions"));
  std::vector<PackedPosition> positions;
  while (static_cast<int>(positions.size()) < count) {
    Game game(Position::Start());
    // Games begin to count at different plies.
    int next = static_cast<int>(random.Below(kPliesBetween));
    while (game.plies() <= kMaxPlies && static_cast<int>(positions.size()) < count) {
      MoveList moves;
      GenerateLegal(game.position(), &moves);
      if (moves.size == 0) break;
      if (game.plies() == next) {
        EvaluationRequest request;
        request.SetPosition(game);
        positions.push_back(Pack(request));
        next += kPliesBetween;
      }
      game.Make(moves[static_cast<int>(random.Below(moves.size))]);
    }
  }
  return positions;
}

}  // namespace chuhe
