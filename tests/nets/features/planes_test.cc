// Planes of drawn boards: men, plies, counts. Attacks are in attack_planes_test.cc,
// random positions in planes_random_test.cc.
#include "nets/features/planes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/engine/board/drawn_board.h"
#include "tests/nets/features/drawn_planes.h"

namespace chuhe {
namespace {

TEST(PlanesTest, MenStandOnThePlaneOfTheirKind) {
  const std::vector<uint8_t> levels = LevelsOf(R"(
    ....k....
    .........
    ..p......
    .........
    ..C.n....
    .........
    ..P......
    ..p......
    R.A......
    ...K.....)");
  constexpr std::string_view kPoints[] = {"d0", "c1", "", "",   "a1", "c5", "c3",
                                          "e9", "",   "", "e5", "",   "",   "c2 c7"};
  for (int plane = 0; plane < kPlaneRecent; ++plane) {
    EXPECT_EQ(PointsOf(levels, plane), kPoints[plane]) << plane;
  }
}

TEST(PlanesTest, RecentPliesNewestFirst) {
  EvaluationRequest request;
  request.position = Position::Start();
  request.recent[0] = MoveOf("a9a8");
  request.recent[1] = MoveOf("a0a1");
  request.recent[5] = MoveOf("i0i2");
  const std::vector<uint8_t> levels = LevelsOf(request);
  constexpr std::string_view kPoints[12] = {"a9", "a8", "a0", "a1", "",   "",
                                            "",   "",   "",   "",   "i0", "i2"};
  for (int plane = 0; plane < 12; ++plane) {
    EXPECT_EQ(PointsOf(levels, kPlaneRecent + plane), kPoints[plane]) << plane;
  }
}

TEST(PlanesTest, CountsAreTheSameEverywhere) {
  struct Case {
    int occurrences, no_capture_plies, own_checks, opponent_checks;
    int second, third, no_capture_level, own_checks_level, opponent_checks_level;
  };
  constexpr Case kCases[] = {{1, 0, 0, 0, 0, 0, 0, 0, 0},
                             {2, 1, 1, 0, 120, 0, 1, 20, 0},
                             {3, 119, 0, 6, 120, 120, 119, 0, 120},
                             {4, 500, 7, 5, 120, 120, 120, 120, 100}};
  for (const Case& c : kCases) {
    EvaluationRequest request;
    request.position = Position::Start();
    request.occurrences = c.occurrences;
    request.no_capture_plies = c.no_capture_plies;
    request.checks_in_a_row[Index(Color::kRed)] = c.own_checks;
    request.checks_in_a_row[Index(Color::kBlack)] = c.opponent_checks;
    const std::vector<uint8_t> levels = LevelsOf(request);
    EXPECT_EQ(LevelEverywhere(levels, kPlaneSecondOccurrence), c.second);
    EXPECT_EQ(LevelEverywhere(levels, kPlaneThirdOccurrence), c.third);
    EXPECT_EQ(LevelEverywhere(levels, kPlaneNoCapture), c.no_capture_level);
    EXPECT_EQ(LevelEverywhere(levels, kPlaneOwnChecks), c.own_checks_level);
    EXPECT_EQ(LevelEverywhere(levels, kPlaneOpponentChecks), c.opponent_checks_level);
    EXPECT_EQ(LevelEverywhere(levels, kPlaneOnes), 120);
  }
}

TEST(PlanesTest, ShowWhereTheBoardIs) {
  EvaluationRequest request;
  request.position = Position::Start();
  const std::vector<uint8_t> levels = LevelsOf(request);
  EXPECT_EQ(Picture(levels, kPlaneOwnHalf), Drawn(R"(
    .........
    .........
    .........
    .........
    .........
    xxxxxxxxx
    xxxxxxxxx
    xxxxxxxxx
    xxxxxxxxx
    xxxxxxxxx)"));
  EXPECT_EQ(Picture(levels, kPlanePalaces), Drawn(R"(
    ...xxx...
    ...xxx...
    ...xxx...
    .........
    .........
    .........
    .........
    ...xxx...
    ...xxx...
    ...xxx...)"));
}

TEST(PlanesTest, CapturedMenLeaveNoTrace) {
  const std::vector<uint8_t> levels = LevelsOf(R"(
    ....k....
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    ...K.....)");
  for (int plane = 1; plane < kPlaneSecondOccurrence; ++plane) {
    if (plane == kPlaneOpponentMen || plane == kPlaneOwnAttackCount ||
        plane == kPlaneOpponentAttackCount) {
      continue;
    }
    EXPECT_EQ(PointsOf(levels, plane), "") << plane;
  }
  EXPECT_EQ(PointsOf(levels, kPlaneOwnAttackCount), "e0 d1");
}

TEST(LevelsToFloatsTest, IsTheNearestFloatToTheQuotient) {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{15}, size_t{16}, size_t{256}}) {
    std::vector<uint8_t> levels(count);
    for (size_t i = 0; i < count; ++i) levels[i] = static_cast<uint8_t>(255 - i);
    std::vector<float> floats(count + 1, -1);
    LevelsToFloats(levels, floats.data());
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(floats[i], static_cast<float>(levels[i]) / 120.0f) << int{levels[i]};
    }
    EXPECT_EQ(floats[count], -1);
  }
}

}  // namespace
}  // namespace chuhe
