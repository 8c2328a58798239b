#include "selfplay/play/move_choice.h"

#include <algorithm>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/fen.h"
#include "engine/eval/scripted_evaluator.h"
#include "engine/rules/game.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

// A search of the position by sequential halving or PUCT, with an evaluator that gives all moves
// the same prior and the side to move that value.
class Searched {
 public:
  Searched(const char* fen, bool gumbel, float value, int visits = 16)
      : evaluator_([value](EvaluationRequest* request) {
          std::fill_n(request->priors, request->moves.size,
                      1.0f / static_cast<float>(request->moves.size));
          request->wdl = {(1 + value) / 2, 0, (1 - value) / 2};
        }),
        search_(&evaluator_, TreeSearchOptions()) {
    options_.gumbel = gumbel;
    search_.SetRoot(Game(ParseFen(fen)->position));
    search_.RunBatch(1);
    search_.Drain();
    Random random(1);
    if (gumbel) search_.PlanGumbel(visits, &random);
    while (search_.RunBatch(visits) > 0) search_.Drain();
  }

  const TreeSearch& search() const { return search_; }
  std::vector<MoveWeight> Target() const { return PolicyTarget(options_, search_); }
  Wdl Chances() const { return RootChances(options_, search_); }
  const Edge Find(Proof proof) const {
    for (const Edge& edge : search_.RootMoves()) {
      if (edge.proof == proof) return edge;
    }
    return {};
  }

 private:
  SelfPlayOptions options_;
  ScriptedEvaluator evaluator_;
  TreeSearch search_;
};

// Red mates at once with the rook of the second rank.
constexpr char kMateInOne[] = "3k5/R8/9/9/9/9/9/9/1R7/4K4 w - - 0 1";

TEST(MoveChoiceTest, ACertainWinIsTheWholeTarget) {
  for (const float value : {0.0f, 0.97f}) {
    const Searched searched(kMateInOne, /*gumbel=*/true, value);
    const std::vector<MoveWeight> target = searched.Target();
    ASSERT_EQ(target.size(), 1u) << value;
    EXPECT_EQ(target[0].weight, 65535) << value;
    EXPECT_EQ(target[0].move, searched.Find(Proof::kWin).move) << value;
    EXPECT_FLOAT_EQ(searched.Chances().win, 1) << value;
  }
}

// Black threatens mate in one, and many moves of Red do nothing about it.
TEST(MoveChoiceTest, CertainLossesAreNoTargetsBesideOtherMoves) {
  const char fen[] = "4k4/9/9/9/9/9/9/r8/1r7/R4K3 w - - 0 1";
  const Searched searched(fen, /*gumbel=*/true, -0.97f, 200);
  const std::vector<Edge> moves = searched.search().RootMoves();
  const auto is_lost = [](const Edge& edge) { return edge.proof == Proof::kLoss; };
  ASSERT_TRUE(std::any_of(moves.begin(), moves.end(), is_lost));
  ASSERT_FALSE(std::all_of(moves.begin(), moves.end(), is_lost));
  for (const MoveWeight& weight : searched.Target()) {
    const auto same = [&](const Edge& edge) { return edge.move == weight.move; };
    EXPECT_FALSE(is_lost(*std::find_if(moves.begin(), moves.end(), same)));
  }
}

TEST(MoveChoiceTest, ChancesAreOfTheBetterMovesNotOfAllVisits) {
  const Searched searched("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
                          /*gumbel=*/true, 0.2f);
  const Wdl chances = searched.Chances();
  EXPECT_NEAR(chances.win + chances.draw + chances.loss, 1, 1e-6);
  EXPECT_NEAR(chances.value(), searched.search().ImprovedRootValue(), 1e-5);
}

}  // namespace
}  // namespace chuhe
