// What follows the tower: logits of the legal moves, their softmax, and the value head's small
// layers. The convolutions of both heads are one, which the tower runs; here are the rest.
#pragma once

#include <vector>

#include "engine/eval/evaluator.h"
#include "nets/onednn/dense_layer.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// Replaces logits by their softmax, the same for the same logits on every CPU of a build. Within
// 1e-6 of the exact one.
void SoftmaxInPlace(float* logits, int count);

// Immutable, thread-safe.
class Heads {
 public:
  // `storage` is how the weights of the value's hidden layer are kept.
  Heads(const NetworkWeights& network, DenseLayer::Storage storage);

  // Channels of the map that the tower ends in: the policy's, then the value's.
  int channels() const { return policy_channels_ + value_channels_; }

  // Memory for one Answer() at a time.
  struct Workspace {
    std::vector<float> value;   // [position][point][value channel]
    std::vector<float> hidden;  // [position][padded]
  };

  // What the value's hidden layer gets, before its ReLU: `hidden` is resized to hold it, position
  // by position, which are as far apart as is returned. `map` as in Answer().
  size_t HiddenSums(const float* map, int count, std::vector<float>* hidden) const;

  // Writes the answers. `map` is [position][point][channels()], after its ReLU.
  void Answer(const float* map, std::span<EvaluationRequest> requests, Workspace* workspace) const;

 private:
  void RunHidden(const float* map, int count, Workspace* workspace) const;
  void AnswerPolicy(const float* map, EvaluationRequest* request) const;
  void AnswerValue(const float* hidden, EvaluationRequest* request) const;

  int policy_channels_;
  int value_channels_;
  std::vector<float> policy_from_;  // [shape][policy channel]
  std::vector<float> policy_to_;    // likewise
  std::vector<float> policy_bias_;  // [shape]
  DenseLayer hidden_;
  LinearWeights wdl_;
  LinearWeights plies_left_;
};

}  // namespace chuhe
