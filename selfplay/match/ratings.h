// Ratings of many players from all their games.
//
// The model of Bradley and Terry with an advantage for the first move: a game's expected score is
// the logistic function of the difference of ratings, and a draw counts as half a win and half a
// loss. So two players' difference is the Elo of their score, as `statistics.h` has it. The
// likelihood is concave and Newton's method finds its maximum. Since draws make scores less spread
// than wins and losses alone, error bars come from the spread that was seen (White's "sandwich"
// covariance, Econometrica 50, 1982).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace chuhe {

// All games of two players with one assignment of colours; counts need not be whole.
struct Encounter {
  int red = 0;  // index of the player
  int black = 0;
  double red_wins = 0;
  double draws = 0;
  double black_wins = 0;
};

struct RatedPlayer {
  std::string name;              // for messages
  std::optional<double> anchor;  // a rating that is known, in Elo
};

struct RatingOptions {
  // Draws that are added between players who have met, half of them with either colour. Keeps the
  // ratings of those finite who won or lost everything.
  double prior_draws = 0;
  // Whether to estimate what the first move is worth; otherwise nothing.
  bool estimate_advantage = true;
  // The mean of the ratings where no player has an anchor.
  double mean = 0;
};

struct Rating {
  double elo = 0;
  // Half the 95 % interval of the difference to the anchor (or to the mean); 0 for anchors.
  double error = 0;
  double games = 0;
  double points = 0;
};

struct RatingList {
  std::vector<Rating> players;  // in the order of the input
  double advantage = 0;         // of the first move, in Elo
  double advantage_error = 0;
};

// Errors: an encounter of unknown players or of a player with itself; players that no chain of
// games links; no finite maximum, because some players never lost a point to the others (and there
// is no prior). They name players.
absl::StatusOr<RatingList> RatePlayers(const std::vector<RatedPlayer>& players,
                                       const std::vector<Encounter>& encounters,
                                       const RatingOptions& options);

}  // namespace chuhe
