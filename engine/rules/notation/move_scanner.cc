#include "engine/rules/notation/move_scanner.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>

#include "engine/rules/notation/glyph.h"

namespace chuhe {
namespace {

bool IsAsciiDigit(const Glyph& glyph) { return glyph.kind == GlyphKind::kDigit && !glyph.han; }

// The length of the first pattern that the text at `offset` spells, full-width forms included; 0
// if it spells none.
size_t SpelledLength(std::string_view text, size_t offset,
                     std::initializer_list<std::string_view> patterns) {
  for (const std::string_view pattern : patterns) {
    size_t at = offset;
    bool same = true;
    for (size_t i = 0; i < pattern.size() && same; ++i) {
      const Glyph glyph = GlyphAt(text, at);
      const Glyph wanted = GlyphAt(pattern, i);
      same = glyph.kind == wanted.kind && glyph.value == wanted.value && !glyph.han;
      at += glyph.bytes;
    }
    if (same && !IsAsciiDigit(GlyphAt(text, at))) {
      return at - offset;
    }
  }
  return 0;
}

// Characters of the words that end a Chinese record: 红胜, 黑先负, 双方议和, 红方优势. A word has
// one of the first row in it.
constexpr std::string_view kVerdicts[] = {"胜", "勝", "负", "負", "和", "输",
                                          "輸", "优", "優", "势", "勢"};
constexpr std::string_view kVerdictWords[] = {"红", "紅", "黑", "双", "雙", "方", "先", "后",
                                              "後", "手", "必", "定", "大", "均", "棋", "局",
                                              "认", "認", "议", "議", "战", "戰", "弈", "成"};

bool IsAnyOf(std::span<const std::string_view> characters, std::string_view character) {
  return std::find(characters.begin(), characters.end(), character) != characters.end();
}

size_t ChineseResultLength(std::string_view text, size_t offset) {
  constexpr std::string_view kUnknown = "未知";
  if (text.substr(offset).starts_with(kUnknown)) {
    return kUnknown.size();
  }
  size_t at = offset;
  bool has_verdict = false;
  while (at < text.size()) {
    const std::string_view character = text.substr(at, GlyphAt(text, at).bytes);
    const bool is_verdict = IsAnyOf(kVerdicts, character);
    if (!is_verdict && !IsAnyOf(kVerdictWords, character)) {
      break;
    }
    has_verdict |= is_verdict;
    at += character.size();
  }
  return has_verdict ? at - offset : 0;
}

size_t ResultLength(std::string_view text, size_t offset) {
  if (const size_t length = SpelledLength(text, offset, {"1/2-1/2", "1-0", "0-1", "1/2", "*"})) {
    return length;
  }
  constexpr std::string_view kHalves = "½-½";
  if (text.substr(offset).starts_with(kHalves)) {
    return kHalves.size();
  }
  return ChineseResultLength(text, offset);
}

// Whether what looks like a unit of digits, `12.3` as index, file, dot and file, is the number of a
// move instead: another unit starts behind its dot.
bool IsNumberBeforeMove(std::string_view text, size_t offset) {
  const Glyph first = GlyphAt(text, offset);
  const Glyph second = GlyphAt(text, offset + first.bytes);
  const size_t dot_at = offset + first.bytes + second.bytes;
  const Glyph dot = GlyphAt(text, dot_at);
  if (!IsAsciiDigit(first) || !IsAsciiDigit(second) || dot.kind != GlyphKind::kDot) {
    return false;
  }
  const std::optional<SymbolsReading> next = ReadSymbols(text, dot_at + dot.bytes);
  return next && !next->symbols.ordinal_may_be_number;
}

std::optional<SymbolsReading> ReadUnit(std::string_view text, size_t offset) {
  const std::optional<SymbolsReading> reading = ReadSymbols(text, offset);
  if (reading && IsNumberBeforeMove(text, offset)) {
    return std::nullopt;
  }
  return reading;
}

}  // namespace

MoveToken MoveScanner::Next() {
  MoveToken token;
  if (!SkipGap(&token)) {
    return token;
  }
  token.begin = at_;
  if (!ReadMove(&token) && !ReadResult(&token)) {
    ReadUnreadable(&token);
  }
  token.end = at_;
  return token;
}

bool MoveScanner::SkipGap(MoveToken* token) {
  int dots = 0;
  for (;;) {
    const Glyph glyph = Here();
    switch (glyph.kind) {
      case GlyphKind::kEnd:
      case GlyphKind::kInvalid:
        token->kind =
            glyph.kind == GlyphKind::kEnd ? MoveTokenKind::kEnd : MoveTokenKind::kInvalidUtf8;
        token->begin = at_;
        token->end = at_ + glyph.bytes;
        return false;
      case GlyphKind::kBlank:
      case GlyphKind::kSeparator:
      case GlyphKind::kMark:
        at_ += glyph.bytes;
        break;
      case GlyphKind::kDot:
      case GlyphKind::kEllipsis:
        if (dots == 0) {
          token->ellipsis_begin = at_;
        }
        dots += glyph.value;
        token->has_ellipsis |= dots > 1;
        at_ += glyph.bytes;
        break;
      case GlyphKind::kOpenBrace:
      case GlyphKind::kOpenParenthesis:
        if (!SkipComment(glyph.kind, token)) {
          return false;
        }
        break;
      case GlyphKind::kDollar:
        at_ += glyph.bytes;
        while (IsAsciiDigit(Here())) {
          at_ += Here().bytes;
        }
        break;
      case GlyphKind::kDigit:
        if (glyph.han || ReadUnit(text_, at_) || ResultLength(text_, at_) != 0) {
          return true;
        }
        SkipNumber(token);
        break;
      default:
        return true;
    }
  }
}

// Parentheses nest, as variations do; braces do not, and hide parentheses.
bool MoveScanner::SkipComment(GlyphKind open, MoveToken* token) {
  const size_t begin = at_;
  int depth = 0;
  bool in_brace = false;
  do {
    const Glyph glyph = Here();
    switch (glyph.kind) {
      case GlyphKind::kEnd:
      case GlyphKind::kInvalid: {
        const bool is_end = glyph.kind == GlyphKind::kEnd;
        token->kind = is_end ? MoveTokenKind::kUnclosedComment : MoveTokenKind::kInvalidUtf8;
        token->begin = is_end ? begin : at_;
        token->end = at_ + glyph.bytes;
        return false;
      }
      case GlyphKind::kOpenBrace:
        in_brace = true;
        break;
      case GlyphKind::kCloseBrace:
        in_brace = false;
        break;
      case GlyphKind::kOpenParenthesis:
        depth += in_brace ? 0 : 1;
        break;
      case GlyphKind::kCloseParenthesis:
        depth -= in_brace ? 0 : 1;
        break;
      default:
        break;
    }
    at_ += glyph.bytes;
  } while (open == GlyphKind::kOpenBrace ? in_brace : depth > 0);
  return true;
}

void MoveScanner::SkipNumber(MoveToken* token) {
  while (IsAsciiDigit(Here())) {
    at_ += Here().bytes;
  }
  if (Here().kind == GlyphKind::kCloseParenthesis) {
    at_ += Here().bytes;
    return;
  }
  const size_t dots_begin = at_;
  int dots = 0;
  for (Glyph glyph = Here(); glyph.kind == GlyphKind::kDot; glyph = Here()) {
    ++dots;
    at_ += glyph.bytes;
  }
  token->has_blank_column = IsBlankColumn();
  // The first dot belongs to the number.
  if (dots > 1) {
    token->has_ellipsis = true;
    token->ellipsis_begin = dots_begin;
  }
}

// A wide run of blanks on the line, such as stands where Red's move would.
bool MoveScanner::IsBlankColumn() const {
  constexpr int kLeastColumns = 4;
  constexpr std::string_view kIdeographic = "\u3000";
  int columns = 0;
  for (size_t at = at_; GlyphAt(text_, at).kind == GlyphKind::kBlank;) {
    const std::string_view blank = text_.substr(at, GlyphAt(text_, at).bytes);
    if (blank == "\n" || blank == "\r") {
      break;
    }
    columns += blank == "\t" ? kLeastColumns : blank == kIdeographic ? 2 : 1;
    at += blank.size();
  }
  return columns >= kLeastColumns;
}

bool MoveScanner::ReadMove(MoveToken* token) {
  if (const std::optional<CoordinateReading> reading = ReadCoordinates(text_, at_)) {
    token->kind = MoveTokenKind::kCoordinates;
    token->coordinates = reading->move;
    at_ += reading->bytes;
    return true;
  }
  if (const std::optional<SymbolsReading> reading = ReadUnit(text_, at_)) {
    token->kind = MoveTokenKind::kSymbols;
    token->symbols = reading->symbols;
    token->number_bytes = reading->number_bytes;
    at_ += reading->bytes;
    return true;
  }
  return false;
}

bool MoveScanner::ReadResult(MoveToken* token) {
  const size_t length = ResultLength(text_, at_);
  if (length == 0) {
    return false;
  }
  token->kind = MoveTokenKind::kResult;
  at_ += length;
  return true;
}

// Up to the next blank, but not more than a message can show.
void MoveScanner::ReadUnreadable(MoveToken* token) {
  constexpr int kMostGlyphs = 12;
  token->kind = MoveTokenKind::kUnreadable;
  for (int i = 0; i < kMostGlyphs; ++i) {
    const Glyph glyph = Here();
    if (glyph.kind == GlyphKind::kBlank || glyph.kind == GlyphKind::kEnd ||
        glyph.kind == GlyphKind::kInvalid) {
      return;
    }
    at_ += glyph.bytes;
  }
}

}  // namespace chuhe
