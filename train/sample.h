// One position with what a network shall learn about it.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "engine/board/movegen.h"
#include "engine/board/types.h"
#include "nets/features/packed_position.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

// A man survives if it is still on the board this many plies later, or at the end of the game.
inline constexpr int kSurvivalPlies = 16;
// Weight of the past in the short-term value: root values k plies on count kShortTermDecay^k.
inline constexpr float kShortTermDecay = 0.85f;

// Everything is seen by the side to move. A weight of 0 says that the target is not known.
struct Sample {
  PackedPosition packed;
  // Policy indices of the legal moves, and the target over them; the target sums to 1, or is all
  // zeros if this position teaches no policy.
  int legal_size = 0;
  std::array<int16_t, kMaxMoves> legal;
  std::array<float, kMaxMoves> policy;
  // Result of the game.
  float wdl_weight = 0;
  Wdl wdl;
  // Plies to the end of the game.
  float plies_left_weight = 0;
  float plies_left = 0;
  // The opponent's reply, as the opponent sees it: a policy index, −1 if there is none.
  int16_t reply = -1;
  // What the search thinks in the next plies, decaying (KataGo's short-term value, Wu 2020,
  // "Accelerating self-play learning in Go", section 4).
  float short_term_weight = 0;
  Wdl short_term;
  // Points whose man survives; the points that hold no man do not count.
  std::bitset<kSquares> survivors;
};

// The same seen in a mirror.
Sample Mirror(const Sample& sample);

// What the policy of a sample is: what the search of the ply found, or the move that was played.
enum class PolicyTarget { kSearch, kMovesPlayed };

// Makes samples of the plies of one game, in rising order; owned by one thread. The record must
// outlive it, and its moves must be legal.
class GameSampler {
 public:
  explicit GameSampler(const GameRecord& record, PolicyTarget target = PolicyTarget::kSearch);

  // The position before ply `ply` (0 is the start) and what became of it.
  Sample At(int ply);

 private:
  void GoTo(int ply);
  void AddPolicy(int ply, Sample* sample) const;
  void AddOutcome(int ply, Sample* sample) const;
  void AddShortTerm(int ply, Sample* sample) const;
  void AddSurvivors(int ply, Sample* sample) const;

  const GameRecord& record_;
  PolicyTarget target_;
  Game game_;
  EvaluationRequest request_;
};

}  // namespace chuhe
