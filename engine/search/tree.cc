#include "engine/search/tree.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace chuhe {

void Node::FindNext(std::span<const Move> moves) {
  size_t best = 0;
  if (has_exact_priors) {
    const uint16_t* const exact = PriorArray<uint16_t>();
    best = static_cast<size_t>(std::max_element(exact, exact + move_count) - exact);
  } else {
    best = FindHighestCode({PriorArray<uint8_t>(), move_count});
  }
  next_index = static_cast<uint8_t>(best);
  next_prior = prior(best);
  next_move = next_prior == 0 || moves.empty() ? Move() : moves[best];
}

Tree::Tree(size_t max_bytes)
    : max_bytes_(std::clamp(max_bytes, kMinBytes, kMaxBytes)), memory_(NewLargeBlock(max_bytes_)) {}

size_t Tree::NodeUnits(int edge_capacity, size_t prior_bytes) {
  const size_t bytes =
      sizeof(Node) + static_cast<size_t>(edge_capacity) * EdgeArrays::kBytesPerEdge + prior_bytes;
  return (bytes + kUnitBytes - 1) / kUnitBytes;
}

BlockIndex Tree::Allocate(size_t units) {
  assert(units <= kMaxUnits);
  if (free_[units] != 0) return TakeFree(units);
  if ((next_unit_ + units) * kUnitBytes > max_bytes_) return Split(units);
  const size_t index = next_unit_;
  next_unit_ += units;
  used_units_ += units;
  return static_cast<BlockIndex>(index);
}

BlockIndex Tree::TakeFree(size_t units) {
  const BlockIndex index = free_[units];
  std::memcpy(&free_[units], Address(index), sizeof(BlockIndex));
  used_units_ += units;
  return index;
}

// A piece of a larger free block, the smallest that there is; 0 if there is none.
BlockIndex Tree::Split(size_t units) {
  for (size_t larger = units + 1; larger <= kMaxUnits; ++larger) {
    if (free_[larger] == 0) continue;
    const BlockIndex index = TakeFree(larger);
    Release(static_cast<BlockIndex>(index + units), larger - units);
    return index;
  }
  return 0;
}

void Tree::Release(BlockIndex index, size_t units) {
  std::memcpy(Address(index), &free_[units], sizeof(BlockIndex));
  free_[units] = index;
  used_units_ -= units;
}

BlockIndex Tree::NewNode(int move_count, bool has_exact_priors) {
  Node node;
  node.move_count = move_count & 0x7f;
  node.has_exact_priors = has_exact_priors ? 1 : 0;
  const BlockIndex index = Allocate(NodeUnits(node));
  if (index != 0) std::construct_at(reinterpret_cast<Node*>(Address(index)), node);
  return index;
}

void Tree::SetPriors(Node* node, std::span<const float> priors, std::span<const Move> moves) {
  assert(priors.size() == node->move_count && node->edge_count == 0);
  if (node->has_exact_priors) {
    std::transform(priors.begin(), priors.end(), node->PriorArray<uint16_t>(), QuantizePrior);
  } else {
    EncodePriors(priors, node->PriorArray<uint8_t>());
  }
  node->FindNext(moves);
}

bool Tree::Grow(BlockIndex* index) {
  const Node& old = node(*index);
  const int capacity = std::clamp(2 * old.edge_capacity, 1, int{old.move_count});
  const BlockIndex block = Allocate(NodeUnits(capacity, old.prior_bytes()));
  if (block == 0) return false;
  Node& grown = node(block);
  grown = old;
  grown.edge_capacity = static_cast<uint8_t>(capacity);
  for (const EdgeRef edge : old.edges()) grown.edges()[edge.place()].Store(edge.Load());
  std::copy_n(old.PriorArray<std::byte>(), old.prior_bytes(), grown.PriorArray<std::byte>());
  Release(*index, NodeUnits(old));
  *index = block;
  return true;
}

EdgeRef Tree::NewEdge(BlockIndex* index, int place, Move move, std::span<const Move> moves) {
  if (node(*index).edge_count == node(*index).edge_capacity && !Grow(index)) return {};
  Node& parent = node(*index);
  const EdgeRef edge = parent.edges()[parent.edge_count];
  ++parent.edge_count;
  Edge fresh;
  fresh.prior = parent.prior(static_cast<size_t>(place));
  parent.set_prior(static_cast<size_t>(place), 0);
  fresh.move = move;
  edge.Store(fresh);
  parent.FindNext(moves);
  return edge;
}

void Tree::Free(BlockIndex root) {
  std::vector<BlockIndex> left{root};
  while (!left.empty()) {
    const BlockIndex index = left.back();
    left.pop_back();
    const Node& dead = node(index);
    for (const EdgeRef edge : dead.edges()) {
      if (edge.child() != 0) left.push_back(edge.child());
    }
    Release(index, NodeUnits(dead));
  }
}

void Tree::Coalesce() {
  struct Block {
    BlockIndex index;
    size_t units;
  };
  std::vector<Block> blocks;
  for (size_t units = 1; units <= kMaxUnits; ++units) {
    while (free_[units] != 0) blocks.push_back({TakeFree(units), units});
  }
  std::sort(blocks.begin(), blocks.end(),
            [](const Block& a, const Block& b) { return a.index < b.index; });
  for (size_t i = 0; i < blocks.size();) {
    Block run = blocks[i++];
    while (i < blocks.size() && blocks[i].index == run.index + run.units) {
      run.units += blocks[i++].units;
    }
    for (; run.units > 0;) {
      const size_t units = std::min(run.units, kMaxUnits);
      Release(run.index, units);
      run.index += static_cast<BlockIndex>(units);
      run.units -= units;
    }
  }
}

void Tree::Clear() {
  next_unit_ = 1;
  used_units_ = 0;
  std::fill(std::begin(free_), std::end(free_), BlockIndex{0});
}

}  // namespace chuhe
