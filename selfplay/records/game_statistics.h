// What a collection of games is like, in numbers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "selfplay/records/game_record.h"

namespace chuhe {

struct GameStatistics {
  int64_t games = 0;
  int64_t plies = 0;
  int64_t searched_plies = 0;
  int64_t policy_plies = 0;  // of which a policy can be learnt
  int64_t evaluations = 0;   // by networks
  int64_t forks = 0;
  std::array<int64_t, 4> outcomes{};    // by Outcome
  std::map<std::string, int64_t> ends;  // `checkmate`, `ply-cap`, … by name
  std::map<int, int64_t> lengths;       // how many games have so many plies
  // Ends that were passed over to see whether they were right, and how many were not.
  int64_t passed_resignations = 0;
  int64_t wrong_resignations = 0;
  int64_t passed_adjudications = 0;
  int64_t wrong_adjudications = 0;

  void Add(const GameRecord& record);

  int64_t end(const std::string& name) const;
  // The length that `share` of the games do not exceed; 0 without games.
  int LengthQuantile(double share) const;
  double MeanLength() const {
    return games == 0 ? 0 : static_cast<double>(plies) / static_cast<double>(games);
  }
};

}  // namespace chuhe
