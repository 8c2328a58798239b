// Ratings over all matches, in an SQLite file that any program can read.
//
//   matches(id, identity, complete)                 a match of the same identity is replaced
//   encounters(match, red, black, red_wins, draws, black_wins)
//   anchors(player, elo)                            engines with `anchor=`
//   ratings(player, elo, error, games, points, pool)
//
// Players whom no chain of games links are rated apart, in pools of their own.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/match/match.h"
#include "selfplay/match/ratings.h"

namespace chuhe {

struct StoredRating {
  std::string player;
  Rating rating;
  int pool = 0;
};

// Whether results can be added to the file: an SQLite file of ours, or none yet. Errors name it.
absl::Status CheckRatingStore(const std::string& path);

// Adds the match and rates everybody anew, in one transaction; the ratings come back best first.
// Errors name the file.
absl::StatusOr<std::vector<StoredRating>> AddToRatings(const std::string& path,
                                                       const MatchOptions& options,
                                                       const MatchReport& report);

// The results of games by who had which colour.
std::vector<Encounter> EncountersOf(const std::vector<PlayedGame>& games);

}  // namespace chuhe
