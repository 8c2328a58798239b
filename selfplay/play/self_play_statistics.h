// Sums over the games of self-play.
#pragma once

#include <cstdint>

#include "selfplay/records/game_record.h"

namespace chuhe {

// Sums since the runner started. Those of resumed games count from where they were resumed.
struct SelfPlayStatistics {
  int64_t games = 0;        // finished, and in the store
  int64_t plies = 0;        // of the finished games
  int64_t positions = 0;    // searched, of all games
  int64_t samples = 0;      // of those, with a policy to learn
  int64_t evaluations = 0;  // by networks
  int64_t red_wins = 0;
  int64_t draws = 0;
  int64_t black_wins = 0;
  int64_t capped = 0;  // ended by the ply cap, whatever they counted as
  int64_t adjudicated = 0;
  int64_t resigned = 0;
  int64_t resignations_passed = 0;   // played on to see whether they would have been right
  int64_t resignations_wrong = 0;    // of those: not lost
  int64_t adjudications_passed = 0;  // likewise at the ply cap
  int64_t adjudications_wrong = 0;   // of those: another outcome in the end
  double seconds = 0;                // since the start
  int games_under_way = 0;

  // Counts a finished game.
  void AddGame(const GameRecord& record);
  // Adds sums of something else; `seconds` stays.
  void Add(const SelfPlayStatistics& other);
};

}  // namespace chuhe
