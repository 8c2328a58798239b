#include "selfplay/match/swiss_pairing.h"

#include <algorithm>
#include <numeric>

namespace chuhe {
namespace {

// Edmonds' algorithm: augments along alternating paths; an odd cycle that is met on the way (a
// blossom) is shrunk into its base. O(n^3). Owned by one thread.
class LargestMatching {
 public:
  LargestMatching(const std::vector<int>& players, const MetPairs& met)
      : size_(players.size()), mates_(size_, kNone), neighbours_(size_) {
    for (size_t a = 0; a < size_; ++a) {
      for (size_t b = 0; b < size_; ++b) {
        if (a != b && !met.contains(std::minmax(players[a], players[b]))) {
          neighbours_[a].push_back(b);
        }
      }
    }
  }

  size_t Pairs() {
    size_t pairs = 0;
    for (size_t root = 0; root < size_; ++root) {
      if (mates_[root] == kNone && Augment(root)) ++pairs;
    }
    return pairs;
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  // The base that the paths from two outer vertices to the root have in common.
  size_t CommonBase(size_t a, size_t b) const {
    std::vector<bool> on_path(size_);
    for (;;) {
      a = bases_[a];
      on_path[a] = true;
      if (mates_[a] == kNone) break;
      a = parents_[mates_[a]];
    }
    while (!on_path[bases_[b]]) b = parents_[mates_[bases_[b]]];
    return bases_[b];
  }

  void MarkPath(size_t vertex, size_t base, size_t child, std::vector<bool>* blossom) {
    while (bases_[vertex] != base) {
      (*blossom)[bases_[vertex]] = (*blossom)[bases_[mates_[vertex]]] = true;
      parents_[vertex] = child;
      child = mates_[vertex];
      vertex = parents_[child];
    }
  }

  void Shrink(size_t a, size_t b) {
    const size_t base = CommonBase(a, b);
    std::vector<bool> blossom(size_);
    MarkPath(a, base, b, &blossom);
    MarkPath(b, base, a, &blossom);
    for (size_t vertex = 0; vertex < size_; ++vertex) {
      if (!blossom[bases_[vertex]]) continue;
      bases_[vertex] = base;
      if (!is_outer_[vertex]) waiting_.push_back(vertex);
      is_outer_[vertex] = true;
    }
  }

  // Looks for a path from the root to another single vertex and swaps the pairs along it.
  bool Augment(size_t root) {
    is_outer_.assign(size_, false);
    parents_.assign(size_, kNone);
    bases_.resize(size_);
    std::iota(bases_.begin(), bases_.end(), size_t{0});
    is_outer_[root] = true;
    waiting_ = {root};
    for (size_t next = 0; next < waiting_.size(); ++next) {
      const size_t vertex = waiting_[next];
      for (const size_t other : neighbours_[vertex]) {
        if (bases_[vertex] == bases_[other] || mates_[vertex] == other) continue;
        if (other == root || (mates_[other] != kNone && parents_[mates_[other]] != kNone)) {
          Shrink(vertex, other);
        } else if (parents_[other] == kNone) {
          parents_[other] = vertex;
          if (mates_[other] == kNone) {
            SwapPairs(other);
            return true;
          }
          is_outer_[mates_[other]] = true;
          waiting_.push_back(mates_[other]);
        }
      }
    }
    return false;
  }

  void SwapPairs(size_t vertex) {
    while (vertex != kNone) {
      const size_t parent = parents_[vertex];
      const size_t next = mates_[parent];
      mates_[vertex] = parent;
      mates_[parent] = vertex;
      vertex = next;
    }
  }

  const size_t size_;
  std::vector<size_t> mates_;
  std::vector<std::vector<size_t>> neighbours_;
  // Of the search that runs. Outer vertices are an even number of edges from the root.
  std::vector<bool> is_outer_;
  std::vector<size_t> parents_;  // of inner vertices, and within blossoms
  std::vector<size_t> bases_;    // of the blossom that a vertex is in
  std::vector<size_t> waiting_;
};

}  // namespace

int FewestRematches(const std::vector<int>& players, const MetPairs& met) {
  return static_cast<int>(players.size() / 2 - LargestMatching(players, met).Pairs());
}

std::vector<std::pair<int, int>> PairNeighbours(std::vector<int> order, const MetPairs& met) {
  std::vector<std::pair<int, int>> pairs;
  int rematches = FewestRematches(order, met);
  while (!order.empty()) {
    const int first = order.front();
    order.erase(order.begin());
    for (size_t i = 0; i < order.size(); ++i) {
      std::vector<int> rest = order;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      const int again = met.contains(std::minmax(first, order[i])) ? 1 : 0;
      if (again + FewestRematches(rest, met) > rematches) continue;
      pairs.emplace_back(first, order[i]);
      rematches -= again;
      order = std::move(rest);
      break;
    }
  }
  return pairs;
}

}  // namespace chuhe
