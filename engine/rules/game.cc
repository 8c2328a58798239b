#include "engine/rules/game.h"

#include <algorithm>

#include "engine/board/attacks.h"
#include "engine/board/movegen.h"
#include "engine/rules/judge.h"
#include "engine/rules/material.h"

namespace chuhe {

Game::Game(const Position& start, const GameOptions& options)
    : options_(options), position_(start), filter_(kFilterSize) {
  start_.no_capture_plies = options.no_capture_plies;
  start_.in_check = InCheck(start);
  ++FilterSlot(position_.key());
}

void Game::Make(Move move) {
  const State before = state();
  const int us = Index(position_.side_to_move());
  const int them = 1 - us;
  const Ply& ply = history_.emplace_back(move, &position_);
  State& after = history_.back().after;
  after.in_check = InCheck(position_);
  if (ply.undo.captured == kNoUnit) {
    after.reversible_plies = before.reversible_plies + 1;
    after.checks[us] = before.checks[us] + (after.in_check ? 1 : 0);
    after.checks[them] = before.checks[them];
    const bool is_surplus_check = after.in_check && after.checks[us] > kCountedChecks;
    const bool answers_surplus_check = before.in_check && after.checks[them] > kCountedChecks;
    after.no_capture_plies =
        before.no_capture_plies + (is_surplus_check || answers_surplus_check ? 0 : 1);
  }
  ++FilterSlot(position_.key());
}

void Game::Unmake() {
  --FilterSlot(position_.key());
  position_.Unmake(history_.back().move, history_.back().undo);
  history_.pop_back();
}

int Game::PliesSinceOccurrence(int occurrence) const {
  const uint64_t key = position_.key();
  if (filter_[key % kFilterSize] <= occurrence) return 0;
  const int now = plies();
  const int first = now - state().reversible_plies;
  int found = 0;
  for (int ply = now - 4; ply >= first; ply -= 2) {
    if (KeyAt(ply) == key && ++found == occurrence) return now - ply;
  }
  return 0;
}

Position Game::PositionAt(int ply) const {
  Position position = position_;
  for (int i = plies(); i > ply; --i) position.Unmake(history_[i - 1].move, history_[i - 1].undo);
  return position;
}

Verdict Game::JudgeRepetition() const {
  constexpr int kOccurrencesBefore = 2;
  const int length = PliesSinceOccurrence(kOccurrencesBefore);
  if (length == 0) return {};
  return JudgeLoop(*this, plies() - length);
}

Verdict Game::Adjudicate() const {
  const Color us = position_.side_to_move();
  Verdict verdict;
  if (!HasLegalMove(position_)) {
    verdict.outcome = LossOf(us);
    verdict.reason = in_check() ? Reason::kCheckmate : Reason::kStalemate;
    return verdict;
  }
  verdict = JudgeRepetition();
  if (verdict.outcome != Outcome::kUndecided) return verdict;
  if (no_capture_plies() >= NoCaptureLimit(options_.rules)) {
    verdict.outcome = Outcome::kDraw;
    verdict.reason = Reason::kNoCaptureLimit;
    verdict.plies = no_capture_plies();
  } else if (IsInsufficientMaterial(position_)) {
    verdict.outcome = Outcome::kDraw;
    verdict.reason = Reason::kInsufficientMaterial;
  } else if (options_.ply_cap > 0 && plies() >= options_.ply_cap) {
    verdict.outcome = Outcome::kDraw;
    verdict.reason = Reason::kPlyCap;
    verdict.plies = plies();
  }
  return verdict;
}

}  // namespace chuhe
