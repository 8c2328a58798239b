#include "tests/engine/search/listed_positions.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "gtest/gtest.h"

namespace chuhe {

std::vector<ListedMate> ListedMates() {
  std::ifstream file(CHUHE_TEST_DATA "/mates.tsv");
  std::string fen;
  std::string moves;
  std::getline(file, fen);  // what it is
  std::getline(file, fen);  // the header
  std::vector<ListedMate> mates;
  while (std::getline(file, fen, '\t') && std::getline(file, moves)) {
    mates.push_back({fen, std::stoi(moves)});
  }
  EXPECT_GT(mates.size(), 150u);
  return mates;
}

std::optional<std::vector<SearchCase>> SharedSearchCases() {
  const char* const folder = std::getenv("CHUHE_SHARED");
  if (folder == nullptr) return {};
  std::ifstream file(std::string(folder) + "/cases/rules.tsv");
  std::vector<SearchCase> cases;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("SEARCH-")) continue;
    std::istringstream fields(line);
    SearchCase one;
    std::string rules;
    std::getline(fields, one.id, '\t');
    std::getline(fields, rules, '\t');
    std::getline(fields, one.fen, '\t');
    std::getline(fields, one.moves, '\t');
    cases.push_back(one);
  }
  EXPECT_FALSE(cases.empty());
  return cases;
}

}  // namespace chuhe
