// The network of nets/weights/network_weights.h in plain loops, one position at a time: the oracle
// that every fast evaluator is compared with. It favours being obviously right over speed.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/board/types.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// Everything that one evaluation computes. A map is [point][channel], the own home at rank 0; all
// but the logits are after their ReLU.
struct ForwardPass {
  struct Block {
    std::vector<float> inner;   // y
    std::vector<float> output;  // x
  };
  std::vector<float> stem;
  std::vector<Block> blocks;
  std::vector<float> policy;  // p, [point][policy channel]
  std::vector<float> value;   // v, [point][value channel]
  std::vector<float> hidden;  // h
  float wdl_logits[3] = {};   // win, draw, loss of the side to move
  float plies_left = 0;       // in plies
};

// Immutable, thread-safe.
class ReferenceNetwork {
 public:
  // The shapes of the weights must be those of their architecture.
  explicit ReferenceNetwork(const NetworkWeights& weights) : weights_(weights) {}

  // `levels` are the input planes as ExpandPlanes() writes them: kSquares · kPlanes bytes.
  ForwardPass Run(const uint8_t* levels) const;

  // Logit of a move seen by the side to move; it must have a policy index.
  float PolicyLogit(const ForwardPass& pass, Move seen) const;

 private:
  NetworkWeights weights_;
};

}  // namespace chuhe
