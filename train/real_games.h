// Games of people, to learn from: their files, read as one collection.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

// Learning from games of people beside those of self-play, so that what was learnt from them is
// not forgotten.
struct RealGamesOptions {
  std::string file;    // any that VisitGames() reads; empty: none
  double share = 0.5;  // of each batch, rounded; a sample of self-play stays
  // One game in so many is held out (SplitGames()).
  int validation_one_in = 40;
};

// The games of these files (any that VisitGames() reads), without those that have no moves. How
// many there are is told file by file, and what could not be read. An error if a file is not there,
// or if all of them together have no game.
absl::StatusOr<std::vector<GameRecord>> ReadRealGames(
    const std::vector<std::string>& files,
    const std::function<void(const std::string&)>& on_message);

}  // namespace chuhe
