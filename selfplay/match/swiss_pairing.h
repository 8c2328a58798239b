// Who meets whom in a round of a Swiss tournament: neighbours of the table, but nobody twice as
// long as that can be helped.
//
// To take the nearest free opponent for one after the other can leave over two who have met. So
// each choice is made only if the rest can still be paired as well as possible, which a largest
// matching of the graph of those who have not met tells (Edmonds, "Paths, trees, and flowers").
#pragma once

#include <set>
#include <utility>
#include <vector>

namespace chuhe {

// Pairs of players, lower number first.
using MetPairs = std::set<std::pair<int, int>>;

// How many players must meet again, in pairs, whatever the pairing; their number is even.
int FewestRematches(const std::vector<int>& players, const MetPairs& met);

// The pairs, each with the better placed first; `order` has all players, best first, an even
// number. With as few rematches as possible; among such pairings each, from the best on, has the
// nearest opponent.
std::vector<std::pair<int, int>> PairNeighbours(std::vector<int> order, const MetPairs& met);

}  // namespace chuhe
