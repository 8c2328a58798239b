#include "engine/rules/notation/glyph.h"

#include <algorithm>
#include <array>

#include "engine/board/types.h"

namespace chuhe {
namespace {

constexpr Glyph Make(GlyphKind kind, int value = 0, bool han = false) {
  return Glyph{.kind = kind, .value = static_cast<uint8_t>(value), .bytes = 0, .han = han};
}

constexpr Glyph FoldAscii(char32_t c) {
  if (c >= U'0' && c <= U'9') {
    return Make(GlyphKind::kDigit, static_cast<int>(c - U'0'));
  }
  if (c >= U'a' && c <= U'z') {
    return Make(GlyphKind::kLetter, static_cast<int>(c));
  }
  if (c >= U'A' && c <= U'Z') {
    return Make(GlyphKind::kLetter, static_cast<int>(c - U'A' + U'a'));
  }
  switch (c) {
    case U' ':
    case U'\t':
    case U'\n':
    case U'\v':
    case U'\f':
    case U'\r':
      return Make(GlyphKind::kBlank);
    case U'+':
      return Make(GlyphKind::kPlus);
    case U'-':
      return Make(GlyphKind::kMinus);
    case U'=':
      return Make(GlyphKind::kEquals);
    case U'.':
      return Make(GlyphKind::kDot, 1);
    case U',':
    case U';':
    case U':':
      return Make(GlyphKind::kSeparator);
    case U'!':
    case U'?':
      return Make(GlyphKind::kMark);
    case U'$':
      return Make(GlyphKind::kDollar);
    case U'/':
      return Make(GlyphKind::kSlash);
    case U'*':
      return Make(GlyphKind::kStar);
    case U'{':
      return Make(GlyphKind::kOpenBrace);
    case U'}':
      return Make(GlyphKind::kCloseBrace);
    case U'(':
      return Make(GlyphKind::kOpenParenthesis);
    case U')':
      return Make(GlyphKind::kCloseParenthesis);
    default:
      return Make(GlyphKind::kOther);
  }
}

constexpr std::array<Glyph, 128> kAscii = [] {
  std::array<Glyph, 128> table;
  for (char32_t c = 0; c < 128; ++c) {
    table[c] = FoldAscii(c);
    table[c].bytes = 1;
  }
  return table;
}();

// Characters that mean the same.
struct HanGroup {
  std::u32string_view characters;
  Glyph glyph;
};

constexpr Glyph Piece(PieceType type) { return Make(GlyphKind::kPiece, Index(type), true); }
constexpr Glyph Word(Which which) { return Make(GlyphKind::kWhich, static_cast<int>(which), true); }
constexpr Glyph Toward(Direction direction) {
  return Make(GlyphKind::kDirection, static_cast<int>(direction), true);
}
constexpr Glyph Numeral(int value) { return Make(GlyphKind::kDigit, value, true); }

constexpr HanGroup kHanGroups[] = {
    {U"帅帥将將", Piece(PieceType::kKing)},
    {U"仕士", Piece(PieceType::kAdvisor)},
    {U"相象", Piece(PieceType::kBishop)},
    {U"马馬傌㐷", Piece(PieceType::kKnight)},
    // The last one is 車 once more, for compatibility with old Korean sets.
    {U"车車俥伡硨砗\uf902", Piece(PieceType::kRook)},
    {U"炮砲包", Piece(PieceType::kCannon)},
    {U"兵卒", Piece(PieceType::kPawn)},
    {U"前", Word(Which::kFront)},
    {U"中", Word(Which::kMiddle)},
    {U"后後", Word(Which::kRear)},
    {U"进進上", Toward(Direction::kForward)},
    {U"退下", Toward(Direction::kBack)},
    {U"平", Toward(Direction::kSideways)},
    {U"一壹", Numeral(1)},
    {U"二贰貳", Numeral(2)},
    {U"三叁參参叄", Numeral(3)},
    {U"四肆", Numeral(4)},
    {U"五伍", Numeral(5)},
    {U"六陆陸", Numeral(6)},
    {U"七柒", Numeral(7)},
    {U"八捌", Numeral(8)},
    {U"九玖", Numeral(9)},
};

struct HanGlyph {
  char32_t character = 0;
  Glyph glyph;
};

constexpr size_t kHanCount = [] {
  size_t count = 0;
  for (const HanGroup& group : kHanGroups) {
    count += group.characters.size();
  }
  return count;
}();

// The groups as one list in the order of the characters.
constexpr std::array<HanGlyph, kHanCount> kHan = [] {
  std::array<HanGlyph, kHanCount> list;
  size_t size = 0;
  for (const HanGroup& group : kHanGroups) {
    for (const char32_t character : group.characters) {
      list[size++] = {character, group.glyph};
    }
  }
  std::sort(list.begin(), list.end(),
            [](const HanGlyph& a, const HanGlyph& b) { return a.character < b.character; });
  return list;
}();

Glyph FoldHan(char32_t c) {
  const auto found = std::lower_bound(
      kHan.begin(), kHan.end(), c,
      [](const HanGlyph& entry, char32_t character) { return entry.character < character; });
  return found != kHan.end() && found->character == c ? found->glyph : Make(GlyphKind::kOther);
}

Glyph FoldSign(char32_t c) {
  if (c >= 0x2000 && c <= 0x200b) {  // spaces of many widths, the zero-width one too
    return Make(GlyphKind::kBlank);
  }
  if (c >= 0x2460 && c <= 0x249b) {  // ① ⑴ ⒈: numbers of moves in one character
    return Make(GlyphKind::kSeparator);
  }
  switch (c) {
    case U'\u0085':
    case U'\u00a0':
    case U'\u2028':
    case U'\u2029':
    case U'\u202f':
    case U'\u205f':
    case U'\u3000':
    case U'\ufeff':
      return Make(GlyphKind::kBlank);
    case U'\u2010':  // hyphens, the en dash, the minus sign
    case U'\u2011':
    case U'\u2012':
    case U'\u2013':
    case U'\u2212':
      return Make(GlyphKind::kMinus);
    case U'·':
    case U'‧':
    case U'•':
    case U'・':
      return Make(GlyphKind::kDot, 1);
    case U'…':
    case U'⋯':
    case U'‥':
      return Make(GlyphKind::kEllipsis, 2);
    case U'—':
      return Make(GlyphKind::kEllipsis, 1);
    case U'、':
    case U'。':
      return Make(GlyphKind::kSeparator);
    default:
      return Make(GlyphKind::kOther);
  }
}

Glyph Fold(char32_t c) {
  if (c >= 0xff01 && c <= 0xff5e) {  // the full-width forms of ASCII, in its order
    return kAscii[c - 0xff01 + U'!'];
  }
  return c >= 0x3400 ? (c == 0xfeff ? FoldSign(c) : FoldHan(c)) : FoldSign(c);
}

// Decodes one code point of two to four bytes; 0 where the bytes are not UTF-8 (RFC 3629).
char32_t Decode(std::string_view text, uint8_t* bytes) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const unsigned length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) {
    return 0;
  }
  char32_t c = lead & (0x7f >> length);
  for (unsigned i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) {
      return 0;
    }
    c = c << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = c < (length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u);
  const bool surrogate = c >= 0xd800 && c <= 0xdfff;
  if (overlong || surrogate || c > 0x10ffff) {
    return 0;
  }
  *bytes = static_cast<uint8_t>(length);
  return c;
}

}  // namespace

Glyph GlyphAt(std::string_view text, size_t offset) {
  if (offset >= text.size()) {
    return Glyph{};
  }
  const auto lead = static_cast<unsigned char>(text[offset]);
  if (lead < 0x80) {
    return kAscii[lead];
  }
  Glyph glyph;
  uint8_t bytes = 0;
  const char32_t c = Decode(text.substr(offset), &bytes);
  if (c == 0) {
    glyph.kind = GlyphKind::kInvalid;
    glyph.bytes = 1;
    return glyph;
  }
  glyph = Fold(c);
  glyph.bytes = bytes;
  return glyph;
}

}  // namespace chuhe
