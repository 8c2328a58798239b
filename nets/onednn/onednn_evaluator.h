// Evaluates positions with a network on one core, through oneDNN.
#pragma once

#include <memory>
#include <string>

#include "engine/eval/evaluator.h"
#include "nets/onednn/heads.h"
#include "nets/onednn/packed_network.h"
#include "nets/onednn/tower.h"

namespace chuhe {

// Takes any number of requests; works in the thread that calls. Owned by one thread at a time. Two
// evaluators of one network give the same answers to the last bit, however requests are grouped.
class OnednnEvaluator : public Evaluator {
 public:
  explicit OnednnEvaluator(std::shared_ptr<const PackedNetwork> network);

  void Evaluate(std::span<EvaluationRequest> requests) override;

 private:
  std::shared_ptr<const PackedNetwork> network_;
  Tower tower_;
  Heads::Workspace workspace_;
};

}  // namespace chuhe
