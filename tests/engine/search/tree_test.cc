#include "engine/search/tree.h"

#include <vector>

#include "engine/base/random.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

TEST(TreeTest, OffersUntriedMovesByFallingPrior) {
  Tree tree(kMiB);
  BlockIndex index = tree.NewNode(4);
  ASSERT_NE(index, 0u);
  EXPECT_TRUE(tree.node(index).is_pending());
  Tree::SetPriors(&tree.node(index), std::vector<float>{0.1f, 0.4f, 0.2f, 0.3f});
  EXPECT_FALSE(tree.node(index).is_pending());
  std::vector<int> order;
  while (tree.node(index).has_untried_moves()) {
    const int place = tree.node(index).next_index;
    order.push_back(place);
    ASSERT_TRUE(tree.NewEdge(&index, place, Move(1, static_cast<Square>(2 + place))));
  }
  EXPECT_EQ(order, (std::vector<int>{1, 3, 2, 0}));
  const auto edges = tree.node(index).edges();
  ASSERT_EQ(edges.size(), 4u);
  EXPECT_EQ(edges[0].move(), Move(1, 3));
  EXPECT_NEAR(edges[0].prior() * Node::kPriorUnit, 0.4f, 0.4f / 32);
  EXPECT_EQ(tree.node(index).next_prior, 0);
}

TEST(TreeTest, KnowsTheNextMoveWhereTheLegalMovesWereAtHand) {
  Tree tree(kMiB);
  BlockIndex index = tree.NewNode(3);
  const std::vector<Move> moves = {Move(1, 2), Move(1, 3), Move(1, 4)};
  Tree::SetPriors(&tree.node(index), std::vector<float>{0.2f, 0.5f, 0.3f}, moves);
  EXPECT_EQ(tree.node(index).next_move, moves[1]);
  tree.NewEdge(&index, 1, moves[1]);
  EXPECT_EQ(tree.node(index).next_index, 2);
  EXPECT_FALSE(tree.node(index).next_move);
  tree.NewEdge(&index, 2, moves[2], moves);
  EXPECT_EQ(tree.node(index).next_move, moves[0]);
  tree.NewEdge(&index, 0, moves[0], moves);
  EXPECT_FALSE(tree.node(index).next_move);
}

TEST(TreeTest, FindsEdgesByMoveAndByChild) {
  Tree tree(kMiB);
  BlockIndex index = tree.NewNode(20);
  Tree::SetPriors(&tree.node(index), std::vector<float>(20, 0.05f));
  for (int i = 0; i < 10; ++i) {
    const EdgeRef edge = tree.NewEdge(&index, i, Move(0, static_cast<Square>(i + 1)));
    edge.child() = static_cast<BlockIndex>(100 + i);
  }
  const EdgeList edges = tree.node(index).edges();
  EXPECT_EQ(edges.Find(Move(0, 4)).place(), 3u);
  EXPECT_EQ(edges.FindChild(109).place(), 9u);
  EXPECT_FALSE(edges.Find(Move(0, 11)));
  EXPECT_FALSE(edges.FindChild(110));
}

// `tolerance` is that of priors, of their own size.
void ExpectNodesToKeepWhatTheyHold(bool has_exact_priors, float tolerance) {
  Tree tree(kMiB);
  BlockIndex index = tree.NewNode(40, has_exact_priors);
  std::vector<float> priors(40);
  for (size_t i = 0; i < 40; ++i) priors[i] = static_cast<float>(40 - i) / 820;
  Tree::SetPriors(&tree.node(index), priors);
  tree.node(index).value = 0.25f;
  std::vector<uint16_t> kept(40);
  for (size_t i = 0; i < 40; ++i) kept[i] = tree.node(index).prior(i);
  for (int i = 0; i < 40; ++i) {
    const int place = tree.node(index).next_index;
    ASSERT_EQ(place, i);
    for (size_t j = 0; j < 40; ++j) {
      ASSERT_EQ(tree.node(index).prior(j), static_cast<int>(j) < i ? 0 : kept[j]);
    }
    const EdgeRef edge = tree.NewEdge(&index, place, Move(0, static_cast<Square>(i + 1)));
    ASSERT_TRUE(edge);
    Edge numbers = edge.Load();
    numbers.visits = static_cast<uint32_t>(i + 100);
    numbers.value = static_cast<float>(i + 200);
    numbers.draw = static_cast<float>(i + 300);
    numbers.plies_left = static_cast<float>(i + 400);
    numbers.in_flight = static_cast<uint16_t>(i + 500);
    numbers.child = static_cast<BlockIndex>(i + 600);
    numbers.proof = i % 2 == 0 ? Proof::kWin : Proof::kLoss;
    numbers.proof_bits = static_cast<uint8_t>(i);
    edge.Store(numbers);
  }
  EXPECT_EQ(tree.node(index).value, 0.25f);
  for (size_t i = 0; i < 40; ++i) {
    const Edge edge = tree.node(index).edges()[i].Load();
    EXPECT_EQ(edge.visits, i + 100);
    EXPECT_EQ(edge.value, static_cast<float>(i + 200));
    EXPECT_EQ(edge.draw, static_cast<float>(i + 300));
    EXPECT_EQ(edge.plies_left, static_cast<float>(i + 400));
    EXPECT_EQ(edge.in_flight, i + 500);
    EXPECT_EQ(edge.child, i + 600);
    EXPECT_EQ(edge.move, Move(0, static_cast<Square>(i + 1)));
    EXPECT_EQ(edge.proof, i % 2 == 0 ? Proof::kWin : Proof::kLoss);
    EXPECT_EQ(edge.proof_bits, i);
    EXPECT_NEAR(edge.prior * Node::kPriorUnit, priors[i], tolerance * priors[i] + 1e-5f);
  }
}

TEST(TreeTest, NodesKeepWhatTheyHoldWhenTheirBlockGrows) {
  ExpectNodesToKeepWhatTheyHold(/*has_exact_priors=*/false, 1.0f / 32);
  ExpectNodesToKeepWhatTheyHold(/*has_exact_priors=*/true, 0);
}

TEST(TreeTest, ExactPriorsTakeAByteMoreForEachMove) {
  Tree tree(kMiB);
  tree.NewNode(64);
  const size_t coarse = tree.used_bytes();
  tree.NewNode(64, /*has_exact_priors=*/true);
  EXPECT_EQ(tree.used_bytes() - coarse, coarse + 64);
}

TEST(TreeTest, FreeGivesBackTheWholeSubtree) {
  Tree tree(4 * kMiB);
  BlockIndex root = tree.NewNode(30);
  Tree::SetPriors(&tree.node(root), std::vector<float>(30, 1.0f / 30));
  const size_t before = tree.used_bytes();
  const EdgeRef edge = tree.NewEdge(&root, 0, Move(1, 2));
  const size_t with_edge = tree.used_bytes();
  edge.child() = tree.NewNode(20);
  Tree::SetPriors(&tree.node(edge.child()), std::vector<float>(20, 0.05f));
  const BlockIndex leaf = tree.NewNode(50);
  tree.NewEdge(&edge.child(), 0, Move(2, 3)).child() = leaf;
  EXPECT_GT(tree.used_bytes(), with_edge);
  tree.Free(edge.child());
  EXPECT_EQ(tree.used_bytes(), with_edge);
  EXPECT_GT(with_edge, before);
}

TEST(TreeTest, NeverExceedsItsLimitAndUsesFreedMemoryAgain) {
  Tree tree(2 * kMiB);
  std::vector<BlockIndex> nodes;
  Random random(1);
  const auto fill = [&] {
    while (true) {
      const BlockIndex index = tree.NewNode(1 + static_cast<int>(random.Below(60)));
      if (index == 0) return;
      nodes.push_back(index);
      ASSERT_LE(tree.used_bytes(), tree.max_bytes());
    }
  };
  fill();
  const size_t full = tree.used_bytes();
  EXPECT_GT(full, tree.max_bytes() * 99 / 100);
  for (size_t i = 0; i < nodes.size(); i += 2) tree.Free(nodes[i]);
  EXPECT_LT(tree.used_bytes(), full * 6 / 10);
  tree.Coalesce();
  EXPECT_LT(tree.used_bytes(), full * 6 / 10);
  fill();
  EXPECT_GT(tree.used_bytes(), full * 9 / 10);
  tree.Clear();
  EXPECT_EQ(tree.used_bytes(), 0u);
}

TEST(TreeTest, KeepsItsMemoryForTheNextSearch) {
  Tree tree(size_t{16} << 20);
  const Node* const first = &tree.node(tree.NewNode(40));
  while (tree.NewNode(40) != 0) {
  }
  tree.Clear();
  EXPECT_EQ(&tree.node(tree.NewNode(40)), first);
}

}  // namespace
}  // namespace chuhe
