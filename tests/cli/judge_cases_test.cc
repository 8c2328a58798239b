#include "cli/judge_cases.h"

#include <fstream>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

struct TableResult {
  CaseTotals totals;
  std::string output;
  std::string error;
};

TableResult JudgeText(const std::string& table) {
  std::istringstream in(table);
  std::ostringstream out;
  TableResult result;
  const auto totals = JudgeCases(in, "table.tsv", out);
  if (totals.ok()) result.totals = *totals;
  result.error = std::string(totals.status().message());
  result.output = out.str();
  return result;
}

void ExpectAllPass(const std::string& path, int at_least) {
  std::ifstream in(path);
  ASSERT_TRUE(in) << path;
  std::ostringstream out;
  const auto totals = JudgeCases(in, path, out);
  ASSERT_TRUE(totals.ok()) << totals.status();
  EXPECT_EQ(totals->failed, 0) << out.str();
  EXPECT_GE(totals->passed, at_least) << out.str();
}

TEST(JudgeCasesTest, KnownVerdictsOfTheRuleBooks) {
  ExpectAllPass(CHUHE_TEST_DATA "/rule_cases.tsv", 100);
}

TEST(JudgeCasesTest, RepetitionsOfOurOwn) { ExpectAllPass(CHUHE_TEST_DATA "/repetition.tsv", 100); }

constexpr char kHeader[] = "id\truleset\tfen\tmoves\texpected\tstatus\n";
constexpr char kCheckRow[] =
    "computer\t4k4/9/5R3/9/9/4P4/9/9/9/3K5 w - - 0 1\tf7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9\t";

TEST(JudgeCasesTest, CountsVerifiedRowsAndPrintsEveryMiss) {
  const TableResult result =
      JudgeText(std::string(kHeader) + "A\t" + kCheckRow + "red loses\tverified\nB\t" + kCheckRow +
                "draw\tverified\nC\t" + kCheckRow + "draw\tunverified\n");
  EXPECT_EQ(result.totals.passed, 1);
  EXPECT_EQ(result.totals.failed, 1);
  EXPECT_EQ(result.totals.unverified_differ, 1);
  EXPECT_THAT(result.output, HasSubstr("miss B (computer): expected draw, got red loses: "));
  EXPECT_THAT(result.output, HasSubstr("unverified miss C"));
  EXPECT_THAT(result.output, EndsWith("1 passed, 1 failed, 0 skipped\n"));
}

TEST(JudgeCasesTest, FindsColumnsByNameAndCountsAllRowsWithoutAStatus) {
  const TableResult result = JudgeText(
      "expected\tmoves\tnote\tfen\truleset\tid\r\n"
      "perft 2=1920\t\t\trnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR\tmoves\tP\r\n"
      "legal-moves=44\t\t\t\tMoves\tL\r\n"
      "black loses\t\t\t3k5/9/9/9/3R5/9/9/9/9/4K4 b\tMOVES\tT\r\n");
  EXPECT_EQ(result.totals.passed, 3) << result.output;
}

TEST(JudgeCasesTest, SkipsWhatItCannotAsk) {
  const TableResult result = JudgeText(std::string(kHeader) +
                                       "A\tcomputer\t\t\tsearch-sanity\tverified\n"
                                       "B\ttiantian\t\t\tdraw\tverified\n");
  EXPECT_EQ(result.totals.skipped, 2);
  EXPECT_THAT(result.output, EndsWith("0 passed, 0 failed, 2 skipped\n"));
}

TEST(JudgeCasesTest, ABadGameIsAMissWithItsReason) {
  const TableResult result = JudgeText(std::string(kHeader) +
                                       "A\tcomputer\t4k4/9\t\tdraw\tverified\n"
                                       "B\tcomputer\t\th2h8\tdraw\tverified\n");
  EXPECT_EQ(result.totals.failed, 2);
  EXPECT_THAT(result.output, HasSubstr("miss A (computer): expected draw, got error: FEN board: 2 "
                                       "rows"));
  EXPECT_THAT(result.output, HasSubstr("miss B (computer): expected draw, got error: "));
}

TEST(JudgeCasesTest, AMalformedTableIsAnErrorWithItsLine) {
  EXPECT_THAT(JudgeText("").error, HasSubstr("table.tsv: no header line"));
  EXPECT_THAT(JudgeText("id\tfen\n").error, HasSubstr("table.tsv:1: the header has no column"));
  EXPECT_THAT(JudgeText(std::string(kHeader) + "A\tcomputer\n").error,
              HasSubstr("table.tsv:2: only 2 columns"));
}

}  // namespace
}  // namespace chuhe
