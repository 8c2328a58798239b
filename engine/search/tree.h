// The memory of a tree search: nodes with their edges in blocks of one arena with a hard limit.
//
// A node is made when its position is evaluated. It keeps the priors of its legal moves, a byte
// each (prior_code.h; two where they have to be exact), in the order of GenerateLegal(); the moves
// themselves are generated again when needed. An edge is made when its move is tried for the first
// time: it holds the statistics of the move, side by side with those of its brothers, so that
// choosing among them touches no child. Each kind of number has an array of its own (edge.h), so
// that many edges are weighed at once.
//
//   block of a node: | Node | visits… values… draws… …children… | priors of all moves (0 once
//   tried) |
//                                                   │
//                                                   ▼
//                                                 block of the child
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
#include "engine/search/edge.h"
#include "engine/search/prior_code.h"

namespace chuhe {

struct Node {
  float value = 0;          // its own evaluation: win − loss of the side to move
  uint16_t next_prior = 0;  // of the best untried move; 0 when all have been tried
  uint8_t next_index = 0;   // its place in the list of legal moves
  uint8_t move_count : 7 = 0;
  uint8_t has_exact_priors : 1 = 0;  // two bytes each instead of one (prior_code.h)
  uint8_t edge_count = 0;
  uint8_t edge_capacity = 0;
  Move next_move;  // the best untried move itself, where it is known: no move otherwise

  static constexpr float kPriorUnit = 1.0f / 65535;

  // It waits for its evaluation: has no priors yet.
  bool is_pending() const { return next_prior == 0 && edge_count == 0; }
  // The tried moves, in the order of their first trial. Like a pointer they may be written to.
  EdgeList edges() const {
    auto* const memory = reinterpret_cast<std::byte*>(const_cast<Node*>(this) + 1);
    return {EdgeArrays(memory, edge_capacity), edge_count};
  }
  // Of the legal move at that place, in units of 1/65535; 0 if it has an edge.
  uint16_t prior(size_t place) const {
    return has_exact_priors ? PriorArray<uint16_t>()[place]
                            : DecodePrior(PriorArray<uint8_t>()[place]);
  }
  void set_prior(size_t place, uint16_t prior) {
    if (has_exact_priors) {
      PriorArray<uint16_t>()[place] = prior;
    } else {
      PriorArray<uint8_t>()[place] = EncodePrior(prior);
    }
  }
  size_t prior_bytes() const {
    return move_count * (has_exact_priors ? sizeof(uint16_t) : sizeof(uint8_t));
  }
  bool has_untried_moves() const { return edge_count < move_count; }
  // Sets what is next after the priors have changed. The legal moves may be left out where they
  // are not at hand.
  void FindNext(std::span<const Move> moves = {});

 private:
  friend class Tree;

  template <typename T>
  T* PriorArray() const {
    const size_t bytes = edge_capacity * EdgeArrays::kBytesPerEdge;
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(const_cast<Node*>(this) + 1) + bytes);
  }
};
static_assert(sizeof(Node) == 12);

// Owned by one thread.
class Tree {
 public:
  static constexpr size_t kMinBytes = size_t{64} << 10;
  // What an index can reach.
  static constexpr size_t kMaxBytes = size_t{64} << 30;

  // Never holds more than `max_bytes` of nodes, from kMinBytes to kMaxBytes. Memory is in use from
  // the first node in it on, and then for as long as the tree lives: to get it anew from the system
  // costs a large search up to an eighth of its time.
  explicit Tree(size_t max_bytes);

  // A node for a position with that many legal moves; 0 if there is no room. Its priors are kept to
  // 1/65535 where they are exact, otherwise to 1/32 of each (prior_code.h).
  BlockIndex NewNode(int move_count, bool has_exact_priors = false);
  // Sets the priors of a new node; they are positive and sum to about 1. Here and below the legal
  // moves may be left out: then the next move to try has to be looked for when its time comes.
  static void SetPriors(Node* node, std::span<const float> priors,
                        std::span<const Move> moves = {});
  // An edge for an untried move and its place in the list of legal moves. The node may move: then
  // `*node` is its new index. None if there is no room.
  EdgeRef NewEdge(BlockIndex* node, int index, Move move, std::span<const Move> moves = {});

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
  // Forgets all nodes. Cheap: the memory is kept for the next ones.
  void Clear();

  size_t used_bytes() const { return used_units_ * kUnitBytes; }
  size_t max_bytes() const { return max_bytes_; }

 private:
  static constexpr size_t kUnitBytes = 16;
  // The largest block is the one of a node with all its moves tried.
  static constexpr size_t kMaxUnits = 256;

  // Of a block for that many edges and bytes of priors.
  static size_t NodeUnits(int edge_capacity, size_t prior_bytes);
  static size_t NodeUnits(const Node& node) {
    return NodeUnits(node.edge_capacity, node.prior_bytes());
  }

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
