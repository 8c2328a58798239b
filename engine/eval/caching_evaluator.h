// An evaluator that asks another one only what its cache does not know.
//
// Answers are those of the other one, bit for bit, so that a search makes the same tree with it and
// without. Equal questions of one batch are asked once; what is asked is one batch for the other.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/eval/evaluation_cache.h"
#include "engine/eval/evaluator.h"
#include "engine/eval/question_key.h"

namespace chuhe {

// Owned by one thread; several may share one cache.
class CachingEvaluator : public Evaluator {
 public:
  // The cache must outlive the evaluator. The salt names what decides an answer beside the
  // question: network, rule set and precision. Evaluators with the same salt must answer alike.
  CachingEvaluator(std::unique_ptr<Evaluator> inner, EvaluationCache* cache, std::string_view salt);

  void Evaluate(std::span<EvaluationRequest> requests) override;
  void Submit(std::span<EvaluationRequest> requests) override;
  void Wait() override;
  int max_in_flight() const override { return static_cast<int>(batches_.size()); }

 private:
  // One that is under way, and how to put its answers in place.
  struct Batch {
    std::span<EvaluationRequest> requests;
    std::vector<QuestionKey> keys;
    std::vector<int32_t> asked;                      // places of those that the other one is asked
    std::vector<std::pair<int32_t, int32_t>> moved;  // places whose requests have been exchanged
    std::vector<std::pair<int32_t, int32_t>> twins;  // an equal question, and the one asked
  };

  // Answers what is known; returns the rest, which stands at the front until Finish().
  std::span<EvaluationRequest> Begin(std::span<EvaluationRequest> requests, Batch* batch);
  void GatherAsked(Batch* batch);
  void Finish(Batch* batch);
  // The place of an equal question among those asked so far; `place` itself if it is the first.
  int32_t FirstEqual(const std::vector<QuestionKey>& keys, int32_t place);

  std::unique_ptr<Evaluator> inner_;
  EvaluationCache* cache_;
  QuestionKey salt_;
  std::vector<Batch> batches_;  // used in turn
  size_t submitted_ = 0;
  size_t fetched_ = 0;
  // Hash table of places, -1 where free, for one Begin().
  std::vector<int32_t> table_;
};

}  // namespace chuhe
