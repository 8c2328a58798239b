// Verdicts hold under the symmetries of the board and behind any past that a capture cut off.
#include <map>

#include "engine/board/fen.h"
#include "engine/rules/judge.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/loops.h"

namespace chuhe {
namespace {

// Set by CMake: a few in the default tests, many in the slow ones.
constexpr int kLoops = CHUHE_RANDOM_LOOPS;

template <typename F>
void ForRandomLoops(uint64_t seed, F f) {
  Random random(seed);
  for (int found = 0; found < kLoops;) {
    const std::optional<LoopGame> loop = RandomLoop(random);
    if (!loop.has_value()) continue;
    ++found;
    for (const RuleSet rules : kAllRuleSets) f(*loop, rules, random);
  }
}

std::string Where(const LoopGame& loop, RuleSet rules) {
  std::string text = FormatFen(loop.start) + " under " + std::string(RuleSetName(rules)) + ":";
  for (const Move move : loop.moves) {
    for (const Square square : {move.from(), move.to()}) {
      text += static_cast<char>((square == move.from() ? ' ' : '-'));
      text += static_cast<char>('a' + FileOf(square));
      text += static_cast<char>('0' + RankOf(square));
    }
  }
  return text;
}

Position EndOf(const LoopGame& loop) {
  Position position = loop.start;
  for (const Move move : loop.moves) position.Make(move);
  return position;
}

TEST(JudgePropertyTest, RandomLoopsReachEveryKindOfVerdict) {
  std::map<Reason, int> seen;
  ForRandomLoops(1, [&](const LoopGame& loop, RuleSet rules, Random&) {
    ++seen[JudgeGame(loop, rules).reason];
  });
  for (const Reason reason :
       {Reason::kPerpetualCheck, Reason::kPerpetualChase, Reason::kForbiddenLoop,
        Reason::kMutualForbidden, Reason::kQuietRepetition}) {
    EXPECT_GE(seen[reason], kLoops / 100) << ReasonName(reason);
  }
  EXPECT_EQ(seen[Reason::kNone], 0);
}

TEST(JudgePropertyTest, IsTheSameWithColoursExchangedAndTheBoardTurned) {
  ForRandomLoops(2, [](const LoopGame& loop, RuleSet rules, Random&) {
    const LoopGame turned = TurnedGame(loop);
    const Verdict verdict = JudgeGame(loop, rules);
    const Verdict turned_verdict = JudgeGame(turned, rules);
    ASSERT_EQ(turned_verdict.outcome, TurnedOutcome(verdict.outcome)) << Where(loop, rules);
    ASSERT_EQ(Describe(turned_verdict, EndOf(turned)), TurnedText(Describe(verdict, EndOf(loop))))
        << Where(loop, rules);
  });
}

TEST(JudgePropertyTest, IsTheSameInTheMirror) {
  ForRandomLoops(3, [](const LoopGame& loop, RuleSet rules, Random&) {
    const Verdict verdict = JudgeGame(loop, rules);
    const Verdict mirrored = JudgeGame(MirroredGame(loop), rules);
    ASSERT_EQ(mirrored.outcome, verdict.outcome) << Where(loop, rules);
    ASSERT_EQ(mirrored.reason, verdict.reason) << Where(loop, rules);
  });
}

TEST(JudgePropertyTest, IsTheSameBehindACaptureThatReachesThePosition) {
  int compared = 0;
  ForRandomLoops(4, [&](const LoopGame& loop, RuleSet rules, Random& random) {
    const std::optional<LoopGame> longer = WithCaptureBefore(loop, random);
    if (!longer.has_value()) return;
    ++compared;
    const Verdict verdict = JudgeGame(loop, rules);
    const Verdict later = JudgeGame(*longer, rules);
    ASSERT_EQ(later.outcome, verdict.outcome) << Where(*longer, rules);
    ASSERT_EQ(later.reason, verdict.reason) << Where(*longer, rules);
    ASSERT_EQ(later.first_ply, verdict.first_ply + 1) << Where(*longer, rules);
  });
  EXPECT_GT(compared, kLoops);
}

}  // namespace
}  // namespace chuhe
