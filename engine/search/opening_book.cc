#include "engine/search/opening_book.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/input_file.h"
#include "engine/base/status_macros.h"
#include "engine/board/movegen.h"

namespace chuhe {
namespace {

constexpr size_t kRecordBytes = 8;
constexpr int kMargin = 3;

// The format's numbers for men on squares: the third of each three words of an RC4 stream whose key
// is four zero bytes.
struct BookKeys {
  uint32_t black_to_move = 0;
  std::array<std::array<uint32_t, 256>, 2 * kPieceTypes> men{};

  BookKeys() {
    std::array<uint8_t, 256> state;
    std::iota(state.begin(), state.end(), uint8_t{0});
    uint8_t j = 0;
    for (int i = 0; i < 256; ++i) {
      j = static_cast<uint8_t>(j + state[i]);
      std::swap(state[i], state[j]);
    }
    uint8_t i = 0;
    j = 0;
    const auto next_word = [&] {
      uint32_t word = 0;
      for (int byte = 0; byte < 4; ++byte) {
        j = static_cast<uint8_t>(j + state[++i]);
        std::swap(state[i], state[j]);
        word |= uint32_t{state[static_cast<uint8_t>(state[i] + state[j])]} << (8 * byte);
      }
      return word;
    };
    const auto third_word = [&] {
      next_word();
      next_word();
      return next_word();
    };
    black_to_move = third_word();
    for (auto& squares : men) {
      for (uint32_t& key : squares) key = third_word();
    }
  }
};

int BookSquare(Square square) {
  return (kRanks - 1 - RankOf(square) + kMargin) * 16 + FileOf(square) + kMargin;
}

std::optional<Square> FromBookSquare(int number) {
  const int file = number % 16 - kMargin;
  const int rank = kRanks - 1 - (number / 16 - kMargin);
  if (file < 0 || file >= kFiles || rank < 0 || rank >= kRanks) return std::nullopt;
  return MakeSquare(file, rank);
}

}  // namespace

uint32_t BookKey(const Position& position, bool mirrored) {
  static const BookKeys kKeys;
  uint32_t key = position.side_to_move() == Color::kBlack ? kKeys.black_to_move : 0;
  for (int unit = 0; unit < kUnits; ++unit) {
    const Square square = position.square_of(static_cast<Unit>(unit));
    if (square == kNoSquare) continue;
    const int kind = Index(ColorOf(static_cast<Unit>(unit))) * kPieceTypes +
                     Index(TypeOf(static_cast<Unit>(unit)));
    key ^= kKeys.men[kind][BookSquare(mirrored ? Mirrored(square) : square)];
  }
  return key;
}

absl::StatusOr<OpeningBook> OpeningBook::Read(const std::string& path) {
  CHUHE_ASSIGN_OR_RETURN(const std::string bytes, ReadInputFile(path));
  return Parse(bytes, path);
}

absl::StatusOr<OpeningBook> OpeningBook::Parse(absl::string_view bytes, absl::string_view name) {
  if (bytes.empty() || bytes.size() % kRecordBytes != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, ": ", bytes.size(), " bytes are no opening book; expected records of 8 bytes"));
  }
  std::vector<Record> records(bytes.size() / kRecordBytes);
  for (size_t i = 0; i < records.size(); ++i) {
    const auto byte = [&](size_t place) {
      return static_cast<uint32_t>(static_cast<unsigned char>(bytes[kRecordBytes * i + place]));
    };
    records[i].key = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
    records[i].move = static_cast<uint16_t>(byte(4) | byte(5) << 8);
    records[i].weight = static_cast<uint16_t>(byte(6) | byte(7) << 8);
    if (i > 0 && records[i].key < records[i - 1].key) {
      return absl::InvalidArgumentError(absl::StrCat(name, ": record ", i + 1,
                                                     " is out of order; expected rising keys, as in"
                                                     " BOOK.DAT"));
    }
  }
  return OpeningBook(std::move(records));
}

void OpeningBook::AddMoves(const Position& position, bool mirrored,
                           std::vector<BookMove>* moves) const {
  const uint32_t key = BookKey(position, mirrored);
  const auto is_before = [](const Record& record, uint32_t wanted) { return record.key < wanted; };
  auto record = std::lower_bound(records_.begin(), records_.end(), key, is_before);
  for (; record != records_.end() && record->key == key; ++record) {
    const std::optional<Square> from = FromBookSquare(record->move & 255);
    const std::optional<Square> to = FromBookSquare(record->move >> 8);
    if (!from || !to) continue;
    const Move move = mirrored ? Move(Mirrored(*from), Mirrored(*to)) : Move(*from, *to);
    const auto is_same = [move](const BookMove& known) { return known.move == move; };
    if (!IsLegal(position, move) || std::any_of(moves->begin(), moves->end(), is_same)) continue;
    moves->push_back({move, record->weight});
  }
}

std::vector<BookMove> OpeningBook::MovesOf(const Position& position) const {
  std::vector<BookMove> moves;
  AddMoves(position, /*mirrored=*/false, &moves);
  AddMoves(position, /*mirrored=*/true, &moves);
  std::stable_sort(moves.begin(), moves.end(),
                   [](const BookMove& a, const BookMove& b) { return a.weight > b.weight; });
  return moves;
}

}  // namespace chuhe
