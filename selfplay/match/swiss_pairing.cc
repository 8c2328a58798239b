#include "selfplay/match/swiss_pairing.h"

#include <algorithm>

#include "boost/graph/adjacency_list.hpp"
#include "boost/graph/max_cardinality_matching.hpp"

namespace chuhe {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

}  // namespace

int FewestRematches(const std::vector<int>& players, const MetPairs& met) {
  Graph strangers(players.size());
  for (size_t a = 0; a < players.size(); ++a) {
    for (size_t b = a + 1; b < players.size(); ++b) {
      if (!met.contains(std::minmax(players[a], players[b]))) add_edge(a, b, strangers);
    }
  }
  std::vector<Graph::vertex_descriptor> mates(players.size());
  boost::edmonds_maximum_cardinality_matching(strangers, mates.data());
  return static_cast<int>(players.size() / 2 - boost::matching_size(strangers, mates.data()));
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
