#include "engine/rules/cxa.h"

#include "engine/board/attacks.h"
#include "engine/board/movegen.h"
#include "engine/rules/chase.h"
#include "engine/rules/exchange.h"
#include "engine/rules/game.h"

namespace chuhe {
namespace {

// A kill threatens mate at once or by a series of checks; longer ones than this are not found.
constexpr int kLongestKill = 3;

// What the moves of one side in a loop are.
struct LoopNature {
  int checks = 0;
  int kills = 0;
  int chases = 0;
  int idles = 0;
  bool has_joint_chase = false;  // a chase that only several men together make one
  UnitSet chasers = 0;
  UnitSet victims = 0;

  bool is_forbidden() const { return idles == 0; }
  bool has_only_chases() const { return checks == 0 && kills == 0 && idles == 0; }
};

bool HasMateByChecks(Position* board, int checks);

// Whether the side to move of `board`, in check, is mated now or after every answer by at most
// `checks` further checks.
bool HasNoAnswer(Position* board, int checks) {
  MoveList answers;
  GenerateLegal(*board, &answers);
  if (checks == 0 && answers.size > 0) return false;
  for (const Move answer : answers) {
    const Undo undo = board->Make(answer);
    const bool mates = HasMateByChecks(board, checks);
    board->Unmake(answer, undo);
    if (!mates) return false;
  }
  return true;
}

// Whether the side to move of `board` can mate with at most `checks` moves that all give check.
bool HasMateByChecks(Position* board, int checks) {
  MoveList moves;
  GenerateLegal(*board, &moves);
  for (const Move move : moves) {
    const Undo undo = board->Make(move);
    const bool mates = InCheck(*board) && HasNoAnswer(board, checks - 1);
    board->Unmake(move, undo);
    if (mates) return true;
  }
  return false;
}

// Whether the side that has just moved can be mated at once. Not asked of one whose check stands:
// that is about the check, not about the move.
bool WalkedIntoMate(Position* board) {
  if (AttackersOfKing(*board, Opponent(board->side_to_move())) != 0) return false;
  return HasMateByChecks(board, 1);
}

// Whether taking wins material in the exchange that follows, and does not walk into mate.
bool WinsMaterial(Position* board, Unit attacker, Unit victim) {
  const Square square = board->square_of(victim);
  const int prize = ExchangeValue(*board, victim);
  const Move capture(board->square_of(attacker), square);
  const Undo undo = board->Make(capture);
  const bool wins = prize > ExchangeGain(board, square) && !WalkedIntoMate(board);
  board->Unmake(capture, undo);
  return wins;
}

struct WinningThreats {
  PairSet all;
  PairSet single;  // those that are chases without the help of a second attacker
};

WinningThreats FindWinningThreats(const Position& position, Color side) {
  const Threats threats = FindThreats(position, side);
  Position board = position;
  board.set_side_to_move(side);
  WinningThreats winning;
  for (int i = 0; i < kUnitsPerSide; ++i) {
    const Unit attacker = static_cast<Unit>(Index(side) * kUnitsPerSide + i);
    for (int unit = 0; unit < kUnits; ++unit) {
      const Unit victim = static_cast<Unit>(unit);
      if (!threats.captures.Contains(attacker, victim)) continue;
      // Men of a kind that may take each other offer an exchange.
      const bool is_chase = threats.chases.Contains(attacker, victim);
      if (!is_chase && TypeOf(attacker) == TypeOf(victim) && MayTakeBack(board, victim, attacker)) {
        continue;
      }
      if (!WinsMaterial(&board, attacker, victim)) continue;
      winning.all.Add(attacker, victim);
      if (is_chase) winning.single.Add(attacker, victim);
    }
  }
  return winning;
}

void AddMove(const Position& before, const Position& after, Color side, LoopNature* nature) {
  Position passed = after;
  passed.SwitchSide();
  if (HasMateByChecks(&passed, kLongestKill)) {
    ++nature->kills;
    return;
  }
  const WinningThreats threats = FindWinningThreats(after, side);
  const PairSet made = threats.all - FindWinningThreats(before, side).all;
  const UnitSet victims = made.victims();
  if (victims == 0) {
    ++nature->idles;
    return;
  }
  ++nature->chases;
  nature->victims |= victims;
  nature->chasers |= made.AttackersOf(victims, side);
  if ((made & threats.single).victims() == 0) nature->has_joint_chase = true;
}

LoopNature FindNature(const Game& game, int first, Color side) {
  LoopNature nature;
  Position board = game.PositionAt(first);
  for (int ply = first + 1; ply <= game.plies() && nature.is_forbidden(); ++ply) {
    const Position before = board;
    board.Make(game.move(ply));
    if (before.side_to_move() != side) continue;
    if (game.gave_check(ply)) {
      ++nature.checks;
    } else {
      AddMove(before, board, side, &nature);
    }
  }
  return nature;
}

// Of two forbidden loops, whether the first is the one that has to change (rules of 2020): the
// one with checks, then the one with kills, then single chases against a joint one.
bool IsGraver(const LoopNature& a, const LoopNature& b) {
  if ((a.checks > 0) != (b.checks > 0)) return a.checks > 0;
  if (a.checks == 0 && (a.kills > 0) != (b.kills > 0)) return a.kills > 0;
  return a.has_only_chases() && b.has_only_chases() && !a.has_joint_chase && b.has_joint_chase;
}

Verdict LossBy(Color side, const LoopNature& nature) {
  Verdict verdict;
  verdict.outcome = LossOf(side);
  verdict.reason = nature.has_only_chases() ? Reason::kPerpetualChase : Reason::kForbiddenLoop;
  verdict.victims = nature.victims;
  verdict.chasers = nature.chasers;
  verdict.has_checks = nature.checks > 0;
  verdict.has_kills = nature.kills > 0;
  verdict.has_chases = nature.chases > 0;
  return verdict;
}

}  // namespace

Verdict JudgeForbiddenLoops(const Game& game, int first) {
  const LoopNature red = FindNature(game, first, Color::kRed);
  const LoopNature black = FindNature(game, first, Color::kBlack);
  const bool both = red.is_forbidden() && black.is_forbidden();
  const bool red_varies = red.is_forbidden() && (!both || IsGraver(red, black));
  const bool black_varies = black.is_forbidden() && (!both || IsGraver(black, red));
  if (red_varies) return LossBy(Color::kRed, red);
  if (black_varies) return LossBy(Color::kBlack, black);
  Verdict verdict;
  verdict.outcome = Outcome::kDraw;
  verdict.reason = both ? Reason::kMutualForbidden : Reason::kQuietRepetition;
  return verdict;
}

}  // namespace chuhe
