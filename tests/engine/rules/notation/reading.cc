#include "tests/engine/rules/notation/reading.h"

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/rules/notation/move_text.h"
#include "gtest/gtest.h"

namespace chuhe {

Position PositionOf(const std::string& fen) {
  const absl::StatusOr<FenRecord> record = ParseFen(fen);
  EXPECT_TRUE(record.ok()) << fen << ": " << record.status();
  return record.ok() ? record->position : Position::Start();
}

Move MoveOf(std::string_view squares) {
  const std::optional<Move> move = ParseUci(squares);
  EXPECT_TRUE(move.has_value()) << squares;
  return move.value_or(Move());
}

std::string Read(const Position& start, std::string_view text) {
  const MoveTextReading reading = ReadMoveText(start, text);
  if (!reading.status.ok()) {
    return "error: " + std::string(reading.status.message());
  }
  return WriteMoves(reading.start, reading.moves, Notation::kUci);
}

std::string Read(const std::string& fen, std::string_view text) {
  return Read(PositionOf(fen), text);
}

std::string Written(const std::string& fen, std::string_view squares, Notation notation) {
  return WriteMove(PositionOf(fen), MoveOf(squares), notation);
}

void PrintTo(const ReadingCase& reading, std::ostream* out) {
  *out << reading.text << " = " << reading.move;
}

}  // namespace chuhe
