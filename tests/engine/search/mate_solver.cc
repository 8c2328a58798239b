#include "tests/engine/search/mate_solver.h"

#include "engine/board/movegen.h"

namespace chuhe {
namespace {

bool Mates(Position* board, int moves);

bool IsMated(Position* board, int moves) {
  MoveList list;
  GenerateLegal(*board, &list);
  for (const Move move : list) {
    if (moves == 0) return false;
    const Undo undo = board->Make(move);
    const bool mates = Mates(board, moves);
    board->Unmake(move, undo);
    if (!mates) return false;
  }
  return true;
}

bool Mates(Position* board, int moves) {
  MoveList list;
  GenerateLegal(*board, &list);
  for (const Move move : list) {
    const Undo undo = board->Make(move);
    const bool mated = IsMated(board, moves - 1);
    board->Unmake(move, undo);
    if (mated) return true;
  }
  return false;
}

}  // namespace

int MovesToMate(const Position& position, int most) {
  Position board = position;
  for (int moves = 1; moves <= most; ++moves) {
    if (Mates(&board, moves)) return moves;
  }
  return 0;
}

}  // namespace chuhe
