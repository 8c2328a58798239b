#include "selfplay/play/opening_plan.h"

#include <utility>
#include <vector>

#include "engine/board/attacks.h"
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

// Whether a game can begin there, and nobody is in check.
bool IsQuietStart(Position position) {
  if (InCheck(position) || Game(position).Adjudicate().outcome != Outcome::kUndecided) return false;
  position.SwitchSide();
  return !InCheck(position);
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
    plan.start = plan.opening->start;
  }
  plan.random_plies = DrawPlies(options.random_share, options.random_plies, &random);
  plan.policy_plies = DrawPlies(options.policy_share, options.policy_plies, &random);
  if (plan.opening == nullptr && random.UniformDouble() < options.odds_share) {
    plan.start = DrawOdds(options.odds_men, &random);
  }
  return plan;
}

Position DrawOdds(int most, Random* random) {
  const Position whole = Position::Start();
  for (;;) {
    Bitboard left_out;
    for (const Color color : {Color::kRed, Color::kBlack}) {
      std::vector<Square> men;
      for (Square square = 0; square < kSquares; ++square) {
        const Unit unit = whole.unit_at(square);
        if (unit == kNoUnit || ColorOf(unit) != color || TypeOf(unit) == PieceType::kKing) continue;
        men.push_back(square);
      }
      for (uint64_t count = random->Below(static_cast<uint64_t>(most) + 1); count > 0; --count) {
        std::swap(men[random->Below(men.size())], men.back());
        left_out |= kSquareBits[men.back()];
        men.pop_back();
      }
    }
    if (left_out.empty()) continue;
    Position position;
    for (Square square = 0; square < kSquares; ++square) {
      const Unit unit = whole.unit_at(square);
      if (unit == kNoUnit || !(left_out & kSquareBits[square]).empty()) continue;
      position.PlaceUnit(ColorOf(unit), TypeOf(unit), square);
    }
    if (IsQuietStart(position)) return position;
  }
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
