#include "engine/search/tree.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace chuhe {
namespace {

// Clear() gives memory back to the system when there was more than this in use.
constexpr size_t kKeptBytes = size_t{4} << 20;

}  // namespace

void Node::FindNext(std::span<const Move> moves) {
  // The highest prior, of equal ones the first: in one number, so that compilers find the highest
  // of many at once.
  constexpr uint32_t kLastPlace = 255;
  uint32_t best = 0;
  const std::span<const uint16_t> all = priors();
  for (uint32_t i = 0; i < move_count; ++i) {
    best = std::max(best, uint32_t{all[i]} << 8 | (kLastPlace - i));
  }
  next_prior = static_cast<uint16_t>(best >> 8);
  next_index = static_cast<uint8_t>(kLastPlace - (best & kLastPlace));
  next_move = next_prior == 0 || moves.empty() ? Move() : moves[next_index];
}

Tree::Tree(size_t max_bytes)
    : max_bytes_(std::clamp(max_bytes, kMinBytes, kMaxBytes)), memory_(NewLargeBlock(max_bytes_)) {}

size_t Tree::NodeUnits(int move_count, int edge_capacity) {
  const size_t bytes = sizeof(Node) +
                       static_cast<size_t>(edge_capacity) * EdgeArrays::kBytesPerEdge +
                       static_cast<size_t>(move_count) * sizeof(uint16_t);
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

BlockIndex Tree::NewNode(int move_count) {
  const BlockIndex index = Allocate(NodeUnits(move_count, 0));
  if (index == 0) return 0;
  Node* const node = std::construct_at(reinterpret_cast<Node*>(Address(index)));
  node->move_count = static_cast<uint8_t>(move_count);
  return index;
}

void Tree::SetPriors(Node* node, std::span<const float> priors, std::span<const Move> moves) {
  assert(priors.size() == node->move_count && node->edge_count == 0);
  const auto quantized = node->priors();
  for (size_t i = 0; i < priors.size(); ++i) {
    // Never 0, which stands for a move that has been tried.
    quantized[i] = static_cast<uint16_t>(std::clamp(priors[i] * 65535.0f + 0.5f, 1.0f, 65535.0f));
  }
  node->FindNext(moves);
}

bool Tree::Grow(BlockIndex* index) {
  const Node& old = node(*index);
  const int capacity = std::clamp(2 * old.edge_capacity, 1, int{old.move_count});
  const BlockIndex block = Allocate(NodeUnits(old.move_count, capacity));
  if (block == 0) return false;
  Node& grown = node(block);
  grown = old;
  grown.edge_capacity = static_cast<uint8_t>(capacity);
  for (const EdgeRef edge : old.edges()) grown.edges()[edge.place()].Store(edge.Load());
  std::memcpy(grown.priors().data(), old.priors().data(), old.priors().size_bytes());
  Release(*index, NodeUnits(old.move_count, old.edge_capacity));
  *index = block;
  return true;
}

EdgeRef Tree::NewEdge(BlockIndex* index, int place, Move move, std::span<const Move> moves) {
  if (node(*index).edge_count == node(*index).edge_capacity && !Grow(index)) return {};
  Node& parent = node(*index);
  const EdgeRef edge = parent.edges()[parent.edge_count];
  ++parent.edge_count;
  uint16_t& prior = parent.priors()[static_cast<size_t>(place)];
  Edge fresh;
  fresh.prior = std::exchange(prior, uint16_t{0});
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
    Release(index, NodeUnits(dead.move_count, dead.edge_capacity));
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
  if (next_unit_ * kUnitBytes > kKeptBytes) memory_ = NewLargeBlock(max_bytes_);
  next_unit_ = 1;
  used_units_ = 0;
  std::fill(std::begin(free_), std::end(free_), BlockIndex{0});
}

}  // namespace chuhe
