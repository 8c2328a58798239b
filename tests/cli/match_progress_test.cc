// What a running match shows where standard error is no terminal.

#include "cli/match_progress.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PlayedGame WonByFirst(int index) {
  PlayedGame played;
  played.game = {.index = index, .pair = index / 2, .red = index % 2, .black = 1 - index % 2};
  played.result.outcome = index % 2 == 0 ? GameOutcome::kRedWins : GameOutcome::kBlackWins;
  return played;
}

TEST(MatchProgressTest, PairsCountForTheTestInTheOrderOfTheSchedule) {
  MatchOptions options;
  options.engines = {{.name = "A"}, {.name = "B"}};
  options.sprt = SprtOptions{};
  const Match match(options);
  const auto shown = [&](const std::vector<int>& games) {
    ::testing::internal::CaptureStderr();
    MatchProgress progress(options, &match);
    std::vector<PlayedGame> played;
    for (const int game : games) played.push_back(WonByFirst(game));
    progress.Show(played, 100);
    progress.Finish();
    return ::testing::internal::GetCapturedStderr();
  };
  // The second and third pair are complete, but the first is not.
  EXPECT_THAT(shown({0, 2, 3, 4, 5}), HasSubstr("LLR 0.00 "));
  EXPECT_THAT(shown({0, 2, 3, 4, 5, 1}), Not(HasSubstr("LLR 0.00 ")));
}

}  // namespace
}  // namespace chuhe
