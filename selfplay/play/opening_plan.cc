#include "selfplay/play/opening_plan.h"

#include <vector>

#include "engine/board/movegen.h"
#include "engine/rules/game.h"

namespace chuhe {
namespace {

bool GoesOn(Game* game, Move move) {
  game->Make(move);
  const bool goes_on = game->Adjudicate().outcome == Outcome::kUndecided;
  game->Unmake();
  return goes_on;
}

int DrawPlies(double share, int most, Random* random) {
  if (most == 0 || random->UniformDouble() >= share) return 0;
  return 1 + static_cast<int>(random->Below(static_cast<uint64_t>(most)));
}

}  // namespace

OpeningPlan PlanOpening(const SelfPlayOptions& options, const std::vector<Opening>& openings,
                        uint64_t seed) {
  Random random(seed, StreamId("opening"));
  OpeningPlan plan;
  if (!openings.empty() && random.UniformDouble() < options.openings_share) {
    plan.opening = &openings[random.Below(openings.size())];
  }
  plan.random_plies = DrawPlies(options.random_share, options.random_plies, &random);
  plan.policy_plies = DrawPlies(options.policy_share, options.policy_plies, &random);
  return plan;
}

Move DrawRandomMove(Game* game, Random* random) {
  MoveList moves;
  GenerateLegal(game->position(), &moves);
  while (moves.size > 0) {
    Move& drawn = moves.moves[random->Below(static_cast<uint64_t>(moves.size))];
    if (GoesOn(game, drawn)) return drawn;
    drawn = moves.moves[--moves.size];
  }
  return Move();
}

Move DrawPolicyMove(const TreeSearch& search, Random* random) {
  std::vector<Edge> moves = search.RootMoves();
  Game game = search.game();
  while (!moves.empty()) {
    double sum = 0;
    for (const Edge& edge : moves) sum += edge.prior;
    double left = random->UniformDouble() * sum;
    size_t drawn = 0;
    while (drawn + 1 < moves.size() && (left -= moves[drawn].prior) >= 0) ++drawn;
    if (GoesOn(&game, moves[drawn].move)) return moves[drawn].move;
    moves.erase(moves.begin() + static_cast<std::ptrdiff_t>(drawn));
  }
  return Move();
}

}  // namespace chuhe
