// A network in numbers, ready for inference: batch norm folded, all floats, no library's types.
// Every evaluator is made from this; weights_file.h reads and writes it.
//
// What the numbers mean (x: 90 points × channels; conv: zero padding, same size):
//
//   x        = relu(stem(planes))                              planes: nets/features/planes.h
//   block:   y = relu(conv1(x) + G · mean over points of x)    G only in global blocks
//            x = relu(conv2(y) + x)
//   policy:  p = relu(policy_conv(x))
//            logit(move) = policy_from[shape] · p[from] + policy_to[shape] · p[to]
//                          + policy_bias[shape]                shape: nets/features/policy.h
//            priors = softmax over the legal moves
//   value:   v = relu(value_conv(x))
//            h = relu(value_hidden · v + bias)                 v as [point][channel]
//            wdl = softmax(wdl · h + bias)                     win, draw, loss
//            plies left = kPliesLeftUnit · softplus(plies_left · h + bias)
#pragma once

#include <string>
#include <vector>

#include "nets/weights/architecture.h"

namespace chuhe {

constexpr float kPliesLeftUnit = 40;

struct ConvWeights {
  std::vector<float> weight;  // [out][in][kernel][kernel], kernel 3 or 1
  std::vector<float> bias;    // [out]
};

struct LinearWeights {
  std::vector<float> weight;  // [out][in]
  std::vector<float> bias;    // [out]
};

struct BlockWeights {
  ConvWeights conv1;
  ConvWeights conv2;
  std::vector<float> global;  // [channels out][channels in]; empty in other blocks
};

// What the values between the layers reached on real positions, by channel: what 8-bit evaluators
// scale by. All empty if the network was not calibrated.
struct Calibration {
  struct Block {
    std::vector<float> inner;   // of y
    std::vector<float> output;  // of x
  };
  std::vector<float> stem;
  std::vector<Block> blocks;
  std::vector<float> policy;  // of p
  std::vector<float> value;   // of v

  bool empty() const { return stem.empty(); }
};

// What folding batch norm left behind, to go on training from the file: mean and standard deviation
// by channel of what the folded convolution (without bias) puts out. All empty if unknown.
struct NormStatistics {
  struct Layer {
    std::vector<float> mean;
    std::vector<float> deviation;
  };
  Layer stem;
  std::vector<Layer> conv1;  // by block
  std::vector<Layer> conv2;
  Layer policy;
  Layer value;

  bool empty() const { return stem.mean.empty(); }
};

// Where a network comes from; strings of the file's metadata.
struct NetworkOrigin {
  std::string rule_set = "computer";
  int feature_set = 1;
  long long training_steps = 0;
  std::string parent;  // SHA-256 of the network it was trained from, in hex; empty if none
  std::string note;    // free text
};

struct NetworkWeights {
  Architecture architecture;
  NetworkOrigin origin;

  ConvWeights stem;                  // 3×3, planes → channels
  std::vector<BlockWeights> blocks;  // 3×3, channels → channels
  ConvWeights policy_conv;           // 1×1, channels → policy channels
  std::vector<float> policy_from;    // [shape][policy channels]
  std::vector<float> policy_to;      // [shape][policy channels]
  std::vector<float> policy_bias;    // [shape]
  ConvWeights value_conv;            // 1×1, channels → value channels
  LinearWeights value_hidden;        // [hidden][90 · value channels]
  LinearWeights wdl;                 // [3][hidden]
  LinearWeights plies_left;          // [1][hidden]

  Calibration calibration;
  NormStatistics norms;
};

}  // namespace chuhe
