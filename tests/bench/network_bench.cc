#include "tests/bench/network_bench.h"

#include <cstdio>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "nets/features/random_positions.h"
#include "nets/onednn/calibrate.h"
#include "nets/weights/weights_file.h"
#include "tests/nets/reference/lively_network.h"

namespace chuhe {
namespace {

bool ReadNumber(absl::string_view text, const std::variant<int*, double*>& number) {
  if (int* const* const integer = std::get_if<int*>(&number)) {
    return absl::SimpleAtoi(text, *integer) && **integer > 0;
  }
  double* const real = std::get<double*>(number);
  return absl::SimpleAtod(text, real) && *real > 0;
}

bool ReadSetting(absl::string_view argument, const std::vector<BenchSetting>& settings) {
  for (const auto& [name, number] : settings) {
    absl::string_view text = argument;
    if (absl::ConsumePrefix(&text, name) && absl::ConsumePrefix(&text, "=")) {
      return ReadNumber(text, number);
    }
  }
  return false;
}

}  // namespace

double SecondsOf(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double BareRate(Evaluator* evaluator, std::vector<std::vector<EvaluationRequest>>* batches,
                double seconds) {
  int64_t evaluations = 0;
  const double start = SecondsOf(CLOCK_THREAD_CPUTIME_ID);
  while (SecondsOf(CLOCK_THREAD_CPUTIME_ID) < start + seconds) {
    for (std::vector<EvaluationRequest>& batch : *batches) {
      evaluator->Evaluate(batch);
      evaluations += static_cast<int64_t>(batch.size());
    }
  }
  return static_cast<double>(evaluations) / (SecondsOf(CLOCK_THREAD_CPUTIME_ID) - start);
}

absl::StatusOr<NetworkWeights> BenchNetwork(absl::string_view name) {
  if (absl::EndsWith(name, ".safetensors")) {
    CHUHE_ASSIGN_OR_RETURN(NamedNetwork network, ReadNetwork(std::string(name)));
    return std::move(network.weights);
  }
  CHUHE_ASSIGN_OR_RETURN(const Architecture architecture, ParseArchitecture(name));
  NetworkWeights weights = LivelyNetwork(architecture, 1);
  CHUHE_RETURN_IF_ERROR(Calibrate(&weights, RandomPositions(64, 1)));
  return weights;
}

int RunNetworkBench(int argc, char** argv, const std::vector<BenchSetting>& settings,
                    const std::vector<std::string>& usual,
                    const std::function<absl::Status(const std::string& network)>& measure) {
  std::vector<std::string> networks;
  for (int i = 1; i < argc; ++i) {
    absl::string_view argument = argv[i];
    if (!absl::ConsumePrefix(&argument, "--")) {
      networks.emplace_back(argument);
    } else if (!ReadSetting(argument, settings)) {
      std::fprintf(stderr, "%s: '%s' is no setting\n", argv[0], argv[i]);
      return EXIT_FAILURE;
    }
  }
  for (const std::string& network : networks.empty() ? usual : networks) {
    const absl::Status status = measure(network);
    if (status.ok()) continue;
    std::fprintf(stderr, "%s: %s\n", argv[0], status.ToString().c_str());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace chuhe
