// The alphabet of move text: one character of UTF-8 folded to what it means in a move.
//
// Simplified, traditional and variant characters, full-width and half-width forms, and upper and
// lower case fall together here, so that the readers behind it know one spelling only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace chuhe {

enum class GlyphKind : uint8_t {
  kEnd,        // behind the last character
  kInvalid,    // not UTF-8; `bytes` is 1
  kBlank,      // spaces of all widths, line ends, byte order mark
  kDigit,      // value 0–9; `han` for 一, 壹
  kLetter,     // value 'a'–'z'
  kPiece,      // Chinese piece character; value is a PieceType
  kWhich,      // 前 中 后; value is a Which
  kDirection,  // 进 退 平 上 下; value is a Direction
  kPlus,
  kMinus,
  kEquals,
  kDot,        // . and the raised dots; value 1, see kEllipsis
  kEllipsis,   // …, value 2, and a long dash, value 1: two together make an ellipsis
  kSeparator,  // comma, semicolon, colon, 、 and 。 between moves, ① ⑴ ⒈ in front of them
  kMark,       // ! and ? behind a move
  kDollar,     // $ of a PGN annotation number
  kSlash,
  kStar,
  kOpenBrace,
  kCloseBrace,
  kOpenParenthesis,
  kCloseParenthesis,
  kOther,  // anything else
};

// Which of several men on a file: the front one, the rear one, the one in the middle, the n-th
// from the front, or the outermost ones that WXF writes with two signs.
enum class Which : uint8_t { kNone, kFront, kMiddle, kRear, kOrdinal, kForemost, kRearmost };

enum class Direction : uint8_t { kForward, kBack, kSideways };

struct Glyph {
  GlyphKind kind = GlyphKind::kEnd;
  uint8_t value = 0;
  uint8_t bytes = 0;  // length in UTF-8
  bool han = false;   // a Chinese character
};

// The character that starts at `offset`.
Glyph GlyphAt(std::string_view text, size_t offset);

}  // namespace chuhe
