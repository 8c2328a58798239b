#include "engine/rules/notation/symbols.h"

#include "engine/board/names.h"

namespace chuhe {
namespace {

constexpr int kMostGlyphs = 5;

std::optional<PieceType> PieceOf(const Glyph& glyph) {
  if (glyph.kind == GlyphKind::kPiece) {
    return static_cast<PieceType>(glyph.value);
  }
  if (glyph.kind != GlyphKind::kLetter) {
    return std::nullopt;
  }
  return PieceTypeOfLetter(static_cast<char>(glyph.value));
}

std::optional<Direction> DirectionOf(const Glyph& glyph) {
  switch (glyph.kind) {
    case GlyphKind::kDirection:
      return static_cast<Direction>(glyph.value);
    case GlyphKind::kPlus:
      return Direction::kForward;
    case GlyphKind::kMinus:
      return Direction::kBack;
    case GlyphKind::kEquals:
    case GlyphKind::kDot:
      return Direction::kSideways;
    default:
      return std::nullopt;
  }
}

std::optional<Which> WhichOf(const Glyph& glyph) {
  switch (glyph.kind) {
    case GlyphKind::kWhich:
      return static_cast<Which>(glyph.value);
    case GlyphKind::kPlus:
      return Which::kFront;
    case GlyphKind::kMinus:
      return Which::kRear;
    case GlyphKind::kEquals:
    case GlyphKind::kDot:
      return Which::kMiddle;
    default:
      return std::nullopt;
  }
}

// A file, distance or ordinal; 0 where the character is none.
uint8_t NumberOf(const Glyph& glyph) {
  return glyph.kind == GlyphKind::kDigit ? glyph.value : uint8_t{0};
}

bool IsFile(const Glyph& glyph) { return NumberOf(glyph) != 0; }

// `Pa` to `Pe`, and 一兵 to 五兵.
uint8_t OrdinalLetter(const Glyph& glyph) {
  const bool is_ordinal =
      glyph.kind == GlyphKind::kLetter && glyph.value >= 'a' && glyph.value <= 'e';
  return is_ordinal ? static_cast<uint8_t>(glyph.value - 'a' + 1) : uint8_t{0};
}

std::optional<ManName> ReadPieceFirst(PieceType type, const Glyph& second) {
  ManName name{.type = type, .has_piece = true};
  if (IsFile(second)) {
    name.file = second.value;
  } else if (const std::optional<Which> which = WhichOf(second)) {
    name.which = *which;
  } else if (type == PieceType::kPawn && OrdinalLetter(second) != 0) {
    name.which = Which::kOrdinal;
    name.ordinal = OrdinalLetter(second);
  } else {
    return std::nullopt;
  }
  return name;
}

std::optional<ManName> ReadWhichFirst(Which which, const Glyph& first, const Glyph& second) {
  ManName name{.which = which};
  if (first.kind == GlyphKind::kDot) {
    return std::nullopt;  // the end of a sentence or of a move's number
  }
  if (const std::optional<PieceType> type = PieceOf(second)) {
    name.type = *type;
    name.has_piece = true;
  } else if (IsFile(second)) {
    name.file = second.value;
  } else if (first.kind == GlyphKind::kPlus && second.kind == first.kind) {
    name.which = Which::kForemost;
  } else if (first.kind == GlyphKind::kMinus && second.kind == first.kind) {
    name.which = Which::kRearmost;
  } else {
    return std::nullopt;
  }
  return name;
}

std::optional<ManName> ReadDigitFirst(uint8_t digit, const Glyph& second) {
  if (const std::optional<PieceType> type = PieceOf(second)) {
    if (digit > UnitCount(PieceType::kPawn)) {
      return std::nullopt;
    }
    return ManName{.type = *type, .has_piece = true, .which = Which::kOrdinal, .ordinal = digit};
  }
  if (second.kind == GlyphKind::kDot) {
    return std::nullopt;  // the digit is the number of the move
  }
  if (const std::optional<Which> which = WhichOf(second)) {
    return ManName{.which = *which, .file = digit};
  }
  if (IsFile(second)) {
    return ManName{.which = Which::kOrdinal, .ordinal = digit, .file = second.value};
  }
  return std::nullopt;
}

// Two characters: piece and file, piece and which-word in either order, which-word and file in
// either order, two signs, an ordinal in front of a piece or a file.
std::optional<ManName> ReadPair(const Glyph& first, const Glyph& second) {
  if (const std::optional<PieceType> type = PieceOf(first)) {
    return ReadPieceFirst(*type, second);
  }
  if (const std::optional<Which> which = WhichOf(first)) {
    return ReadWhichFirst(*which, first, second);
  }
  if (IsFile(first)) {
    return ReadDigitFirst(first.value, second);
  }
  return std::nullopt;
}

// Three characters: which-word or ordinal, piece, file (前兵九, 二兵7), and piece, which-word,
// file.
std::optional<ManName> ReadTriple(const Glyph& first, const Glyph& second, const Glyph& third) {
  if (!IsFile(third)) {
    return std::nullopt;
  }
  std::optional<ManName> name = ReadPair(first, second);
  if (!name || name->file != 0 || !name->has_piece) {
    return std::nullopt;
  }
  name->file = third.value;
  return name;
}

}  // namespace

std::optional<SymbolsReading> ReadSymbols(std::string_view text, size_t offset) {
  Glyph glyphs[kMostGlyphs];
  size_t end = offset;
  bool han = false;
  const auto take = [&](int i) {
    glyphs[i] = GlyphAt(text, end);
    end += glyphs[i].bytes;
    han |= glyphs[i].han;
  };
  for (int i = 0; i < 4; ++i) {
    take(i);
  }
  SymbolsReading reading;
  std::optional<ManName> name;
  int sign = 2;
  if (DirectionOf(glyphs[2]) && IsFile(glyphs[3])) {
    name = ReadPair(glyphs[0], glyphs[1]);
  }
  if (!name && DirectionOf(glyphs[3])) {
    sign = 3;
    take(4);
    if (IsFile(glyphs[4])) {
      name = ReadTriple(glyphs[0], glyphs[1], glyphs[2]);
    }
  }
  if (!name) {
    return std::nullopt;
  }
  reading.symbols.style = han ? SymbolStyle::kChinese : SymbolStyle::kWxf;
  reading.symbols.name = *name;
  reading.symbols.motion = {.direction = *DirectionOf(glyphs[sign]),
                            .number = glyphs[sign + 1].value};
  reading.bytes = end - offset;
  if (sign == 3 && glyphs[0].kind == GlyphKind::kDigit && !glyphs[0].han) {
    reading.symbols.ordinal_may_be_number = true;
    reading.number_bytes = glyphs[0].bytes;
  }
  return reading;
}

}  // namespace chuhe
