// Who attacks what: target sets of single units and attackers of a king.
//
// Facing kings on an open file attack each other ("flying general").
#pragma once

#include "engine/board/bitboard.h"
#include "engine/board/position.h"
#include "engine/board/tables.h"
#include "engine/board/types.h"

namespace chuhe {

// Free legs of a knight on the point, an index of BoardTables::knight.
inline unsigned FreeLegs(const Position& position, Square square) {
  return position.EmptyAround<-1, -kFiles, 1, kFiles>(square);
}

// Free eyes of a bishop on the point, an index of BoardTables::bishop.
inline unsigned FreeEyes(const Position& position, Square square) {
  return position.EmptyAround<-kFiles - 1, kFiles - 1, -kFiles + 1, kFiles + 1>(square);
}

// Pawns of `by` that attack the point.
inline Bitboard AttackingPawns(const Position& position, Square square, Color by) {
  Bitboard pawns;
  ForEachSquare(kTables.pawn_attackers[Index(by)][square] & position.occupied(by),
                [&](Square from) {
                  if (TypeOf(position.unit_at(from)) == PieceType::kPawn)
                    pawns |= kSquareBits[from];
                });
  return pawns;
}

// Points that the unit could move to by the moves of the men: empty ones and those of the other
// side, its own king's safety not considered. The unit must be on the board.
Bitboard PseudoLegalTargets(const Position& position, Unit unit);

// Units of the other side that attack the king of `color`, whoever is to move.
UnitSet AttackersOfKing(const Position& position, Color color);

// The same as a yes or no, quickly, for a king imagined on the point `king` among the men of
// `occupied` (bits of men who stand on their points; a man of `by` on `king` itself is taken).
bool IsAttackedKing(const Position& position, Square king, Color by, const Bitboard& occupied);

// Whether the king of the side to move is attacked.
bool InCheck(const Position& position);

// Units of `by` that could take a man of the other side standing on the point, if one did: a cannon
// needs its screen. Kings do not attack along files here.
UnitSet AttackersOf(const Position& position, Square square, Color by);

}  // namespace chuhe
