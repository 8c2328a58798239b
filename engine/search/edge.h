// A move that has been tried, with its statistics: by itself, and as one of those of a node.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/board/types.h"

namespace chuhe {

// Where a block of the tree's memory begins, in units of 16 bytes; 0 is no block.
using BlockIndex = uint32_t;

// What is known for certain about a move or position, for the side that makes the move.
enum class Proof : uint8_t { kNone, kWin, kDraw, kLoss };

constexpr Proof Opposite(Proof proof) {
  if (proof == Proof::kWin) return Proof::kLoss;
  if (proof == Proof::kLoss) return Proof::kWin;
  return proof;
}

// What formulas about the position after a move need of the move.
struct EdgeMeans {
  float started = 0;
  float value = 0;
  float draw = 0;
  float plies_left = 0;
};

// Values are of the side that makes the move.
struct Edge {
  uint32_t visits = 0;
  float value = 0;         // mean of win − loss
  float draw = 0;          // mean chance of a draw
  float plies_left = 0;    // mean expectation after the move
  uint16_t prior = 0;      // in units of 1/65535
  uint16_t in_flight = 0;  // visits that wait for their evaluation
  BlockIndex child = 0;    // 0: decided by the rules, or recycled: to be evaluated again
  Move move;
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
  EdgeMeans means() const { return {static_cast<float>(started()), value, draw, plies_left}; }
};

// The edges of a node as they lie in memory: an array for each kind of number, each with room for
// `capacity` edges, so that a choice computes with many at once. The arrays follow each other in
// the order of the fields of Edge. Valid until the node moves.
class EdgeArrays {
 public:
  static constexpr size_t kBytesPerEdge = 28;

  EdgeArrays() = default;
  EdgeArrays(std::byte* memory, uint32_t capacity) : memory_(memory), capacity_(capacity) {}

  uint32_t* visits() const { return Array<uint32_t>(0); }
  float* value() const { return Array<float>(4); }
  float* draw() const { return Array<float>(8); }
  float* plies_left() const { return Array<float>(12); }
  uint16_t* prior() const { return Array<uint16_t>(16); }
  uint16_t* in_flight() const { return Array<uint16_t>(18); }
  BlockIndex* child() const { return Array<BlockIndex>(20); }
  Move* move() const { return Array<Move>(24); }
  Proof* proof() const { return Array<Proof>(26); }
  uint8_t* proof_bits() const { return Array<uint8_t>(27); }

 private:
  template <typename T>
  T* Array(size_t bytes_before) const {
    return reinterpret_cast<T*>(memory_ + bytes_before * capacity_);
  }

  friend class EdgeRef;

  std::byte* memory_ = nullptr;
  uint32_t capacity_ = 0;
};

// One of the edges of a node; like a pointer it may be none. Valid until the node moves. Of 16
// bytes, so that functions return it in registers.
class EdgeRef {
 public:
  EdgeRef() = default;
  EdgeRef(const EdgeArrays& arrays, size_t place)
      : memory_(arrays.memory_),
        capacity_(arrays.capacity_),
        place_(static_cast<uint32_t>(place)) {}

  explicit operator bool() const { return memory_ != nullptr; }
  // Among the edges of its node.
  size_t place() const { return place_; }

  uint32_t& visits() const { return arrays().visits()[place_]; }
  float& value() const { return arrays().value()[place_]; }
  float& draw() const { return arrays().draw()[place_]; }
  float& plies_left() const { return arrays().plies_left()[place_]; }
  uint16_t& prior() const { return arrays().prior()[place_]; }
  uint16_t& in_flight() const { return arrays().in_flight()[place_]; }
  BlockIndex& child() const { return arrays().child()[place_]; }
  Move& move() const { return arrays().move()[place_]; }
  Proof& proof() const { return arrays().proof()[place_]; }
  uint8_t& proof_bits() const { return arrays().proof_bits()[place_]; }

  EdgeMeans means() const {
    return {static_cast<float>(visits() + in_flight()), value(), draw(), plies_left()};
  }
  Edge Load() const {
    return {visits(),    value(), draw(), plies_left(), prior(),
            in_flight(), child(), move(), proof(),      proof_bits()};
  }
  void Store(const Edge& edge) const {
    visits() = edge.visits;
    value() = edge.value;
    draw() = edge.draw;
    plies_left() = edge.plies_left;
    prior() = edge.prior;
    in_flight() = edge.in_flight;
    child() = edge.child;
    move() = edge.move;
    proof() = edge.proof;
    proof_bits() = edge.proof_bits;
  }

 private:
  EdgeArrays arrays() const { return {memory_, capacity_}; }

  std::byte* memory_ = nullptr;
  uint32_t capacity_ = 0;
  uint32_t place_ = 0;
};
static_assert(sizeof(EdgeRef) == 16);

// The edges of a node, in the order of their first trial.
class EdgeList {
 public:
  EdgeList(const EdgeArrays& arrays, uint8_t size) : arrays_(arrays), size_(size) {}

  size_t size() const { return size_; }
  const EdgeArrays& arrays() const { return arrays_; }
  EdgeRef operator[](size_t place) const { return {arrays_, place}; }

  // The edge of a move, or the one that leads to a node; none if there is no such edge.
  EdgeRef Find(Move move) const { return FindIn(arrays_.move(), move); }
  EdgeRef FindChild(BlockIndex child) const { return FindIn(arrays_.child(), child); }

  class Iterator {
   public:
    Iterator(const EdgeList* list, size_t place) : list_(list), place_(place) {}
    EdgeRef operator*() const { return (*list_)[place_]; }
    Iterator& operator++() {
      ++place_;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const EdgeList* list_;
    size_t place_;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }

 private:
  template <typename T>
  EdgeRef FindIn(const T* array, T wanted) const {
    for (size_t place = 0; place < size_; ++place) {
      if (array[place] == wanted) return (*this)[place];
    }
    return {};
  }

  EdgeArrays arrays_;
  uint8_t size_;
};

}  // namespace chuhe
