// What `chuhe bench` measures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/spread.h"
#include "engine/eval/evaluator.h"

namespace chuhe {

// One number that changes when the search or the rules change what they do: of the visits of all
// root moves after fixed searches with the uniform evaluator, one thread, fixed batch.
uint64_t SearchSignature();

struct SearchRate {
  double nodes_per_s = 0;
  double bytes_per_node = 0;  // of the tree
};
// Of a tree of that many visits from the start position, with an evaluator that costs next to
// nothing but gives unequal answers.
SearchRate MeasureSearch(int64_t visits);

// Requests from games of random moves, the same on every machine.
std::vector<EvaluationRequest> BenchRequests(int count);

// Evaluations a second over about `seconds`, as many requests at once as given.
double MeasureEvaluations(Evaluator* evaluator, std::vector<EvaluationRequest>* requests,
                          double seconds);

// Nodes a second of a search with the network from the start position, and the share of its time
// that is not the evaluator's.
struct NetworkSearchRate {
  double nodes_per_s = 0;
  double search_share = 0;
};
NetworkSearchRate MeasureNetworkSearch(Evaluator* evaluator, int batch, double seconds);

// Self-play of one worker against the bare evaluator at the same batch size.
struct SelfPlayRate {
  Spread positions_per_s;
  Spread evaluations_per_s;
  Spread to_evaluator;  // evaluations over the bare evaluator's, each round by itself
};
// Rounds of both, one after the other, of about `seconds` each. `games` are under way at a time.
// Errors are those of self-play.
absl::StatusOr<SelfPlayRate> MeasureSelfPlay(
    const std::function<absl::StatusOr<std::unique_ptr<Evaluator>>()>& open, int games, int rounds,
    double seconds);

}  // namespace chuhe
