// Samples from finished games whose moves are taken as the targets: supervised training.
//
// Openings repeat: a quarter of the plies of real games stand word for word in other games. So
// games are told apart for validation by their first plies, and all games that share them fall on
// the same side.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "selfplay/records/game_record.h"
#include "train/sample_source.h"

namespace chuhe {

// Every position of the games once an epoch, in random order, each a mirror image half the time.
// Immutable.
class SupervisedSource : public SampleSource {
 public:
  // At least one game; each has moves.
  SupervisedSource(std::vector<GameRecord> games, uint64_t seed);

  void Fill(uint64_t step, std::span<Sample> samples) const override;

  const std::vector<GameRecord>& games() const { return games_; }
  uint64_t positions() const { return first_ply_.back(); }
  // The position of that number in the order of the file, unmirrored.
  Sample At(uint64_t position) const;
  // The key of its board (Position::key).
  uint64_t KeyAt(uint64_t position) const;

 private:
  size_t GameOf(uint64_t position) const;

  std::vector<GameRecord> games_;
  std::vector<uint64_t> first_ply_;  // number of a game's first position; one more at the end
  uint64_t seed_;
};

struct GameSplit {
  std::vector<GameRecord> training;
  std::vector<GameRecord> validation;
};

// About one game in `validation_one_in` becomes validation, by the hash of its start and its first
// 40 plies.
GameSplit SplitGames(std::vector<GameRecord> games, int validation_one_in);

}  // namespace chuhe
