// Short forms for tests of the notations: positions from FEN, moves as h2e2, errors as text.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "engine/board/position.h"
#include "engine/board/types.h"
#include "engine/rules/notation/notation.h"

namespace chuhe {

// The FEN must be good.
Position PositionOf(const std::string& fen);

// `h2e2` as a move; it need not be legal.
Move MoveOf(std::string_view squares);

// The moves of the text as `h2e2 h9g7`, or `error: ` and the message.
std::string Read(const Position& start, std::string_view text);
std::string Read(const std::string& fen, std::string_view text);

// A move `h2e2` in another notation.
std::string Written(const std::string& fen, std::string_view squares, Notation notation);

// A text and the move that it means in a position.
struct ReadingCase {
  const char* text;
  const char* move;  // h2e2
};

void PrintTo(const ReadingCase& reading, std::ostream* out);

}  // namespace chuhe
