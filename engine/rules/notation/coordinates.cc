#include "engine/rules/notation/coordinates.h"

#include "engine/rules/notation/glyph.h"

namespace chuhe {
namespace {

void AppendSquare(Square square, char first_file, RankBase base, std::string* text) {
  const int rank = RankOf(square) + (base == RankBase::kOne ? 1 : 0);
  text->push_back(static_cast<char>(first_file + FileOf(square)));
  if (rank >= 10) {
    text->push_back('1');
  }
  text->push_back(static_cast<char>('0' + rank % 10));
}

// Reads a file letter and a rank from 0 to 10, and moves the offset behind them.
bool ReadSquare(std::string_view text, size_t* offset, uint8_t* file, uint8_t* rank) {
  const Glyph letter = GlyphAt(text, *offset);
  if (letter.kind != GlyphKind::kLetter || letter.value > 'i') {
    return false;
  }
  *offset += letter.bytes;
  const Glyph digit = GlyphAt(text, *offset);
  if (digit.kind != GlyphKind::kDigit || digit.han) {
    return false;
  }
  *offset += digit.bytes;
  *file = static_cast<uint8_t>(letter.value - 'a');
  *rank = digit.value;
  const Glyph zero = GlyphAt(text, *offset);
  if (digit.value == 1 && zero.kind == GlyphKind::kDigit && zero.value == 0) {
    *offset += zero.bytes;
    *rank = 10;
  }
  return true;
}

std::optional<Square> ToSquare(int file, int rank, RankBase base) {
  rank -= base == RankBase::kOne ? 1 : 0;
  if (rank < 0 || rank >= kRanks) {
    return std::nullopt;
  }
  return MakeSquare(file, rank);
}

}  // namespace

void AppendUci(Move move, RankBase base, std::string* text) {
  AppendSquare(move.from(), 'a', base, text);
  AppendSquare(move.to(), 'a', base, text);
}

void AppendIccs(Move move, std::string* text) {
  AppendSquare(move.from(), 'A', RankBase::kZero, text);
  text->push_back('-');
  AppendSquare(move.to(), 'A', RankBase::kZero, text);
}

std::string FormatUci(Move move, RankBase base) {
  std::string text;
  AppendUci(move, base, &text);
  return text;
}

std::string FormatIccs(Move move) {
  std::string text;
  AppendIccs(move, &text);
  return text;
}

std::optional<Move> CoordinateMove::ToMove(RankBase base) const {
  const RankBase used = dashed ? RankBase::kZero : base;
  const std::optional<Square> from = ToSquare(from_file, from_rank, used);
  const std::optional<Square> to = ToSquare(to_file, to_rank, used);
  if (!from || !to) {
    return std::nullopt;
  }
  return Move(*from, *to);
}

std::optional<CoordinateReading> ReadCoordinates(std::string_view text, size_t offset) {
  CoordinateReading reading;
  CoordinateMove& move = reading.move;
  size_t at = offset;
  if (!ReadSquare(text, &at, &move.from_file, &move.from_rank)) {
    return std::nullopt;
  }
  const Glyph dash = GlyphAt(text, at);
  if (dash.kind == GlyphKind::kMinus) {
    move.dashed = true;
    at += dash.bytes;
  }
  if (!ReadSquare(text, &at, &move.to_file, &move.to_rank)) {
    return std::nullopt;
  }
  reading.bytes = at - offset;
  return reading;
}

std::optional<Move> ParseUci(std::string_view text, RankBase base) {
  const std::optional<CoordinateReading> reading = ReadCoordinates(text, 0);
  if (!reading || reading->bytes != text.size()) {
    return std::nullopt;
  }
  return reading->move.ToMove(base);
}

}  // namespace chuhe
