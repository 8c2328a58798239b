// Valid FENs with some bytes changed: the reader never crashes, and what it accepts it also writes
// and reads again.
#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/base/random.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "tests/engine/board/drawn_board.h"
#include "tests/reference/reference_board.h"

namespace chuhe {
namespace {

constexpr const char* kFens[] = {
    kStartFen,
    "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 31 17",
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 b -- 119 60",
    "1heakae2/9/9/4p4/9/9/9/9/9/1HEAKAE2 r 0 1",
    "3k5/9/9/9/3R5/9/9/9/9/4K4 b",
    "C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3",
};

// Bytes that mean something in a FEN, chosen more often than any byte.
constexpr std::string_view kMeaningful = "kabnrcpKABNRCPhemgHEMG123456789/0 -wb\t";

char AnyByte(Random* random) {
  if (random->Below(4) == 0) return static_cast<char>(random->Below(256));
  return kMeaningful[random->Below(kMeaningful.size())];
}

void Mutate(std::string* text, Random* random) {
  const size_t place = random->Below(text->size() + 1);
  switch (random->Below(8)) {
    case 0:
      text->insert(place, 1, AnyByte(random));
      break;
    case 1:
      text->erase(place, 1 + random->Below(3));
      break;
    case 2:
      // Two bytes change places, which often keeps a board well formed.
      if (!text->empty()) {
        std::swap((*text)[random->Below(text->size())], (*text)[random->Below(text->size())]);
      }
      break;
    case 3: {
      const size_t begin = random->Below(text->size() + 1);
      const size_t size = 1 + random->Below(12);
      text->insert(place, text->substr(begin, size));
      break;
    }
    default:
      if (place < text->size()) (*text)[place] = AnyByte(random);
      break;
  }
}

TEST(FenRandomTest, SurvivesMutatedText) {
  constexpr int kTexts = 200'000;
  Random random(20);
  int accepted = 0;
  for (int i = 0; i < kTexts; ++i) {
    std::string text = kFens[random.Below(std::size(kFens))];
    for (size_t changes = 1 + random.Below(3); changes > 0; --changes) Mutate(&text, &random);
    const absl::StatusOr<FenRecord> record = ParseFen(text);
    if (!record.ok()) {
      ASSERT_FALSE(record.status().message().empty()) << text;
      continue;
    }
    ++accepted;
    const std::string written = FormatFen(record->position, record->halfmove, record->fullmove);
    const absl::StatusOr<FenRecord> again = ParseFen(written);
    ASSERT_TRUE(again.ok()) << again.status() << "\nread: " << text << "\nwrote: " << written;
    ASSERT_TRUE(again->position == record->position) << text << "\nwrote: " << written;
    ASSERT_EQ(again->position.key(), record->position.key()) << text;
    ASSERT_EQ(record->position.key(), record->position.ComputeKey()) << text;
    ASSERT_EQ(again->halfmove, record->halfmove) << text;
    ASSERT_EQ(again->fullmove, record->fullmove) << text;
    const ReferenceBoard reference = ReferenceOf(record->position);
    ASSERT_EQ(written.substr(0, written.find(" -")), WriteReferenceFen(reference)) << text;
    ASSERT_FALSE(ReferenceKingAttacked(reference, !reference.red_to_move)) << text;
    if (accepted % 8 == 0) {
      ASSERT_EQ(CountLegal(record->position),
                static_cast<int>(ReferenceLegalMoves(reference).size()))
          << text;
    }
  }
  // Neither branch of the test may be empty.
  EXPECT_GT(accepted, kTexts / 50);
  EXPECT_LT(accepted, kTexts / 2);
}

}  // namespace
}  // namespace chuhe
