// The memory of a tree search: nodes with their edges in blocks of one arena with a hard limit.
//
// A node is made when its position is evaluated. It keeps the priors of its legal moves, two bytes
// each, in the order of GenerateLegal(); the moves themselves are generated again when needed. An
// edge is made when its move is tried for the first time: it holds the statistics of the move, side
// by side with those of its brothers, so that choosing among them touches no child.
//
//   block of a node: | Node | Edge Edge Edge … room | priors of all moves (0 once tried) |
//                              │ child
//                              ▼
//                            block of the child
//
// One step down the tree thus waits for memory once. When its edges need more room the whole block
// moves to a larger one, and whoever holds its index (the edge above it) takes the new one.
//
// Since all untried moves of a node are expected to be worth the same, the next one to try is
// always the one with the highest prior: only that one has to be known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/memory.h"
#include "engine/board/types.h"

namespace chuhe {

// Where a block begins, in units of 16 bytes; 0 is no block.
using BlockIndex = uint32_t;

// What is known for certain about a move or position, for the side that makes the move.
enum class Proof : uint8_t { kNone, kWin, kDraw, kLoss };

constexpr Proof Opposite(Proof proof) {
  if (proof == Proof::kWin) return Proof::kLoss;
  if (proof == Proof::kLoss) return Proof::kWin;
  return proof;
}

// A move that has been tried. Values are of the side that makes it.
struct Edge {
  BlockIndex child = 0;  // 0: decided by the rules, or recycled: to be evaluated again
  uint32_t visits = 0;
  float value = 0;       // mean of win − loss
  float draw = 0;        // mean chance of a draw
  float plies_left = 0;  // mean expectation after the move
  uint16_t prior = 0;    // in units of 1/65535
  Move move;
  uint16_t in_flight = 0;  // visits that wait for their evaluation
  Proof proof = Proof::kNone;
  // Low bits: plies to the proven end, at most kMaxProofPlies. Then flags.
  uint8_t proof_bits = 0;

  static constexpr int kMaxProofPlies = 63;
  // The proof rests on a verdict of the rules, not on mate alone.
  static constexpr uint8_t kByRule = 64;
  // Decided by a second occurrence below the root: holds while the root stays where it is.
  static constexpr uint8_t kTwofold = 128;

  int proof_plies() const { return proof_bits & kMaxProofPlies; }
  uint32_t started() const { return visits + in_flight; }
};
static_assert(sizeof(Edge) == 28);

struct Node {
  float value = 0;          // its own evaluation: win − loss of the side to move
  uint16_t next_prior = 0;  // of the best untried move; 0 when all have been tried
  uint8_t next_index = 0;   // its place in the list of legal moves
  uint8_t move_count = 0;
  uint8_t edge_count = 0;
  uint8_t edge_capacity = 0;
  bool is_pending = false;  // waits for its evaluation: has no priors yet
  uint8_t unused = 0;

  static constexpr float kPriorUnit = 1.0f / 65535;

  // The tried moves, in the order of their first trial.
  std::span<Edge> edges() { return {reinterpret_cast<Edge*>(this + 1), edge_count}; }
  std::span<const Edge> edges() const {
    return {reinterpret_cast<const Edge*>(this + 1), edge_count};
  }
  // Of the legal moves, in their order; 0 for those that have an edge.
  std::span<uint16_t> priors() {
    return {reinterpret_cast<uint16_t*>(edges().data() + edge_capacity), move_count};
  }
  std::span<const uint16_t> priors() const {
    return {reinterpret_cast<const uint16_t*>(edges().data() + edge_capacity), move_count};
  }
  bool has_untried_moves() const { return edge_count < move_count; }
  // Sets next_prior and next_index after the priors have changed.
  void FindNext();
};
static_assert(sizeof(Node) == 12);

// Owned by one thread.
class Tree {
 public:
  static constexpr size_t kMinBytes = size_t{64} << 10;
  // What an index can reach.
  static constexpr size_t kMaxBytes = size_t{64} << 30;

  // Never holds more than `max_bytes` of nodes, from kMinBytes to kMaxBytes. Memory is in use when
  // nodes are in it, not before.
  explicit Tree(size_t max_bytes);

  // A node for a position with that many legal moves; 0 if there is no room.
  BlockIndex NewNode(int move_count);
  // Sets the priors of a new node; they are positive and sum to about 1.
  static void SetPriors(Node* node, std::span<const float> priors);
  // An edge for an untried move and its place in the list of legal moves. The node may move: then
  // `*node` is its new index. Null if there is no room.
  Edge* NewEdge(BlockIndex* node, int index, Move move);

  Node& node(BlockIndex index) { return *reinterpret_cast<Node*>(Address(index)); }
  const Node& node(BlockIndex index) const { return *reinterpret_cast<Node*>(Address(index)); }

  // A hint that the node will be looked at soon.
  void PrefetchNode(BlockIndex index) const {
    const std::byte* const address = Address(index);
    Prefetch(address);
    Prefetch(address + 64);
    Prefetch(address + 128);
  }

  // Gives back the whole subtree of a node, itself included.
  void Free(BlockIndex node);
  // Joins free blocks that lie side by side, after much has been freed: larger ones can be had
  // again.
  void Coalesce();
  // Forgets all nodes. Cheap: a little memory is kept for the next ones.
  void Clear();

  size_t used_bytes() const { return used_units_ * kUnitBytes; }
  size_t max_bytes() const { return max_bytes_; }

 private:
  static constexpr size_t kUnitBytes = 16;
  // The largest block is the one of a node with all its moves tried.
  static constexpr size_t kMaxUnits = 256;

  static size_t NodeUnits(int move_count, int edge_capacity);

  std::byte* Address(BlockIndex index) const { return memory_.get() + index * kUnitBytes; }
  BlockIndex Allocate(size_t units);
  BlockIndex TakeFree(size_t units);
  BlockIndex Split(size_t units);
  void Release(BlockIndex index, size_t units);
  // Moves the node to a block with room for more edges; false if there is none.
  bool Grow(BlockIndex* node);

  size_t max_bytes_;
  LargeBlock memory_;
  size_t next_unit_ = 1;  // never used so far, and all behind it; index 0 is no block
  size_t used_units_ = 0;
  BlockIndex free_[kMaxUnits + 1] = {};  // by size: the first free block, each holds the next one
};

}  // namespace chuhe
