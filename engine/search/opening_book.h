// Opening books in the format BOOK.DAT of xqbase, as XQWizard and ElephantEye use it.
//
// Records of 8 bytes, little-endian: 32-bit key, 16-bit move, 16-bit weight, in rising order of
// keys. Squares are numbered (row from Black's home + 3) · 16 + file + 3, a move is
// from + 256 · to. A position stands there as it is or as its mirror image.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/position.h"
#include "engine/board/types.h"

namespace chuhe {

struct BookMove {
  Move move;
  int weight = 0;
};

// Immutable.
class OpeningBook {
 public:
  // Errors name the file and what is wrong with it.
  static absl::StatusOr<OpeningBook> Read(const std::string& path);
  // The same from bytes; `name` stands in errors for the file.
  static absl::StatusOr<OpeningBook> Parse(absl::string_view bytes, absl::string_view name);

  // The legal moves that the book knows here, heaviest first; equal ones in the order of the file.
  std::vector<BookMove> MovesOf(const Position& position) const;

  size_t size() const { return records_.size(); }

 private:
  struct Record {
    uint32_t key = 0;
    uint16_t move = 0;
    uint16_t weight = 0;
  };

  explicit OpeningBook(std::vector<Record> records) : records_(std::move(records)) {}
  void AddMoves(const Position& position, bool mirrored, std::vector<BookMove>* moves) const;

  std::vector<Record> records_;
};

// The book's key of a position, or of its mirror image.
uint32_t BookKey(const Position& position, bool mirrored);

}  // namespace chuhe
