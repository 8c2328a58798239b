// Cuts running text into moves: skips move numbers, blanks, comments and annotation marks, notes
// `…………` (the other side's move is elsewhere) and results.
//
// Knows no position. It takes units of four or five characters first and looks for numbers only
// then, since classic tutorials run them together: `炮2平32.炮八平五` is 炮2平3, number 2,
// 炮八平五.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/rules/notation/coordinates.h"
#include "engine/rules/notation/symbols.h"

namespace chuhe {

enum class MoveTokenKind : uint8_t {
  kEnd,
  kSymbols,      // WXF or Chinese
  kCoordinates,  // ICCS or UCI
  kResult,       // 1-0, 红胜, *
  kUnreadable,
  kUnclosedComment,
  kInvalidUtf8,
};

struct MoveToken {
  MoveTokenKind kind = MoveTokenKind::kEnd;
  size_t begin = 0;  // bytes
  size_t end = 0;
  MoveSymbols symbols;
  size_t number_bytes = 0;  // with symbols.ordinal_may_be_number: what the number would take up
  CoordinateMove coordinates;
  // Where dots in front of the token said that the other side's move is elsewhere.
  bool has_ellipsis = false;
  size_t ellipsis_begin = 0;
  // Behind the move's number the column of Red's move was left blank, or the number just stands far
  // from the move.
  bool has_blank_column = false;
};

// Owned by one thread. The text must outlive it.
class MoveScanner {
 public:
  explicit MoveScanner(std::string_view text) : text_(text) {}

  // The next token. Behind a kind that is no move (end, unreadable, …) there is no next one; behind
  // a result there is.
  MoveToken Next();

 private:
  // Skips what stands between moves. False where the text ends or cannot be skipped: `token` then
  // says which.
  bool SkipGap(MoveToken* token);
  bool SkipComment(GlyphKind open, MoveToken* token);
  void SkipNumber(MoveToken* token);
  bool IsBlankColumn() const;
  // These move on behind what they read.
  bool ReadMove(MoveToken* token);
  bool ReadResult(MoveToken* token);
  void ReadUnreadable(MoveToken* token);

  Glyph Here() const { return GlyphAt(text_, at_); }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace chuhe
