// The formulas by which the tree search chooses where to go.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/search/tree.h"

namespace chuhe {

struct PuctOptions {
  // Exploration grows with visits: init + factor · ln((visits + base) / base) (Silver et al. 2018,
  // "A general reinforcement learning algorithm…", pseudocode of the supplement).
  float exploration_init = 1.75f;
  float exploration_base = 20000;
  float exploration_factor = 2;
  // An untried move is expected to be worth its parent less this, times the root of the prior mass
  // of the moves tried so far (as in Leela Chess Zero).
  float first_play_reduction = 0.33f;
  // Priors of new nodes are the network's to the power of one over this: above 1 they are more
  // alike.
  float policy_temperature = 1;
  // What a draw is worth to the side to move at the root, from −1 to 1.
  float draw_score = 0;
  // Quicker wins and slower losses are preferred by this much a ply, in units of value, at most
  // cap.
  float moves_left_slope = 0.002f;
  float moves_left_cap = 0.03f;
};

// Priors, positive and of sum 1, to the power of one over a temperature, of sum 1 again.
void TemperPriors(std::span<const float> priors, float temperature, float* tempered);

// What the formulas need to know about the node at which a move is chosen.
class PuctNode {
 public:
  // `incoming` is the edge that led here, of the other side; `is_root_side` whether the side to
  // move is the one at the root.
  PuctNode(const PuctOptions& options, const EdgeMeans& incoming, bool is_root_side)
      : options_(options),
        draw_score_(is_root_side ? options.draw_score : -options.draw_score),
        plies_left_(incoming.plies_left - 1),
        value_(-incoming.value + draw_score_ * incoming.draw) {
    const float visits = incoming.started;
    const float growth = options.exploration_factor *
                         std::log((visits + options.exploration_base) / options.exploration_base);
    exploration_ = (options.exploration_init + growth) * std::sqrt(std::max(visits - 1, 1.0f)) *
                   Node::kPriorUnit;
  }

  PuctNode(const PuctOptions& options, const Edge& incoming, bool is_root_side)
      : PuctNode(options, incoming.means(), is_root_side) {}

  // Worth of a tried move to the side that makes it.
  float Utility(const Edge& edge) const { return Utility(edge.value, edge.draw, edge.plies_left); }
  float Score(const Edge& edge) const {
    return Utility(edge) + Bonus(edge.prior, static_cast<float>(edge.started()));
  }
  struct Ranking {
    size_t best = 0;         // place of the highest score, of equal ones the first
    uint32_t prior_sum = 0;  // of all edges, in units of 1/65535
  };
  // The scores of all edges of a node, of which there is at least one: of those that are lost for
  // certain −infinity.
  Ranking ScoreAll(const EdgeList& edges, float* scores) const;
  // The visits of a tried move at which its score would be just that; below 0 or infinite where
  // its utility is as high.
  float VisitsForScore(const Edge& edge, float score) const {
    return exploration_ * edge.prior / (score - Utility(edge)) - 1;
  }
  // What untried moves are expected to be worth. `tried_priors` is the sum of the priors of the
  // tried ones.
  float UntriedUtility(uint32_t tried_priors) const {
    const float mass = static_cast<float>(static_cast<int32_t>(tried_priors)) * Node::kPriorUnit;
    return value_ - options_.first_play_reduction * std::sqrt(mass);
  }
  float UntriedScore(uint16_t prior, float utility) const { return utility + exploration_ * prior; }
  // Makes the utility of an edge without visits just that, while its first one is under way.
  void SetUtility(float utility, EdgeRef edge) const {
    edge.value() = std::clamp(utility, -1.0f, 1.0f);
    edge.draw() = 0;
    edge.plies_left() = plies_left_;
  }

 private:
  float Utility(float value, float draw, float plies_left) const {
    const float delay = std::clamp(options_.moves_left_slope * (plies_left - plies_left_),
                                   -options_.moves_left_cap, options_.moves_left_cap);
    return value + draw_score_ * draw - delay * value;
  }
  float Bonus(uint16_t prior, float started) const { return exploration_ * prior / (1 + started); }
  // As ScoreAll(), for edges enough to weigh several at once.
  Ranking ScoreMany(const EdgeList& edges, float* scores) const;

  const PuctOptions& options_;
  float draw_score_;
  float plies_left_;
  float value_;
  float exploration_;
};

}  // namespace chuhe
