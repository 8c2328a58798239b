#include "engine/rules/notation/move_error.h"

#include "engine/board/attacks.h"
#include "engine/board/movegen.h"
#include "engine/board/names.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/rules/notation/glyph.h"
#include "engine/rules/notation/notation.h"

namespace chuhe {
namespace {

// Adds that the game was over before the move, if it was.
std::string WithEndOfGame(const Position& position, const std::string& reason) {
  if (HasLegalMove(position)) {
    return reason;
  }
  return reason + "; " + NameOf(position.side_to_move()) +
         (InCheck(position) ? " is mated" : " is stalemated") + ", the game is over";
}

// What is wrong with a man going to a point; the man is of the side to move.
std::string WhyNot(const Position& position, MoveFault fault, Move move) {
  const Unit unit = position.unit_at(move.from());
  const std::string man = "the " + NameOf(TypeOf(unit)) + " on " + SquareName(move.from());
  const std::string to = SquareName(move.to());
  if (fault == MoveFault::kLeavesKing) {
    return InCheck(position) ? NameOf(position.side_to_move()) + "'s king stays attacked"
                             : "it leaves " + NameOf(position.side_to_move()) + "'s king attacked";
  }
  if (fault == MoveFault::kBlocked) {
    const Unit taken = position.unit_at(move.to());
    const bool is_own = taken != kNoUnit && ColorOf(taken) == ColorOf(unit);
    return is_own ? man + " cannot take its own " + NameOf(TypeOf(taken)) + " on " + to
                  : man + " cannot get to " + to + " as the other men stand";
  }
  return "a " + NameOf(TypeOf(unit)) + " does not move from " + SquareName(move.from()) + " to " +
         to;
}

std::string NoSuchMan(const Position& position, const ManName& name) {
  const Color side = position.side_to_move();
  const std::string type = NameOf(name.type);
  if (position.count(side, name.type) == 0) {
    return NameOf(side) + " has no " + type;
  }
  const std::string file = name.file != 0 ? " on file " + std::to_string(name.file) : std::string();
  if (name.which == Which::kNone) {
    return NameOf(side) + " has no " + type + file;
  }
  return NameOf(side) + " has no such " + type + file +
         " (the name is for one of several on a file)";
}

std::string Candidates(const Position& position, SymbolStyle style, const SymbolsMatch& match) {
  const Notation notation = style == SymbolStyle::kWxf ? Notation::kWxf : Notation::kChinese;
  std::string text = "it could be ";
  for (int i = 0; i < match.candidate_count; ++i) {
    const Move move = match.candidates[i];
    text += i == 0 ? "" : i + 1 < match.candidate_count ? ", " : " or ";
    text += WriteMove(position, move, notation) + " (" + FormatUci(move) + ")";
  }
  return text;
}

}  // namespace

std::string PlaceInText(std::string_view text, size_t offset) {
  int line = 1;
  int column = 1;
  size_t at = 0;
  // A byte order mark takes no column.
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) {
    at = kByteOrderMark.size();
  }
  while (at < offset && at < text.size()) {
    if (text[at] == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
    at += GlyphAt(text, at).bytes;
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

std::string QuotedText(std::string_view text) {
  constexpr size_t kMostGlyphs = 24;
  constexpr char kHex[] = "0123456789abcdef";
  std::string quoted = "\"";
  size_t at = 0;
  for (size_t glyphs = 0; at < text.size(); ++glyphs) {
    if (glyphs == kMostGlyphs) {
      quoted += "…";
      break;
    }
    const Glyph glyph = GlyphAt(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (glyph.kind == GlyphKind::kInvalid || byte < 0x20 || byte == 0x7f) {
      quoted += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      quoted += text.substr(at, glyph.bytes);
    }
    at += glyph.bytes;
  }
  return quoted + "\"";
}

std::string WhyIllegal(const Position& position, Move move) {
  const Unit unit = position.unit_at(move.from());
  if (unit == kNoUnit) {
    return WithEndOfGame(position, "no man on " + SquareName(move.from()));
  }
  if (ColorOf(unit) != position.side_to_move()) {
    return WithEndOfGame(position, NameOf(position.side_to_move()) + " is to move, and the " +
                                       NameOf(TypeOf(unit)) + " on " + SquareName(move.from()) +
                                       " is " + NameOf(ColorOf(unit)) + "'s");
  }
  return WithEndOfGame(position, WhyNot(position, FaultOf(position, move), move));
}

std::string WhyIllegal(const Position& position, const MoveSymbols& symbols,
                       const SymbolsMatch& match) {
  if (match.fault == MoveFault::kAmbiguous) {
    return Candidates(position, symbols.style, match);
  }
  if (match.fault == MoveFault::kNoSuchMan) {
    return WithEndOfGame(position, NoSuchMan(position, symbols.name));
  }
  if (match.move.to() >= kSquares) {
    return WithEndOfGame(
        position, "such a move of a " + NameOf(symbols.name.type) + " does not exist from there");
  }
  return WithEndOfGame(position, WhyNot(position, match.fault, match.move));
}

}  // namespace chuhe
