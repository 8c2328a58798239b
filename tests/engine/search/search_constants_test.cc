#include "engine/search/search_constants.h"

#include <string>
#include <utility>
#include <vector>

#include "engine/eval/simple_evaluators.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

using Values = std::vector<std::pair<std::string, std::string>>;

TEST(SearchConstantsTest, SetsWhatIsNamedAndLeavesTheRest) {
  TreeSearchOptions options;
  options.batch_size = 4;
  const Values values = {
      {"cpuct", "2.5"},        {"CPUCT_BASE", "100"},         {"cpuct_factor", "0"},
      {"fpu", "-0.25"},        {"draw_score", "-0.5"},        {"moves_left_slope", "0.01"},
      {"moves_left_cap", "1"}, {"policy_temperature", "1.5"}, {"mate_steps", "7"}};
  ASSERT_TRUE(SetSearchConstants(values, "option", &options).ok());
  EXPECT_EQ(options.puct.exploration_init, 2.5f);
  EXPECT_EQ(options.puct.exploration_base, 100);
  EXPECT_EQ(options.puct.exploration_factor, 0);
  EXPECT_EQ(options.puct.first_play_reduction, -0.25f);
  EXPECT_EQ(options.puct.draw_score, -0.5f);
  EXPECT_EQ(options.puct.moves_left_slope, 0.01f);
  EXPECT_EQ(options.puct.moves_left_cap, 1);
  EXPECT_EQ(options.puct.policy_temperature, 1.5f);
  EXPECT_EQ(options.mate_steps, 7);
  EXPECT_EQ(options.batch_size, 4);
}

TEST(SearchConstantsTest, WithoutValuesNothingChanges) {
  TreeSearchOptions options;
  ASSERT_TRUE(SetSearchConstants({}, "option", &options).ok());
  EXPECT_EQ(options.puct.exploration_init, TreeSearchOptions().puct.exploration_init);
  EXPECT_EQ(options.puct.moves_left_slope, TreeSearchOptions().puct.moves_left_slope);
}

TEST(SearchConstantsTest, ErrorsSayWhatWasExpectedAndSetNothing) {
  struct Case {
    std::string name;
    std::string value;
    std::string words;
  };
  for (const Case& c :
       {Case{"cpuc", "1", "cpuct"}, Case{"fpu", "much", "a number from -2 to 2"},
        Case{"policy_temperature", "0", "0.1"}, Case{"leaves", "0", "a whole number from 1"}}) {
    TreeSearchOptions options;
    const Values values = {{"cpuct", "9"}, {c.name, c.value}};
    const absl::Status status = SetSearchConstants(values, "engine.yaml:3", &options);
    EXPECT_FALSE(status.ok()) << c.name;
    EXPECT_THAT(std::string(status.message()), HasSubstr("engine.yaml:3"));
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.words));
    EXPECT_EQ(options.puct.exploration_init, TreeSearchOptions().puct.exploration_init);
  }
}

TEST(SearchConstantsTest, EachHasALineOfHelp) {
  TreeSearchOptions options;
  options.puct.policy_temperature = 1.25f;
  const std::string help = SearchConstantsHelp(options);
  EXPECT_THAT(help, HasSubstr("1.25"));
  for (const char* name :
       {"cpuct", "cpuct_base", "cpuct_factor", "fpu", "policy_temperature", "draw_score",
        "moves_left_slope", "moves_left_cap", "mate_steps", "leaves"}) {
    EXPECT_THAT(help, HasSubstr(name));
  }
}

// The search as a whole: with priors that are more alike its visits are, too.
TEST(SearchConstantsTest, PolicyTemperatureLevelsThePriors) {
  const auto most_visited_share = [](const char* temperature) {
    HashEvaluator evaluator;
    TreeSearchOptions options;
    const Values values = {{"policy_temperature", temperature}};
    EXPECT_TRUE(SetSearchConstants(values, "test", &options).ok());
    TreeSearch search(&evaluator, options);
    search.SetRoot(Game(Position::Start()));
    while (search.visits() < 400 && search.RunBatch(1) > 0) {
    }
    uint32_t most = 0;
    for (const Edge& edge : search.RootMoves()) most = std::max(most, edge.visits);
    return static_cast<double>(most) / 400;
  };
  EXPECT_GT(most_visited_share("0.3"), most_visited_share("1"));
  EXPECT_GT(most_visited_share("1"), most_visited_share("5"));
}

}  // namespace
}  // namespace chuhe
