#include "selfplay/records/text_encoding.h"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <string_view>

#include "engine/rules/notation/glyph.h"
#include "engine/rules/notation/symbols.h"

namespace chuhe {
namespace {

constexpr absl::string_view kReplacement = "\xef\xbf\xbd";
// What is looked at to tell encodings apart; a cut character at its end does not matter.
constexpr size_t kProbeBytes = 65536;

std::string Converted(absl::string_view bytes, const char* encoding) {
  const iconv_t converter = iconv_open("UTF-8", encoding);
  if (converter == reinterpret_cast<iconv_t>(-1)) return {};
  std::string text;
  std::string input(bytes);
  char* from = input.data();
  size_t left = input.size();
  char buffer[4096];
  while (left > 0) {
    char* to = buffer;
    size_t room = sizeof(buffer);
    const size_t result = iconv(converter, &from, &left, &to, &room);
    const int error = errno;
    text.append(buffer, sizeof(buffer) - room);
    if (result != static_cast<size_t>(-1) || error == E2BIG) continue;
    text.append(kReplacement.data(), kReplacement.size());
    ++from;
    --left;
  }
  iconv_close(converter);
  return text;
}

bool IsUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Glyph glyph = GlyphAt(text, at);
    if (glyph.kind == GlyphKind::kInvalid) return false;
    at += glyph.bytes;
  }
  return true;
}

int CountChineseMoves(std::string_view text) {
  int moves = 0;
  for (size_t at = 0; at < text.size();) {
    const std::optional<SymbolsReading> reading = ReadSymbols(text, at);
    const bool is_move = reading && reading->symbols.style == SymbolStyle::kChinese;
    moves += is_move ? 1 : 0;
    at += is_move ? reading->bytes : std::max<size_t>(GlyphAt(text, at).bytes, 1);
  }
  return moves;
}

}  // namespace

std::string ToUtf8(absl::string_view bytes) {
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") return std::string(bytes.substr(3));
  if (bytes.substr(0, 2) == "\xff\xfe") return Converted(bytes.substr(2), "UTF-16LE");
  if (bytes.substr(0, 2) == "\xfe\xff") return Converted(bytes.substr(2), "UTF-16BE");
  if (IsUtf8({bytes.data(), bytes.size()})) return std::string(bytes);
  const absl::string_view probe = bytes.substr(0, kProbeBytes);
  // The form of Big5 that Windows writes, where the C library has it.
  const char* const big5 = Converted("a", "CP950").empty() ? "BIG5" : "CP950";
  const int gb_moves = CountChineseMoves(Converted(probe, "GB18030"));
  const int big5_moves = CountChineseMoves(Converted(probe, big5));
  return Converted(bytes, big5_moves > gb_moves ? big5 : "GB18030");
}

}  // namespace chuhe
