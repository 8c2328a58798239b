// What the benches share that hold something against the bare evaluator.
#pragma once

#include <time.h>

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/spread.h"
#include "engine/eval/evaluator.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

double SecondsOf(clockid_t clock);

// Evaluations a second of this thread's computing time, of the batches in turns.
double BareRate(Evaluator* evaluator, std::vector<std::vector<EvaluationRequest>>* batches,
                double seconds);

// A file, or a size, whose network has random numbers; calibrated for int8.
absl::StatusOr<NetworkWeights> BenchNetwork(absl::string_view name);

template <typename Round>
Spread SpreadOf(const std::vector<Round>& rounds, double Round::*field) {
  std::vector<double> values;
  for (const Round& round : rounds) values.push_back(round.*field);
  return SpreadOf(std::move(values));
}

// A setting `--NAME=NUMBER`, of which the number is above 0.
using BenchSetting = std::pair<absl::string_view, std::variant<int*, double*>>;

// Reads the arguments, of which those that are no settings are networks, then measures each of
// them, or of those that are `usual`. What main() returns; errors go to stderr.
int RunNetworkBench(int argc, char** argv, const std::vector<BenchSetting>& settings,
                    const std::vector<std::string>& usual,
                    const std::function<absl::Status(const std::string& network)>& measure);

}  // namespace chuhe
