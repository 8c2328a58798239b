#include "engine/search/puct.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/movegen.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

float UnitFloat(Random* random) { return static_cast<float>(random->UniformDouble()); }

Edge RandomEdge(Random* random) {
  Edge edge;
  edge.visits = static_cast<uint32_t>(random->Below(100000));
  edge.value = 2 * UnitFloat(random) - 1;
  edge.draw = UnitFloat(random);
  edge.plies_left = 200 * UnitFloat(random);
  edge.prior = static_cast<uint16_t>(1 + random->Below(20000));
  edge.in_flight = static_cast<uint16_t>(random->Below(3));
  if (random->Below(5) == 0) edge.proof = static_cast<Proof>(random->Below(4));
  return edge;
}

TEST(PuctTest, TemperedPriorsArePowersOfSumOne) {
  const std::vector<float> priors = {0.64f, 0.32f, 0.04f};
  std::vector<float> tempered(3);
  TemperPriors(priors, 2, tempered.data());
  const float sum = 0.8f + std::sqrt(0.32f) + 0.2f;
  EXPECT_NEAR(tempered[0], 0.8f / sum, 1e-6f);
  EXPECT_NEAR(tempered[1], std::sqrt(0.32f) / sum, 1e-6f);
  EXPECT_NEAR(tempered[2], 0.2f / sum, 1e-6f);
  TemperPriors(priors, 1, tempered.data());
  EXPECT_NEAR(tempered[1], 0.32f, 1e-6f);
}

// Nodes of every number of edges; every second one has equals, too.
TEST(PuctTest, WeighsManyEdgesAsItWeighsThemOneByOne) {
  Random random(1);
  const PuctOptions options{.draw_score = 0.1f};
  for (int round = 0; round < 4; ++round) {
    for (int count = 1; count <= kMaxMoves; ++count) {
      Tree tree(Tree::kMinBytes);
      BlockIndex index = tree.NewNode(count);
      Tree::SetPriors(&tree.node(index), std::vector<float>(static_cast<size_t>(count), 0.01f));
      for (int i = 0; i < count; ++i) {
        const EdgeRef edge = tree.NewEdge(&index, i, Move(1, 2));
        edge.Store(round % 2 == 1 && i > 0 && random.Below(2) == 0
                       ? tree.node(index).edges()[random.Below(static_cast<uint64_t>(i))].Load()
                       : RandomEdge(&random));
      }
      const PuctNode puct(options, RandomEdge(&random), random.Below(2) == 0);
      std::vector<float> scores(static_cast<size_t>(count));
      const EdgeList edges = tree.node(index).edges();
      const PuctNode::Ranking ranking = puct.ScoreAll(edges, scores.data());
      uint32_t prior_sum = 0;
      for (const EdgeRef edge : edges) {
        if (edge.proof() == Proof::kLoss) {
          EXPECT_EQ(scores[edge.place()], -std::numeric_limits<float>::infinity());
        } else {
          EXPECT_NEAR(scores[edge.place()], puct.Score(edge.Load()), 1e-4f) << count;
        }
        prior_sum += edge.prior();
      }
      const auto highest = std::max_element(scores.begin(), scores.end());
      EXPECT_EQ(ranking.best, static_cast<size_t>(highest - scores.begin())) << count;
      EXPECT_EQ(ranking.prior_sum, prior_sum) << count;
    }
  }
}

TEST(PuctTest, NoMoveIsTheBestWhereAllAreLost) {
  for (const int count : {3, 20}) {
    Tree tree(Tree::kMinBytes);
    BlockIndex index = tree.NewNode(count);
    Tree::SetPriors(&tree.node(index), std::vector<float>(static_cast<size_t>(count), 0.05f));
    for (int i = 0; i < count; ++i) tree.NewEdge(&index, i, Move(1, 2)).proof() = Proof::kLoss;
    std::vector<float> scores(static_cast<size_t>(count));
    const PuctOptions options;
    const PuctNode puct(options, Edge{}, true);
    EXPECT_EQ(puct.ScoreAll(tree.node(index).edges(), scores.data()).best, 0u);
    EXPECT_EQ(scores[0], -std::numeric_limits<float>::infinity());
  }
}

}  // namespace
}  // namespace chuhe
