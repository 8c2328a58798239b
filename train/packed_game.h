// The samples of one game in few bytes, so that a window of millions of positions stays in memory
// and a batch is made without playing games through again.
//
//   positions  68 bytes each: the question, the outcome, what the search thought
//   policies   3 bytes a move: its number among the legal moves, its weight
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nets/features/packed_position.h"
#include "selfplay/records/game_record.h"
#include "train/sample.h"

namespace chuhe {

// Immutable.
class PackedGame {
 public:
  PackedGame() = default;
  // The positions that teach a policy: plies with one, behind the random ones. The moves of the
  // record must be legal.
  explicit PackedGame(const GameRecord& record);

  int size() const { return static_cast<int>(positions_.size()); }
  // What GameSampler::At() says of the ply, but for roundings of 1 / 65,535 of probabilities and
  // the order of the legal moves.
  Sample At(int index) const;
  const PackedPosition& PositionAt(int index) const { return positions_[index].packed; }
  // Memory of the content.
  size_t bytes() const {
    return positions_.size() * sizeof(PackedSample) + policies_.size() * sizeof(PackedMove);
  }

 private:
  struct PackedSample {
    PackedPosition packed;
    uint32_t survivors;     // by unit of `packed`
    uint32_t first_move;    // in policies_
    int16_t reply;          // as in Sample
    uint16_t plies_left;    // kUnknown if not known
    uint16_t short_wins;    // kUnknown if not known
    uint16_t short_losses;  // parts of kWhole, as short_wins
    uint8_t moves;          // of the policy
    uint8_t outcome;        // of the side to move: 0 win, 1 draw, 2 loss, 3 not known
    uint16_t unused;
  };
  static_assert(sizeof(PackedSample) == 68);
  struct PackedMove {
    uint8_t weight[2];  // parts of kWhole, low byte first
    uint8_t number;     // among the legal moves of the position as its side to move sees it
  };
  static_assert(sizeof(PackedMove) == 3);

  void Add(const Sample& sample);

  std::vector<PackedSample> positions_;
  std::vector<PackedMove> policies_;
};

}  // namespace chuhe
