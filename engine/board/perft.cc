#include "engine/board/perft.h"

#include "engine/board/movegen.h"

namespace chuhe {

uint64_t Perft(Position& position, int depth, bool bulk) {
  if (depth <= 0) return 1;
  if (bulk && depth == 1) return static_cast<uint64_t>(CountLegal(position));
  MoveList list;
  GenerateLegal(position, &list);
  uint64_t nodes = 0;
  for (const Move move : list) {
    const Undo undo = position.Make(move);
    nodes += depth == 1 ? 1 : Perft(position, depth - 1, bulk);
    position.Unmake(move, undo);
  }
  return nodes;
}

}  // namespace chuhe
