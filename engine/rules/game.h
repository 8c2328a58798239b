// A game under a rule set: position, history, counters, and what the rules say about it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/board/position.h"
#include "engine/board/types.h"
#include "engine/rules/rule_set.h"
#include "engine/rules/verdict.h"

namespace chuhe {

struct GameOptions {
  RuleSet rules = RuleSet::kComputer;
  int no_capture_plies = 0;  // counted before the start; a FEN's halfmove counter
  int ply_cap = 0;           // the game is a draw after this many plies; 0 = no cap
};

// Owned by one thread. Play may go on after a verdict: Adjudicate() judges where the game stands.
class Game {
 public:
  explicit Game(const Position& start, const GameOptions& options = {});

  // The move must be legal.
  void Make(Move move);
  void Unmake();

  const Position& position() const { return position_; }
  const GameOptions& options() const { return options_; }
  int plies() const { return static_cast<int>(history_.size()); }
  // The move of ply 1 to plies().
  Move move(int ply) const { return history_[ply - 1].move; }
  bool was_capture(int ply) const { return history_[ply - 1].undo.captured != kNoUnit; }
  // Whether that move gave check.
  bool gave_check(int ply) const { return history_[ply - 1].after.in_check; }
  bool in_check() const { return state().in_check; }
  // Counted plies since the last capture: up to kCountedChecks checks a side count.
  int no_capture_plies() const { return state().no_capture_plies; }
  // All plies since the last capture or the start, counted or not.
  int reversible_plies() const { return state().reversible_plies; }

  // What the rules say here, in their order: checkmate and stalemate, repetition, the limit of
  // plies without capture, material, the cap.
  Verdict Adjudicate() const;

  // The same, repetition alone: undecided unless the position has occurred three times since the
  // last capture. One probe of a filter when it has not recurred.
  Verdict JudgeRepetition() const;

  // Plies since the last earlier occurrence of the position since the last capture; 0 if there is
  // none. `occurrence` 2 asks for the one before that, and so on.
  int PliesSinceOccurrence(int occurrence = 1) const;

  // The position after `ply` plies; 0 is the start. And its key, which is at hand.
  Position PositionAt(int ply) const;
  uint64_t KeyAt(int ply) const {
    return ply == plies() ? position_.key() : history_[ply].undo.key;
  }

 private:
  // What the history means for the rules, after a ply.
  struct State {
    int no_capture_plies = 0;
    int reversible_plies = 0;
    int checks[2] = {};  // by colour, since the last capture
    bool in_check = false;
  };
  struct Ply {
    // Makes the move. In its place, since what was just written in small pieces is slow to copy.
    Ply(Move made, Position* position) : move(made), undo(position->Make(made)) {}
    Move move;
    Undo undo;
    State after;
  };

  static constexpr int kFilterSize = 4096;

  const State& state() const { return history_.empty() ? start_ : history_.back().after; }
  uint16_t& FilterSlot(uint64_t key) { return filter_[key % kFilterSize]; }

  GameOptions options_;
  Position position_;
  State start_;
  std::vector<Ply> history_;
  // How many positions of the game fall into a slot, the present one included.
  std::vector<uint16_t> filter_;
};

}  // namespace chuhe
