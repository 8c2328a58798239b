// What a series of games between two players is worth: score, Elo with error bars, likelihood of
// superiority.
//
// Games come in pairs, the same opening with colours swapped. The two games of a pair depend on
// each other, so the variance is that of the pairs' scores (the *pentanomial* model), not that of
// single games.
#pragma once

#include <array>
#include <cstdint>

namespace chuhe {

// The score that a rating difference promises, and back; Elo is infinite at 0 and 1.
double ScoreOfElo(double elo);
double EloOfScore(double score);

// Results of single games, from the first player's view.
struct GameCounts {
  int64_t wins = 0;
  int64_t draws = 0;
  int64_t losses = 0;

  int64_t games() const { return wins + draws + losses; }
  // Points per game, 0 to 1; one half without games.
  double score() const;
};

// Results of pairs: element k counts those in which the first player made k/2 of 2 points.
struct PairCounts {
  std::array<int64_t, 5> pairs = {};

  int64_t total() const;
};

// A mean score per game and how sure it is.
struct ScoreEstimate {
  double score = 0.5;
  double variance = 0;        // of one observation (a game or a pair), about the mean
  double standard_error = 0;  // of the mean
};
ScoreEstimate EstimateScore(const GameCounts& counts);
ScoreEstimate EstimateScore(const PairCounts& counts);

// Of the first player over the second.
struct EloEstimate {
  double elo = 0;  // logistic; infinite where every point went to one side
  // The ends of the interval that covers the truth in 95 of 100 matches.
  double lower = 0;
  double upper = 0;
  // The chance that the first player is the stronger one.
  double superiority = 0.5;
  // The same difference in units of the games' spread (normalised Elo, Van den Bergh): what a test
  // needs to see it, whatever the share of draws. Zero where there is no spread.
  double normalized_elo = 0;
};
// Without error bars worth the name below two observations: then from -infinity to infinity.
EloEstimate EstimateElo(const GameCounts& counts);
EloEstimate EstimateElo(const PairCounts& counts);

// The standard normal distribution function.
double NormalCdf(double x);

}  // namespace chuhe
