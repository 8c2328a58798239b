// Legal moves of random positions and their policy numbers.
#include <gtest/gtest.h>

#include <bitset>
#include <set>

#include "nets/features/policy.h"
#include "tests/engine/board/drawn_board.h"
#include "tests/nets/features/random_games.h"

namespace chuhe {
namespace {

TEST(PolicyRandomTest, EveryLegalMoveHasOneNumberAndBack) {
  RandomGames games(7);
  for (int i = 0; i < 100'000; ++i, games.Next()) {
    const EvaluationRequest request = games.Question();
    const Color side = request.position.side_to_move();
    std::bitset<kPolicyMoves> used;
    for (const Move move : request.moves) {
      const int index = PolicyIndex(SeenBy(side, move));
      ASSERT_TRUE(index >= 0 && index < kPolicyMoves) << TextOf(move) << ' ' << index;
      const bool is_back = SeenBy(side, PolicyMove(index)) == move;
      ASSERT_TRUE(is_back && !used[static_cast<size_t>(index)]) << TextOf(move) << ' ' << index;
      used.set(static_cast<size_t>(index));
    }
  }
}

TEST(PolicyRandomTest, LegalMovesUseMostNumbers) {
  RandomGames games(8);
  std::set<int> used;
  for (int i = 0; i < 3000; ++i, games.Next()) {
    const EvaluationRequest request = games.Question();
    for (const Move move : request.moves) {
      used.insert(PolicyIndex(SeenBy(request.position.side_to_move(), move)));
    }
  }
  EXPECT_GT(used.size(), 1900u);
}

}  // namespace
}  // namespace chuhe
