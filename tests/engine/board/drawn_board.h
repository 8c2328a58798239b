// Boards drawn as text, squares and moves as ICCS writes them, and the exchange with the reference
// board: what the tests of engine/board share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/board/position.h"
#include "engine/board/types.h"
#include "tests/reference/reference_board.h"

namespace chuhe {

// Reads ten lines of nine letters, Black's back rank first; '.' is an empty point. Blanks and line
// breaks around the lines do not matter. A drawing that is not so, or that has more men than a
// set, fails the test and gives an empty board.
Position DrawnBoard(std::string_view drawing, Color side_to_move);

// "e5" and "h2e2". Text of another shape fails the test.
Square SquareOf(std::string_view text);
Move MoveOf(std::string_view text);
std::string TextOf(Square square);
std::string TextOf(Move move);

// The legal moves as text, sorted.
std::vector<std::string> LegalMoveTexts(const Position& position);

// Where the man on the square may legally go, sorted.
std::vector<std::string> TargetsFrom(const Position& position, std::string_view square);

// The drawn board, after GenerateLegal, CountLegal, HasLegalMove, InCheck and IsLegal of every pair
// of squares have agreed about it with each other and with the reference.
Position RedToMove(std::string_view drawing);
Position BlackToMove(std::string_view drawing);

ReferenceBoard ReferenceOf(const Position& position);
// Places the men rank by rank from Black's back rank on, or the other way round, so that units of
// a kind come to stand on each other's points.
Position PositionOf(const ReferenceBoard& board, bool from_black = true);
ReferenceMove ReferenceOf(Move move);

// The same board left–right mirrored, and turned by half with the colours changed.
ReferenceBoard MirroredBoard(const ReferenceBoard& board);
ReferenceBoard TurnedBoard(const ReferenceBoard& board);
Move MirroredMove(Move move);
Move TurnedMove(Move move);

}  // namespace chuhe
