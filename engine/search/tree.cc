#include "engine/search/tree.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>

namespace chuhe {

Tree::Tree(size_t max_bytes) : max_bytes_(std::max(max_bytes, kChunkUnits * kUnitBytes)) {}

size_t Tree::NodeUnits(int move_count) {
  return Units(sizeof(Node) + static_cast<size_t>(move_count) * sizeof(uint16_t));
}

size_t Tree::EdgeUnits(int capacity) { return Units(static_cast<size_t>(capacity) * sizeof(Edge)); }

BlockIndex Tree::Allocate(size_t units) {
  assert(units <= kMaxUnits);
  if (free_[units] != 0) return TakeFree(units);
  if (next_unit_ + units > kChunkUnits && !AddChunk()) return Split(units);
  const size_t index = (chunks_.size() - 1) * kChunkUnits + next_unit_;
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

bool Tree::AddChunk() {
  if ((chunks_.size() + 1) * kChunkUnits * kUnitBytes > max_bytes_) return false;
  // What is left of the old chunk is of use for smaller blocks.
  if (const size_t rest = kChunkUnits - next_unit_; rest > 0) {
    used_units_ += rest;
    Release(static_cast<BlockIndex>((chunks_.size() - 1) * kChunkUnits + next_unit_), rest);
  }
  chunks_.push_back(NewLargeBlock(kChunkUnits * kUnitBytes));
  next_unit_ = chunks_.size() == 1 ? 1 : 0;  // index 0 is no block
  return true;
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
  const BlockIndex index = Allocate(NodeUnits(move_count));
  if (index == 0) return 0;
  Node* const node = std::construct_at(reinterpret_cast<Node*>(Address(index)));
  node->move_count = static_cast<uint8_t>(move_count);
  node->is_pending = true;
  return index;
}

void Tree::SetPriors(Node* node, std::span<const float> priors) {
  assert(priors.size() == node->move_count);
  uint16_t* const quantized = node->priors();
  for (size_t i = 0; i < priors.size(); ++i) {
    // Never 0, which stands for a move that has been tried.
    quantized[i] = static_cast<uint16_t>(std::clamp(priors[i] * 65535.0f + 0.5f, 1.0f, 65535.0f));
  }
  node->is_pending = false;
  FindNext(node);
}

void Tree::FindNext(Node* node) const {
  const uint16_t* const priors = node->priors();
  const uint16_t* const best = std::max_element(priors, priors + node->move_count);
  node->next_prior = node->move_count == 0 ? uint16_t{0} : *best;
  node->next_index = static_cast<uint8_t>(best - priors);
}

Edge* Tree::NewEdge(Node* node, int index, Move move) {
  if (node->edge_count == node->edge_capacity) {
    const int capacity = std::clamp(2 * node->edge_capacity, 1, int{node->move_count});
    const BlockIndex block = Allocate(EdgeUnits(capacity));
    if (block == 0) return nullptr;
    if (node->edges != 0) {
      std::memcpy(Address(block), Address(node->edges), node->edge_count * sizeof(Edge));
      Release(node->edges, EdgeUnits(node->edge_capacity));
    }
    node->edges = block;
    node->edge_capacity = static_cast<uint8_t>(capacity);
  }
  auto* const edge = reinterpret_cast<Edge*>(Address(node->edges)) + node->edge_count++;
  std::construct_at(edge);
  edge->move = move;
  edge->prior = node->priors()[index];
  node->priors()[index] = 0;
  FindNext(node);
  return edge;
}

void Tree::Free(BlockIndex root) {
  std::vector<BlockIndex> left{root};
  while (!left.empty()) {
    const BlockIndex index = left.back();
    left.pop_back();
    const Node& dead = node(index);
    for (const Edge& edge : edges(dead)) {
      if (edge.child != 0) left.push_back(edge.child);
    }
    if (dead.edges != 0) Release(dead.edges, EdgeUnits(dead.edge_capacity));
    Release(index, NodeUnits(dead.move_count));
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
    while (i < blocks.size() && blocks[i].index == run.index + run.units &&
           blocks[i].index % kChunkUnits != 0) {
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
  chunks_.clear();
  next_unit_ = kChunkUnits;
  used_units_ = 0;
  std::fill(std::begin(free_), std::end(free_), BlockIndex{0});
}

}  // namespace chuhe
