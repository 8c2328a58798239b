#include "nets/onednn/precision_choice.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_macros.h"
#include "nets/onednn/cpu_evaluator.h"
#include "nets/onednn/packed_network.h"
#include "nets/onednn/precision_cache.h"

namespace chuhe {
namespace {

// What the system says of its first processor; empty where it says nothing.
std::string CpuName() {
  constexpr const char* kTelling[] = {"vendor_id", "cpu family",      "model",
                                      "stepping",  "CPU implementer", "CPU part"};
  std::vector<std::string> parts;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    for (const char* key : kTelling) {
      if (absl::StartsWith(line, key)) {
        parts.push_back(line.substr(std::min(line.find(':') + 2, line.size())));
        break;
      }
    }
  }
  return absl::StrJoin(parts, " ");
}

// The same network with fewer blocks: what is faster shows in a few of them.
NetworkWeights Shortened(const NetworkWeights& network) {
  constexpr int kBlocks = 3;
  NetworkWeights shortened = network;
  Architecture& architecture = shortened.architecture;
  architecture.blocks = std::min(architecture.blocks, kBlocks);
  std::erase_if(architecture.global_blocks,
                [&](int block) { return block >= architecture.blocks; });
  shortened.blocks.resize(architecture.blocks);
  if (!shortened.calibration.empty()) shortened.calibration.blocks.resize(architecture.blocks);
  return shortened;
}

struct Candidate {
  CpuPrecision precision;
  std::unique_ptr<Evaluator> evaluator;
  std::chrono::nanoseconds best = std::chrono::nanoseconds::max();
};

// The candidates take turns, so that what else the machine does hits all of them.
CpuPrecision Fastest(std::vector<Candidate>* candidates) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kBudget = std::chrono::milliseconds(60);
  constexpr int kLeastRounds = 5;
  constexpr int kBatch = 2;
  std::vector<EvaluationRequest> requests(kBatch);
  for (EvaluationRequest& request : requests) {
    request.position = Position::Start();
    GenerateLegal(request.position, &request.moves);
  }
  const Clock::time_point begin = Clock::now();
  for (int round = 0; round < kLeastRounds || Clock::now() - begin < kBudget; ++round) {
    for (Candidate& candidate : *candidates) {
      const Clock::time_point start = Clock::now();
      candidate.evaluator->Evaluate(requests);
      candidate.best = std::min(candidate.best, std::chrono::nanoseconds(Clock::now() - start));
    }
  }
  return std::min_element(candidates->begin(), candidates->end(),
                          [](const Candidate& a, const Candidate& b) { return a.best < b.best; })
      ->precision;
}

}  // namespace

std::string PrecisionQuestion(const NetworkWeights& network) {
  const Architecture& architecture = network.architecture;
  return absl::StrCat("cpu ", CpuName(), "; ", OnednnDescription(), "; ", architecture.blocks, "x",
                      architecture.channels, " policy ", architecture.policy_channels, " value ",
                      architecture.value_channels, " ", architecture.value_hidden, " global ",
                      architecture.global_blocks.size(), " calibrated ",
                      network.calibration.empty() ? "no" : "yes");
}

absl::StatusOr<CpuPrecision> ChoosePrecision(const NetworkWeights& network,
                                             const std::string& cache_folder) {
  const PrecisionCache cache(cache_folder);
  const std::string question = PrecisionQuestion(network);
  const auto is_possible = [&](CpuPrecision precision) {
    return CpuHas(precision) && (precision != CpuPrecision::kInt8 || !network.calibration.empty());
  };
  const std::optional<CpuPrecision> known = cache.Recall(question);
  if (known.has_value() && is_possible(*known)) return *known;

  const NetworkWeights shortened = Shortened(network);
  std::vector<Candidate> candidates;
  for (const CpuPrecision precision :
       {CpuPrecision::kFp32, CpuPrecision::kBf16, CpuPrecision::kInt8}) {
    if (!is_possible(precision)) continue;
    CHUHE_ASSIGN_OR_RETURN(std::shared_ptr<const PackedNetwork> packed,
                           PackedNetwork::Make(shortened, precision));
    CHUHE_ASSIGN_OR_RETURN(std::unique_ptr<Evaluator> evaluator,
                           MakeCpuEvaluator(std::move(packed)));
    candidates.push_back({precision, std::move(evaluator)});
  }
  const CpuPrecision fastest = Fastest(&candidates);
  cache.Remember(question, fastest);
  return fastest;
}

}  // namespace chuhe
