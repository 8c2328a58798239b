// The ladder: a network against opponents whose strength does not change, and against networks of
// the run before it; and the ratings that follow from all such games of a run.
//
// The games are those of the match runner, within the process.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/match/builtin_players.h"
#include "selfplay/match/ratings.h"
#include "train/loop/history.h"

namespace chuhe {

// The scale of the ratings is fixed by this player, of any run: its rating is kAnchorElo.
inline constexpr char kAnchorPlayer[] = "alphabeta:1";
inline constexpr double kAnchorElo = 1000;

struct LadderOptions {
  int games = 20;   // against each opponent, in pairs of swapped colours
  int visits = 64;  // of networks, a move
  // A game is drawn after so many plies.
  int ply_cap = 300;
  // The network plays against those of so many generations before, each twice as far back as the
  // one before.
  int earlier = 2;
  uint64_t seed = 1;
  int concurrency = 1;
};

struct LadderNetwork {
  int generation = 0;
  std::string path;  // of its file
};

// The opponents that are the same in every run, as the match runner names them.
std::vector<std::string> LadderAnchors();

// Plays the network against the anchors and against those of `earlier` that the options choose.
// Where `journal` is a file of the same games, they go on from there. Cancelled if `stop` was set.
absl::StatusOr<std::vector<LadderResult>> PlayLadder(const LadderOptions& options,
                                                     const LadderNetwork& network,
                                                     const std::vector<LadderNetwork>& earlier,
                                                     const std::string& journal,
                                                     const BuiltinFactory& networks,
                                                     const std::atomic<bool>& stop);

// The anchors against each other: what links their ratings. The same games every time.
absl::StatusOr<std::vector<LadderResult>> PlayAnchors(const LadderOptions& options,
                                                      const std::atomic<bool>& stop);

struct LadderRating {
  std::string player;
  Rating rating;
};

// Ratings of all players of the run from all its ladders, in the order in which they first played.
absl::StatusOr<std::vector<LadderRating>> RateRun(const std::vector<Generation>& generations);

}  // namespace chuhe
