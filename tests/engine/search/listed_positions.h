// Lists of positions on which several searches are tried.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/rules/game.h"

namespace chuhe {

// tests/data/mates.tsv: the side to move mates in just so many moves.
struct ListedMate {
  std::string fen;
  int moves = 0;
};
std::vector<ListedMate> ListedMates();

// The rows SEARCH-… of the shared cases, of which no mate may be announced. None without the folder
// of shared files, which CHUHE_SHARED names.
struct SearchCase {
  std::string id;
  std::string fen;
  std::string moves;
};
std::optional<std::vector<SearchCase>> SharedSearchCases();
inline constexpr char kNoSharedFiles[] = "CHUHE_SHARED does not name the folder of shared files";

}  // namespace chuhe
