// Choosing at the root with few visits, and a policy that is better than the prior for certain.
//
// Danihelka, Guez, Schrittwieser, Silver 2022, "Policy improvement by planning with Gumbel": some
// moves are sampled without replacement (Gumbel-top-k trick), sequential halving finds the best of
// them, and the values of all moves, completed where they are unknown, improve the policy.
//
// Values are of the side to move, from −1 to 1. Where the paper has Q it is in 0 … 1: (value+1)/2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/random.h"
#include "engine/search/tree.h"

namespace chuhe {

struct GumbelOptions {
  int sampled_moves = 16;   // m in the paper
  float visit_offset = 50;  // c_visit
  float value_scale = 1;    // c_scale
};

// One legal move, as the formulas see it.
struct GumbelMove {
  float prior = 0;
  uint32_t visits = 0;
  float value = 0;       // meaningless without visits
  bool is_lost = false;  // for certain
};

// Sample of the standard Gumbel distribution: −ln(−ln u).
float SampleGumbel(Random* random);

// What an unvisited move is taken to be worth (v_mix; paper, appendix D): the mean of the node's
// own evaluation and, once for every visit, the mean of the visited moves' values by their priors.
float MixedValue(std::span<const GumbelMove> moves, float own_value);

// σ: the value of a move on the scale of logarithms of priors; `most_visits` are those of the most
// visited move.
inline float GumbelSigma(float value, uint32_t most_visits, const GumbelOptions& options) {
  return (options.visit_offset + static_cast<float>(most_visits)) * options.value_scale *
         (value + 1) / 2;
}

// The improved policy π', the target of training: softmax of ln(prior) + σ(value), with v_mix for
// the value of moves without visits. In the order of the moves; sums to 1.
std::vector<float> ImprovedPolicy(std::span<const GumbelMove> moves, float own_value,
                                  const GumbelOptions& options);

// What a position is worth if moves are drawn by the improved policy: its mean of the values, with
// v_mix for those of moves without visits. The mean of the visits says less where they are spread
// over candidates, of which most are bad.
float ImprovedValue(std::span<const GumbelMove> moves, float own_value,
                    const GumbelOptions& options);

// The choice at nodes below the root: the move with the highest π'(move) − visits / (1 + visits of
// all), by which the visits come to match π'. Visits under way count as visits there. None stands
// for the best untried move. `draw_score` is what a draw is worth to the side to move. Lost moves
// are not chosen beside others.
EdgeRef MatchingChoice(const Node& node, float draw_score, const GumbelOptions& options);

// The plan for the visits of one root: sequential halving over the sampled moves. Visits are asked
// for one by one and may be made in batches; only between two phases all of them must be known.
// Owned by one thread.
class GumbelPlan {
 public:
  static constexpr int kNone = -1;

  // Draws one number for each of the root's legal moves, of which there is at least one.
  GumbelPlan(std::span<const GumbelMove> moves, int visits, const GumbelOptions& options,
             Random* random);

  // The next move to visit, an index into the legal moves, but none of those that are
  // `unavailable` (not 0 there): lost, or to be left alone for now. kNone if no more visits can be
  // started in this phase. The same until Start() is called.
  int NextMove(std::span<const uint8_t> unavailable) const;
  // A visit to that move has been started.
  void Start(int move);
  // To be called when NextMove() gives none and no visit is under way: the next phase begins.
  void BeginNextPhase(std::span<const GumbelMove> moves, float own_value);
  // Whether all visits have been started, or there is no move that is worth one.
  bool is_complete() const { return visits_left_ == 0; }
  // The move to play: of those still in the race, without certain losses where there is a choice,
  // the one with the highest ln(prior) + Gumbel number + σ(value).
  int BestMove(std::span<const GumbelMove> moves, float own_value) const;
  // Moves still in the race.
  const std::vector<int>& candidates() const { return candidates_; }

 private:
  std::vector<float> Scores(std::span<const GumbelMove> moves, float own_value) const;
  void SetQuota();
  // Takes the best `count` moves that are not lost as candidates, from all if all of those left
  // are lost.
  void Choose(std::span<const GumbelMove> moves, float own_value, size_t count);

  GumbelOptions options_;
  std::vector<float> gumbels_;  // by move
  std::vector<int> candidates_;
  std::vector<int> started_;  // in this phase, by move
  int quota_ = 0;             // visits of each candidate in this phase
  int visits_left_ = 0;       // of the whole plan
  int visits_ = 0;            // planned
  int phases_ = 1;            // planned
};

}  // namespace chuhe
