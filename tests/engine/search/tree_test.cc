#include "engine/search/tree.h"

#include <vector>

#include "engine/base/random.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

TEST(TreeTest, OffersUntriedMovesByFallingPrior) {
  Tree tree(kMiB);
  const BlockIndex index = tree.NewNode(4);
  ASSERT_NE(index, 0u);
  Node* const node = &tree.node(index);
  EXPECT_TRUE(node->is_pending);
  tree.SetPriors(node, std::vector<float>{0.1f, 0.4f, 0.2f, 0.3f});
  EXPECT_FALSE(node->is_pending);
  std::vector<int> order;
  while (node->has_untried_moves()) {
    order.push_back(node->next_index);
    const Move move(1, static_cast<Square>(2 + node->next_index));
    ASSERT_NE(tree.NewEdge(node, node->next_index, move), nullptr);
  }
  EXPECT_EQ(order, (std::vector<int>{1, 3, 2, 0}));
  const auto edges = tree.edges(*node);
  ASSERT_EQ(edges.size(), 4u);
  EXPECT_EQ(edges[0].move, Move(1, 3));
  EXPECT_NEAR(edges[0].prior * Node::kPriorUnit, 0.4f, 1e-4f);
  EXPECT_EQ(node->next_prior, 0);
}

TEST(TreeTest, EdgesKeepTheirStatisticsWhenTheirBlockGrows) {
  Tree tree(kMiB);
  Node* const node = &tree.node(tree.NewNode(40));
  tree.SetPriors(node, std::vector<float>(40, 1.0f / 40));
  for (int i = 0; i < 40; ++i) {
    Edge* const edge = tree.NewEdge(node, node->next_index, Move(0, static_cast<Square>(i + 1)));
    ASSERT_NE(edge, nullptr);
    edge->visits = static_cast<uint32_t>(i + 100);
  }
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(tree.edges(*node)[static_cast<size_t>(i)].visits, static_cast<uint32_t>(i + 100));
  }
}

TEST(TreeTest, FreeGivesBackTheWholeSubtree) {
  Tree tree(4 * kMiB);
  const BlockIndex root = tree.NewNode(30);
  tree.SetPriors(&tree.node(root), std::vector<float>(30, 1.0f / 30));
  const size_t before = tree.used_bytes();
  Node* const node = &tree.node(root);
  Edge* const edge = tree.NewEdge(node, node->next_index, Move(1, 2));
  const size_t with_edge = tree.used_bytes();
  edge->child = tree.NewNode(20);
  tree.SetPriors(&tree.node(edge->child), std::vector<float>(20, 0.05f));
  Node* const child = &tree.node(edge->child);
  tree.NewEdge(child, child->next_index, Move(2, 3))->child = tree.NewNode(50);
  EXPECT_GT(tree.used_bytes(), with_edge);
  tree.Free(edge->child);
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
      tree.node(index).is_pending = false;
      nodes.push_back(index);
      ASSERT_LE(tree.used_bytes(), tree.max_bytes());
    }
  };
  fill();
  const size_t full = tree.used_bytes();
  EXPECT_GT(full, tree.max_bytes() * 9 / 10);
  for (size_t i = 0; i < nodes.size(); i += 2) tree.Free(nodes[i]);
  EXPECT_LT(tree.used_bytes(), full * 6 / 10);
  tree.Coalesce();
  EXPECT_LT(tree.used_bytes(), full * 6 / 10);
  fill();
  EXPECT_GT(tree.used_bytes(), full * 9 / 10);
  tree.Clear();
  EXPECT_EQ(tree.used_bytes(), 0u);
}

}  // namespace
}  // namespace chuhe
