// Counts of tests/data/perft.tsv, bulk and leaf by leaf. Built twice: the small counts run by
// default, the large ones (CHUHE_LARGE_COUNTS) with the label `slow`.
#include "engine/board/perft.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"

namespace chuhe {
namespace {

constexpr uint64_t kLargestSmallCount = 100'000;
#ifdef CHUHE_LARGE_COUNTS
constexpr bool kLarge = true;
#else
constexpr bool kLarge = false;
#endif

struct PerftCase {
  std::string fen;
  int depth = 0;
  uint64_t count = 0;
};

void PrintTo(const PerftCase& row, std::ostream* out) {
  *out << "depth " << row.depth << " of " << row.fen;
}

std::vector<PerftCase> ReadCases() {
  std::ifstream file(CHUHE_TEST_DATA "/perft.tsv");
  std::vector<PerftCase> cases;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    PerftCase row;
    if (!std::getline(fields, row.fen, '\t') || !(fields >> row.depth >> row.count)) continue;
    if ((row.count > kLargestSmallCount) == kLarge) cases.push_back(row);
  }
  return cases;
}

class PerftTest : public testing::TestWithParam<PerftCase> {
 protected:
  void ExpectCount(bool bulk) {
    const absl::StatusOr<FenRecord> record = ParseFen(GetParam().fen);
    ASSERT_TRUE(record.ok()) << record.status() << GetParam().fen;
    Position position = record->position;
    EXPECT_EQ(Perft(position, GetParam().depth, bulk), GetParam().count)
        << "depth " << GetParam().depth << " of " << GetParam().fen;
    EXPECT_TRUE(position == record->position) << "not restored: " << GetParam().fen;
    EXPECT_EQ(position.key(), record->position.key());
  }
};

TEST_P(PerftTest, CountsInBulk) { ExpectCount(/*bulk=*/true); }
TEST_P(PerftTest, CountsLeafByLeaf) { ExpectCount(/*bulk=*/false); }

std::string NameOf(const testing::TestParamInfo<PerftCase>& info) {
  return std::to_string(info.index) + "Depth" + std::to_string(info.param.depth) + "Count" +
         std::to_string(info.param.count);
}

#ifdef CHUHE_LARGE_COUNTS
INSTANTIATE_TEST_SUITE_P(Large, PerftTest, testing::ValuesIn(ReadCases()), NameOf);
#else
INSTANTIATE_TEST_SUITE_P(Small, PerftTest, testing::ValuesIn(ReadCases()), NameOf);

TEST(PerftDepthTest, DepthZeroIsTheLeafItself) {
  Position position = Position::Start();
  EXPECT_EQ(Perft(position, 0, /*bulk=*/true), 1u);
  EXPECT_EQ(Perft(position, 0, /*bulk=*/false), 1u);
}

TEST(PerftDataTest, HoldsTheSmallCounts) { EXPECT_EQ(ReadCases().size(), 29u); }
#endif

}  // namespace
}  // namespace chuhe
