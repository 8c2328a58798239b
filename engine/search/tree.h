// The memory of a tree search: nodes and edges in blocks of one arena with a hard limit.
//
// A node is made when its position is evaluated. It keeps the priors of its legal moves, two bytes
// each, in the order of GenerateLegal(); the moves themselves are generated again when needed. An
// edge is made when its move is tried for the first time: it holds the statistics of the move, side
// by side with those of its brothers, so that choosing among them touches no child.
//
//   Node  | edges ─┐ | visits | best untried move | … | priors of all moves (0 once tried) |
//                  └──► Edge Edge Edge …   (tried moves, in the order of their first trial)
//                         │ child
//                         ▼
//                        Node
//
// Since all untried moves of a node are expected to be worth the same, the next one to try is
// always the one with the highest prior: only that one has to be known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
  // A draw by a second occurrence below the root: holds while the root stays where it is.
  static constexpr uint8_t kTwofold = 128;

  int proof_plies() const { return proof_bits & kMaxProofPlies; }
  uint32_t started() const { return visits + in_flight; }
};
static_assert(sizeof(Edge) == 28);

struct Node {
  BlockIndex edges = 0;
  uint32_t visits = 0;      // its own evaluation and those of all moves
  uint16_t next_prior = 0;  // of the best untried move; 0 when all have been tried
  uint8_t next_index = 0;   // its place in the list of legal moves
  uint8_t move_count = 0;
  uint8_t edge_count = 0;
  uint8_t edge_capacity = 0;
  bool is_pending = false;  // waits for its evaluation: has no priors yet

  static constexpr float kPriorUnit = 1.0f / 65535;

  // Of the legal moves, in their order; 0 for those that have an edge.
  uint16_t* priors() { return reinterpret_cast<uint16_t*>(this + 1); }
  const uint16_t* priors() const { return reinterpret_cast<const uint16_t*>(this + 1); }
  bool has_untried_moves() const { return edge_count < move_count; }
};
static_assert(sizeof(Node) == 16);

// Owned by one thread.
class Tree {
 public:
  // Never holds more than `max_bytes` (at least one chunk of 2 MiB) of nodes and edges.
  explicit Tree(size_t max_bytes);

  // A node for a position with that many legal moves; 0 if there is no room.
  BlockIndex NewNode(int move_count);
  // Sets the priors of a new node; they are positive and sum to about 1.
  void SetPriors(Node* node, std::span<const float> priors);
  // An edge for an untried move and its place in the list of legal moves. Null if there is no room.
  Edge* NewEdge(Node* node, int index, Move move);

  Node& node(BlockIndex index) { return *reinterpret_cast<Node*>(Address(index)); }
  const Node& node(BlockIndex index) const { return *reinterpret_cast<Node*>(Address(index)); }
  std::span<Edge> edges(const Node& node) const {
    return {reinterpret_cast<Edge*>(Address(node.edges)), node.edge_count};
  }

  // A hint that the node will be looked at soon.
  void PrefetchNode(BlockIndex index) const {
    const std::byte* const address = Address(index);
    Prefetch(address);
    Prefetch(address + 64);
  }
  void PrefetchEdges(const Node& node) const { Prefetch(Address(node.edges)); }

  // Gives back the whole subtree of a node, itself included.
  void Free(BlockIndex node);
  // Joins free blocks that lie side by side, after much has been freed: larger ones can be had
  // again.
  void Coalesce();
  void Clear();

  size_t used_bytes() const { return used_units_ * kUnitBytes; }
  size_t max_bytes() const { return max_bytes_; }

 private:
  static constexpr size_t kUnitBytes = 16;
  static constexpr size_t kChunkUnits = kLargePageBytes / kUnitBytes;
  // The largest block is the one for the edges of a node with all its moves tried.
  static constexpr size_t kMaxUnits = 256;

  static constexpr size_t Units(size_t bytes) { return (bytes + kUnitBytes - 1) / kUnitBytes; }
  static size_t NodeUnits(int move_count);
  static size_t EdgeUnits(int capacity);

  std::byte* Address(BlockIndex index) const {
    return chunks_[index / kChunkUnits].get() + index % kChunkUnits * kUnitBytes;
  }
  BlockIndex Allocate(size_t units);
  BlockIndex TakeFree(size_t units);
  BlockIndex Split(size_t units);
  bool AddChunk();
  void Release(BlockIndex index, size_t units);
  void FindNext(Node* node) const;

  size_t max_bytes_;
  std::vector<LargeBlock> chunks_;
  size_t next_unit_ = kChunkUnits;  // in the last chunk
  size_t used_units_ = 0;
  BlockIndex free_[kMaxUnits + 1] = {};  // by size: the first free block, each holds the next one
};

}  // namespace chuhe
