// Colours, kinds of men and points as words, for messages; and letters that stand for kinds.
#pragma once

#include <optional>
#include <string>

#include "engine/board/types.h"

namespace chuhe {

// `Red`, `Black`.
std::string NameOf(Color color);
// `king`, `advisor`, `bishop`, `knight`, `rook`, `cannon`, `pawn`.
std::string NameOf(PieceType type);
// `e4`, files a–i and ranks 0–9. The square must be on the board.
std::string SquareName(Square square);

// The kind that a letter of either case stands for: K A B N R C P, and what others write for
// them, G (king), E (bishop), H and M (knight).
std::optional<PieceType> PieceTypeOfLetter(char letter);

}  // namespace chuhe
