// In which order the alpha-beta search tries moves: the better the first, the more it cuts off.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/search/alphabeta_score.h"

namespace chuhe {

// Moves with what they promise, handed out best first.
struct ScoredMoves {
  MoveList list;
  int scores[kMaxMoves];

  // Brings the best of the moves from `index` on to `index` and returns it. Equals keep the
  // generator's order, so that trees are the same everywhere.
  Move TakeBest(int index);
};

// What a capture wins by the classic values if the opponent takes back where he can see to it:
// most valuable victim, least valuable attacker. Below 0 for one that seems to lose material.
int CaptureGain(const Position& position, Move move);

// Quiet moves that cut off elsewhere: two killers a ply and a history by side and move. Owned by
// one thread.
class MoveOrder {
 public:
  MoveOrder();

  void Clear();
  // Before a new search: killers go, the history fades.
  void NextSearch();

  // First the move of the table, then captures by gain, killers, quiet moves by history, captures
  // that lose material.
  void Score(const Position& position, Move table_move, int ply, ScoredMoves* moves) const;

  bool IsKiller(Move move, int ply) const {
    return killers_[ply][0] == move || killers_[ply][1] == move;
  }
  // The quiet move cut off; the quiet moves tried before it did not.
  void Reward(Color side, Move move, int ply, int depth);
  void Punish(Color side, Move move, int depth);
  int History(Color side, Move move) const { return (*history_)[Index(side)][move.bits()]; }

 private:
  static constexpr int kMoveCodes = 1 << 14;
  using Table = std::array<std::array<int16_t, kMoveCodes>, 2>;

  void Shift(int16_t* value, int by);

  std::array<std::array<Move, 2>, kMaxPly + 1> killers_ = {};
  std::unique_ptr<Table> history_;
};

}  // namespace chuhe
