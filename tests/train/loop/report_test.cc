#include "train/loop/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "train/loop/svg_chart.h"

namespace chuhe {
namespace {

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Generation Made(int number) {
  Generation generation;
  generation.number = number;
  generation.sha256 = std::string(64, 'c');
  generation.ladder = {{GenerationName(number), "alphabeta:1", 3, 1, 0},
                       {"alphabeta:1", GenerationName(number), 2, 1, 1}};
  if (number == 0) return generation;
  generation.play = {10, 0, 4, 5, 1, 90, 80, {{"checkmate", 5}, {"ply-cap", 5}}, 0, 0};
  generation.losses = {{100 * number, 5, 1, 6}};
  return generation;
}

TEST(RunReportTest, ShowsChartsAndATableRowForEachGeneration) {
  const std::vector<Generation> generations = {Made(0), Made(1), Made(2)};
  const auto ratings = RateRun(generations);
  ASSERT_TRUE(ratings.ok()) << ratings.status();
  const std::string html = RunReportHtml("runs/one", generations, *ratings, {"too many draws"});
  EXPECT_EQ(Count(html, "<svg "), 6);
  EXPECT_EQ(Count(html, "</svg>"), 6);
  EXPECT_EQ(Count(html, "<tr>"), 1 + 3);
  // Three won with Red, one with Black, two drawn, two lost.
  EXPECT_EQ(Count(html, "<td>+4 =2 −2</td>"), 3);
  EXPECT_EQ(Count(html, "too many draws"), 1);
  EXPECT_EQ(Count(html, "nothing to show yet"), 0);
}

TEST(RunReportTest, NeedsNothingFromOutside) {
  const std::string html = RunReportHtml("runs/one", {Made(0), Made(1)}, {}, {});
  for (const char* reference : {"src=", "href=", "url(", "@import", "http"}) {
    EXPECT_EQ(Count(html, reference), 0) << reference;
  }
}

TEST(RunReportTest, SaysWhereThereIsNothingToShowYet) {
  const std::string html = RunReportHtml("runs/one", {Made(0)}, {}, {});
  EXPECT_GT(Count(html, "nothing to show yet"), 0);
}

TEST(RunReportTest, ShowsNamesAsTextOnly) {
  const std::string html = RunReportHtml("<script>&\"", {Made(0)}, {}, {"<b>"});
  EXPECT_EQ(Count(html, "<script>"), 0);
  EXPECT_EQ(Count(html, "<b>"), 0);
  EXPECT_GT(Count(html, "&lt;script&gt;&amp;&quot;"), 0);
}

TEST(SvgChartTest, LeavesOutWhatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = LineChart({.title = "t", .x = "x", .y = "y", .lowest = {}},
                                    {{"s", {{0, 1}, {1, nan}, {2, 3}}}});
  EXPECT_EQ(Count(svg, "nan"), 0);
  EXPECT_EQ(Count(svg, "<circle"), 2);
}

TEST(SvgChartTest, DrawsSharesUpToTheWhole) {
  const std::string svg =
      ShareChart({.title = "t", .x = "x", .y = "", .lowest = {}}, {"1"}, {{"a", {1}}, {"b", {3}}});
  EXPECT_EQ(Count(svg, "1 a: 25.0 %"), 1);
  EXPECT_EQ(Count(svg, "1 b: 75.0 %"), 1);
}

}  // namespace
}  // namespace chuhe
