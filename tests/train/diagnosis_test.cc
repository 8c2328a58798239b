#include "train/diagnosis.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

RunHealth Well() {
  RunHealth health;
  health.games = 200;
  health.draws = 100;
  health.capped = 20;
  health.steps_due = 3;
  health.step = 1000;
  health.loss = 2.5;
  health.policy_entropy = 1.4;
  health.workers = {{"worker-0", 1}, {"worker-1", 3}};
  health.disk_free_bytes = int64_t{100} << 30;
  health.disk_path = "runs/first";
  return health;
}

struct Case {
  const char* name;
  Trouble trouble;
  std::function<void(RunHealth*)> worsen;
  std::function<void(RunHealth*)> nearly;  // just not enough
  std::vector<std::string> says;
};

std::vector<Case> Cases() {
  return {
      {"draws",
       Trouble::kDrawCollapse,
       [](RunHealth* h) { h->draws = 185; },
       [](RunHealth* h) { h->draws = 179; },
       {"92 %", "last 200 games", "openings"}},
      {"few draws",
       Trouble::kDrawCollapse,
       [](RunHealth* h) { h->games = h->draws = 100; },
       [](RunHealth* h) { h->games = h->draws = 99; },
       {"100 %"}},
      {"capped",
       Trouble::kCappedGames,
       [](RunHealth* h) { h->capped = 120; },
       [](RunHealth* h) { h->capped = 99; },
       {"60 %", "ply cap", "adjudicate"}},
      {"starved",
       Trouble::kStarvedWindow,
       [](RunHealth* h) {
         h->steps_due = 0;
         h->seconds_since_new_game = 660;
       },
       [](RunHealth* h) { h->seconds_since_new_game = 660; },
       {"11 minutes", "train.samples_per_position"}},
      {"briefly starved",
       Trouble::kStarvedWindow,
       [](RunHealth* h) {
         h->steps_due = 0;
         h->seconds_since_new_game = 600;
       },
       [](RunHealth* h) {
         h->steps_due = 0;
         h->seconds_since_new_game = 599;
       },
       {"10 minutes"}},
      {"not a number",
       Trouble::kLossIsNoNumber,
       [](RunHealth* h) { h->loss = std::numeric_limits<double>::quiet_NaN(); },
       [](RunHealth* h) { h->loss = 1e9; },
       {"step 1000", "nan", "train.learning_rate"}},
      {"entropy",
       Trouble::kEntropyCollapse,
       [](RunHealth* h) { h->policy_entropy = 0.04; },
       [](RunHealth* h) { h->policy_entropy = 0.1; },
       {"0.04 nats", "noise"}},
      {"stalled",
       Trouble::kStalledWorker,
       [](RunHealth* h) { h->workers[1].seconds_since_progress = 130; },
       [](RunHealth* h) { h->workers[1].seconds_since_progress = 119; },
       {"worker-1", "130 seconds", "journal"}},
      {"unreadable",
       Trouble::kUnreadableGames,
       [](RunHealth* h) {
         h->unreadable_games = 2;
         h->unreadable_problem = "000.games: game 3";
       },
       [](RunHealth*) {},
       {"2 games", "000.games: game 3", "chuhe games verify"}},
      {"disk",
       Trouble::kDiskNearlyFull,
       [](RunHealth* h) { h->disk_free_bytes = int64_t{512} << 20; },
       [](RunHealth* h) { h->disk_free_bytes = int64_t{2} << 30; },
       {"runs/first", "512 MiB", "make room"}},
  };
}

TEST(DiagnosisTest, NothingIsSaidOfARunThatIsWell) {
  EXPECT_THAT(Diagnose(Well()), IsEmpty());
  EXPECT_THAT(Diagnose(RunHealth()), IsEmpty());
}

TEST(DiagnosisTest, EachTroubleIsNamedWithWhatToDo) {
  for (const Case& one : Cases()) {
    SCOPED_TRACE(one.name);
    RunHealth health = Well();
    one.worsen(&health);
    const std::vector<Warning> warnings = Diagnose(health);
    ASSERT_THAT(warnings, SizeIs(1));
    EXPECT_EQ(warnings[0].trouble, one.trouble);
    for (const std::string& text : one.says) EXPECT_THAT(warnings[0].text, HasSubstr(text));
  }
}

TEST(DiagnosisTest, NearlyIsNotEnough) {
  for (const Case& one : Cases()) {
    SCOPED_TRACE(one.name);
    RunHealth health = Well();
    one.nearly(&health);
    EXPECT_THAT(Diagnose(health), IsEmpty());
  }
}

TEST(DiagnosisTest, SeveralTroublesAreAllTold) {
  RunHealth health = Well();
  for (const Case& one : Cases()) one.worsen(&health);
  EXPECT_THAT(Diagnose(health), SizeIs(8));
}

TEST(AlarmTest, TellsOfATroubleOnceWhileItLasts) {
  Alarm alarm;
  RunHealth health = Well();
  health.draws = 190;
  EXPECT_THAT(alarm.NewWarnings(health), SizeIs(1));
  EXPECT_THAT(alarm.NewWarnings(health), IsEmpty());
  health.capped = 150;
  EXPECT_THAT(alarm.NewWarnings(health), SizeIs(1));
  EXPECT_THAT(alarm.NewWarnings(Well()), IsEmpty());
  EXPECT_THAT(alarm.NewWarnings(health), SizeIs(2));
}

TEST(FreeBytesTest, KnowsTheDiskOfAFolder) {
  EXPECT_GT(FreeBytes("."), 0);
  EXPECT_LT(FreeBytes("."), RunHealth().disk_free_bytes);
  EXPECT_EQ(FreeBytes("/no such folder"), RunHealth().disk_free_bytes);
}

}  // namespace
}  // namespace chuhe
