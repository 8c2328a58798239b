#include "engine/rules/judge.h"

#include "engine/rules/chase.h"
#include "engine/rules/cxa.h"
#include "engine/rules/game.h"

namespace chuhe {
namespace {

enum class Rank { kNone, kIndirect, kDirect };

// How many of the plies first + 1 … last that `side` plays give check.
struct CheckCount {
  int checks = 0;
  int moves = 0;
  bool is_perpetual() const { return checks == moves; }
};

CheckCount CountChecks(const Game& game, int first, Color side) {
  CheckCount count;
  // The side to move now is also the one that plays ply first + 1.
  const int offset = side == game.position().side_to_move() ? 1 : 2;
  for (int ply = first + offset; ply <= game.plies(); ply += 2) {
    ++count.moves;
    count.checks += game.gave_check(ply) ? 1 : 0;
  }
  return count;
}

// What a side chases throughout a loop.
struct Chase {
  Rank rank = Rank::kNone;
  UnitSet victims = 0;
  UnitSet chasers = 0;
};

class ChaseFinder {
 public:
  ChaseFinder(const Game& game, int first, RuleSet rules)
      : game_(game), first_(first), is_pikafish_(rules == RuleSet::kPikafish) {}

  Chase Find(Color side) const {
    UnitSet direct = ~UnitSet{0};
    UnitSet all = ~UnitSet{0};
    PairSet pairs;  // of all moves
    Position board = game_.PositionAt(first_);
    for (int ply = first_ + 1; ply <= game_.plies(); ++ply) {
      const bool is_own_move = board.side_to_move() == side;
      if (is_own_move && game_.gave_check(ply)) return {};
      const Threats before = is_own_move ? FindThreats(board, side) : Threats{};
      board.Make(game_.move(ply));
      if (!is_own_move) continue;
      const PairSet made = ThreatsMade(before, FindThreats(board, side));
      direct &= (made - before.captures).victims();
      all &= made.victims();
      if (all == 0) return {};
      for (int i = 0; i < kUnitsPerSide; ++i) pairs.victims_of[i] |= made.victims_of[i];
    }
    const Rank rank = is_pikafish_ || direct != 0 ? Rank::kDirect : Rank::kIndirect;
    const UnitSet victims = rank == Rank::kDirect && !is_pikafish_ ? direct : all;
    return {rank, victims, pairs.AttackersOf(victims, side)};
  }

 private:
  // Chases that the move brought about: new pairs, or for Pikafish new victims.
  PairSet ThreatsMade(const Threats& before, const Threats& after) const {
    PairSet made = after.chases - before.chases;
    if (is_pikafish_) {
      const UnitSet old_victims = before.chases.victims();
      for (UnitSet& victims : made.victims_of) victims &= ~old_victims;
    }
    return made;
  }

  const Game& game_;
  const int first_;
  const bool is_pikafish_;
};

Verdict JudgeChases(const Game& game, int first, RuleSet rules) {
  const ChaseFinder finder(game, first, rules);
  const Chase red = finder.Find(Color::kRed);
  const Chase black = finder.Find(Color::kBlack);
  Verdict verdict;
  if (red.rank == black.rank) {
    verdict.outcome = Outcome::kDraw;
    verdict.reason = red.rank == Rank::kNone ? Reason::kQuietRepetition : Reason::kMutualChase;
    verdict.victims = red.victims | black.victims;
    verdict.chasers = red.chasers | black.chasers;
    return verdict;
  }
  const bool red_loses = red.rank > black.rank;
  const Chase& chase = red_loses ? red : black;
  verdict.outcome = LossOf(red_loses ? Color::kRed : Color::kBlack);
  verdict.reason = Reason::kPerpetualChase;
  verdict.victims = chase.victims;
  verdict.chasers = chase.chasers;
  return verdict;
}

Verdict Judge(const Game& game, int first) {
  const RuleSet rules = game.options().rules;
  const CheckCount red = CountChecks(game, first, Color::kRed);
  const CheckCount black = CountChecks(game, first, Color::kBlack);
  Verdict verdict;
  if (red.is_perpetual() && black.is_perpetual()) {
    verdict.outcome = Outcome::kDraw;
    verdict.reason = Reason::kMutualCheck;
    return verdict;
  }
  if (red.is_perpetual() || black.is_perpetual()) {
    verdict.outcome = LossOf(red.is_perpetual() ? Color::kRed : Color::kBlack);
    verdict.reason = Reason::kPerpetualCheck;
    return verdict;
  }
  if (rules == RuleSet::kCxa) return JudgeForbiddenLoops(game, first);
  if (rules == RuleSet::kPikafish && red.checks + black.checks > 0) {
    verdict.outcome = Outcome::kDraw;
    verdict.reason = Reason::kQuietRepetition;
    return verdict;
  }
  return JudgeChases(game, first, rules);
}

}  // namespace

Verdict JudgeLoop(const Game& game, int first) {
  Verdict verdict = Judge(game, first);
  verdict.first_ply = first + 1;
  verdict.last_ply = game.plies();
  return verdict;
}

}  // namespace chuhe
