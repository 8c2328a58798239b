// A slow board that is right at a glance, to compare the fast one with: letters on 10×9 points, one
// predicate that says how the men move, legality by playing the move on a copy and looking whether
// the own king could then be taken.
//
// Shares nothing with engine/board; the two exchange FEN text, or letters point by point.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace chuhe {

struct ReferencePoint {
  int file = 0;  // 0 = a
  int rank = 0;  // 0 = Red's home
  friend auto operator<=>(const ReferencePoint&, const ReferencePoint&) = default;
};

struct ReferenceMove {
  ReferencePoint from;
  ReferencePoint to;
  friend auto operator<=>(const ReferenceMove&, const ReferenceMove&) = default;
};

struct ReferenceBoard {
  // at[rank][file]: a letter of KABNRCP for Red, of kabnrcp for Black, '.' where it is empty.
  char at[10][9];
  bool red_to_move = true;

  ReferenceBoard();  // empty, Red to move
  char& operator[](ReferencePoint point) { return at[point.rank][point.file]; }
  char operator[](ReferencePoint point) const { return at[point.rank][point.file]; }
};

// Whether the man on `from` may go to `to` by the way he moves; his king's safety does not matter.
// A king may take the other king along an open file.
bool ReferenceCanMove(const ReferenceBoard& board, ReferencePoint from, ReferencePoint to);

// The men that could take the king of the side, in the order of ReferencePoint.
std::vector<ReferencePoint> ReferenceKingAttackers(const ReferenceBoard& board, bool red_king);
bool ReferenceKingAttacked(const ReferenceBoard& board, bool red_king);

// The board after the move, the other side to move.
ReferenceBoard ReferenceAfter(const ReferenceBoard& board, ReferenceMove move);

// In the order of ReferenceMove.
std::vector<ReferenceMove> ReferenceLegalMoves(const ReferenceBoard& board);

bool ReferenceInCheck(const ReferenceBoard& board);  // the side to move
bool ReferenceIsMate(const ReferenceBoard& board);
bool ReferenceIsStalemate(const ReferenceBoard& board);
uint64_t ReferencePerft(const ReferenceBoard& board, int depth);

// Reads the first two fields of a FEN in its plain form (letters kabnrcp, side w or b), without
// asking whether the position makes sense.
std::optional<ReferenceBoard> ReadReferenceFen(std::string_view fen);
// The first two fields of a FEN.
std::string WriteReferenceFen(const ReferenceBoard& board);

}  // namespace chuhe
