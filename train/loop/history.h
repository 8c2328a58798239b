// What a training loop has done so far, generation by generation: the file history.json of its run
// folder. Everything that is shown of a run is made from it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace chuhe {

// All games of a ladder between two players, one always with red. Networks of the run are named
// `gen-N`, the others as the match runner names them.
struct LadderResult {
  std::string red;
  std::string black;
  int red_wins = 0;
  int draws = 0;
  int black_wins = 0;

  friend bool operator==(const LadderResult&, const LadderResult&) = default;
};

// Means over some steps up to this one.
struct LossPoint {
  int64_t step = 0;
  double policy = 0;
  double wdl = 0;
  double total = 0;

  friend bool operator==(const LossPoint&, const LossPoint&) = default;
};

// How the games were played that were finished while a network learnt.
struct GamesSummary {
  int64_t games = 0;
  int64_t evaluations = 0;  // by networks; 0 in histories that did not count them
  int64_t red_wins = 0;
  int64_t draws = 0;
  int64_t black_wins = 0;
  double mean_plies = 0;
  int median_plies = 0;
  std::map<std::string, int64_t> ends;  // how they ended, by name
  int64_t audited = 0;                  // played on past an adjudication or a resignation
  int64_t audited_wrong = 0;            // of these: ended otherwise

  friend bool operator==(const GamesSummary&, const GamesSummary&) = default;
};

struct Generation {
  int number = 0;  // 0 is the network that the run began with
  std::string sha256;
  int64_t steps = 0;      // in all
  int64_t games = 0;      // in all, in shards
  int64_t positions = 0;  // in all, with a policy
  GamesSummary play;      // since the generation before
  std::vector<LossPoint> losses;
  double seconds = 0;  // of the run, without the time that it stood still
  double positions_per_s = 0;
  double evaluations_per_s = 0;
  double samples_per_s = 0;  // while training
  std::vector<LadderResult> ladder;

  friend bool operator==(const Generation&, const Generation&) = default;
};

std::string GenerationName(int number);
// Of all games up to each generation.
std::vector<int64_t> EvaluationsUpTo(const std::vector<Generation>& generations);

// Whole generations, in order, from 0.
std::string FormatHistory(const std::vector<Generation>& generations);
// Errors name the place, after `name`, and what was expected.
absl::StatusOr<std::vector<Generation>> ParseHistory(absl::string_view text,
                                                     absl::string_view name);

// The file; no generations where there is none.
absl::StatusOr<std::vector<Generation>> ReadHistory(const std::string& path);
// Written aside and renamed.
absl::Status WriteHistory(const std::string& path, const std::vector<Generation>& generations);

}  // namespace chuhe
