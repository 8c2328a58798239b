#include "engine/search/alphabeta_path.h"

#include <algorithm>
#include <cassert>

#include "engine/board/attacks.h"
#include "engine/board/movegen.h"
#include "engine/rules/judge.h"
#include "engine/rules/material.h"

namespace chuhe {
namespace {

// The longest lines that are usually searched stay below this.
constexpr int kPliesNearLimit = 24;
// More men than any insufficient material has: two cannons, kings, advisors and bishops.
constexpr int kMostMenOfADraw = 12;

}  // namespace

void SearchPath::Reset(const Game& game) {
  game_ = game;
  root_plies_ = game.plies();
  ply_ = 0;
  passes_ = 0;
  in_check_[0] = game.in_check();
  reversible_plies_[0] = game.reversible_plies();
  keys_.assign(static_cast<size_t>(root_plies_) + kMaxPly + 1, 0);
  Game past = game;
  keys_[root_plies_] = past.position().key();
  for (int ply = root_plies_; ply > 0; --ply) {
    past.Unmake();
    keys_[ply - 1] = past.position().key();
  }
}

bool SearchPath::is_near_limit() const {
  return game_.no_capture_plies() + kPliesNearLimit >= NoCaptureLimit(game_.options().rules);
}

void SearchPath::Make(Move move) {
  assert(ply_ < kMaxPly);
  const bool is_capture = !position().is_empty(move.to());
  const int reversible = is_capture ? 0 : reversible_plies_[ply_] + 1;
  Step& step = steps_[++ply_];
  step.move = move;
  reversible_plies_[ply_] = reversible;
  if (passes_ == 0) {
    game_.Make(move);
    in_check_[ply_] = game_.in_check();
  } else {
    step.undo = position_.Make(move);
    in_check_[ply_] = InCheck(position_);
  }
  keys_[Now()] = position().key();
}

void SearchPath::Pass() {
  assert(ply_ < kMaxPly && !in_check());
  if (passes_++ == 0) position_ = game_.position();
  position_.SwitchSide();
  steps_[++ply_].move = Move();
  reversible_plies_[ply_] = 0;
  in_check_[ply_] = false;
  keys_[Now()] = position_.key();
}

void SearchPath::Unmake() {
  const Step& step = steps_[ply_--];
  if (!step.move) {
    --passes_;
    position_.SwitchSide();
  } else if (passes_ == 0) {
    game_.Unmake();
  } else {
    position_.Unmake(step.move, step.undo);
  }
}

Ruling SearchPath::Judge() {
  if (passes_ > 0) return JudgeAfterPass();
  Ruling ruling = JudgeRepetition();
  if (ruling.is_decided) return ruling;
  const Position& board = game_.position();
  const GameOptions& options = game_.options();
  const bool is_over = game_.no_capture_plies() >= NoCaptureLimit(options.rules) ||
                       (options.ply_cap > 0 && game_.plies() >= options.ply_cap);
  if (is_over && HasLegalMove(board)) {
    ruling.is_decided = true;
    ruling.since = -1;
  } else if (board.occupied().count() <= kMostMenOfADraw && HasLegalMove(board) &&
             IsInsufficientMaterial(board)) {
    ruling.is_decided = true;
  }
  return ruling;
}

Ruling SearchPath::JudgeRepetition() {
  Ruling ruling;
  const int length = game_.PliesSinceOccurrence();
  if (length == 0) return ruling;
  ruling.has_recurred = true;
  const int whole_length = game_.PliesSinceOccurrence(2);
  if (whole_length != 0) {
    return FromVerdict(JudgeLoop(game_, game_.plies() - whole_length), ply_ - whole_length);
  }
  if (length >= ply_) return ruling;
  const Verdict verdict = JudgeLoop(game_, game_.plies() - length);
  if (verdict.outcome != Outcome::kDraw && !IsForeseeable(length)) return ruling;
  return FromVerdict(verdict, ply_ - length);
}

Ruling SearchPath::FromVerdict(const Verdict& verdict, int since) const {
  Ruling ruling;
  ruling.is_decided = true;
  ruling.has_recurred = true;
  ruling.since = std::max(since, -1);
  if (verdict.outcome != Outcome::kDraw) {
    ruling.result = verdict.outcome == LossOf(game_.position().side_to_move()) ? -1 : 1;
    // The guards look at the whole game, so such a result holds for this path alone.
    ruling.since = -1;
  }
  return ruling;
}

bool SearchPath::IsForeseeable(int length) const {
  if (game_.no_capture_plies() >= NoCaptureLimit(game_.options().rules)) return false;
  const int now = Now();
  if (keys_[now - 1] != keys_[now - length - 1]) return false;
  const int first = now - reversible_plies_[ply_];
  for (int inside = now - 2; inside > now - length; --inside) {
    const auto begin = keys_.begin();
    if (std::count(begin + first, begin + now, keys_[inside]) > 1) return false;
  }
  return true;
}

Ruling SearchPath::JudgeAfterPass() const {
  Ruling ruling;
  const int now = Now();
  for (int back = 4; back <= reversible_plies_[ply_]; back += 2) {
    if (keys_[now - back] != keys_[now]) continue;
    ruling.is_decided = true;
    ruling.has_recurred = true;
    ruling.since = ply_ - back;
    return ruling;
  }
  if (position_.occupied().count() <= kMostMenOfADraw && HasLegalMove(position_) &&
      IsInsufficientMaterial(position_)) {
    ruling.is_decided = true;
  }
  return ruling;
}

}  // namespace chuhe
