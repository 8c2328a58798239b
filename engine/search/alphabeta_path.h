// The line of moves from the root to the node that the alpha-beta search stands on, with the game
// before it, and what the rules of repetition say there.
//
//     game history ………… root ─► ply 1 ─► ply 2 ─► pass ─► ply 4 ─► …
//     └──────── a Game with its judge ────────┘        └─ a bare position ─┘
//
// The rules know no passes, so what follows one (a null move of the search) is played on a copy of
// the position, and a repetition there counts as a draw.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/board/position.h"
#include "engine/rules/game.h"
#include "engine/search/alphabeta_score.h"

namespace chuhe {

// What the rules decide at a node.
struct Ruling {
  // `since` of a value that depends on the node's position alone.
  static constexpr int kIndependent = std::numeric_limits<int>::max();

  bool is_decided = false;
  int result = 0;  // of the side to move: 1 it wins, 0 draw, -1 it loses
  // The first ply of the path that the result depends on: at that node and above, it is a fact
  // about the positions alone. Below 0 where the game before the root matters.
  int since = kIndependent;
  // The position has occurred before, decided or not.
  bool has_recurred = false;
};

// Owned by one thread. Allocates only in Reset() and while its game grows longer than ever before.
class SearchPath {
 public:
  explicit SearchPath(const Game& game) : game_(game) { Reset(game); }

  // Starts anew at the root, where the game stands.
  void Reset(const Game& game);

  const Position& position() const { return passes_ == 0 ? game_.position() : position_; }
  bool in_check() const { return in_check_[ply_]; }
  // Plies from the root, passes included.
  int ply() const { return ply_; }
  // Whether so few plies are left to the limit without a capture that scores found elsewhere for
  // the same position need not hold here.
  bool is_near_limit() const;

  // Moves must be legal; a side in check may not pass. At most kMaxPly plies.
  void Make(Move move);
  void Pass();
  // Takes back the last move or pass.
  void Unmake();

  // What the rules decide here, that there is no legal move apart (then nothing is decided):
  // repetition, the limit of plies without capture, material, the cap. Not for the root, which is
  // to be played on from in any case.
  //
  // A third occurrence gets the judge's verdict. So does a second one when the first lies below
  // the root; but a loss for either side, which somebody might still avoid at the third time, only
  // if nothing else can come between:
  //   - the limit without capture is not reached,
  //   - the position before this one was the same the first time,
  //   - no position inside the loop has already occurred twice.
  Ruling Judge();

 private:
  struct Step {
    Move move;  // no move: a pass
    Undo undo;  // of moves after a pass
  };

  Ruling JudgeRepetition();
  Ruling JudgeAfterPass() const;
  Ruling FromVerdict(const Verdict& verdict, int since) const;
  // Whether a verdict over the last `length` plies holds although the third occurrence is still to
  // come.
  bool IsForeseeable(int length) const;
  // Index into keys_ of the node's position.
  int Now() const { return root_plies_ + ply_; }

  Game game_;          // stands at the last node before a pass
  Position position_;  // after a pass
  int root_plies_ = 0;
  int ply_ = 0;
  int passes_ = 0;
  std::vector<uint64_t> keys_;  // of the positions of game and path
  std::array<int, kMaxPly + 1> reversible_plies_ = {};
  std::array<bool, kMaxPly + 1> in_check_ = {};
  std::array<Step, kMaxPly + 1> steps_;
};

}  // namespace chuhe
