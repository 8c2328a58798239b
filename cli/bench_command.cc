#include "cli/bench_command.h"

#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/bench_measures.h"
#include "cli/network_evaluator.h"
#include "cli/network_location.h"
#include "engine/base/status_macros.h"
#include "nets/onednn/matrix_peak.h"
#include "nlohmann/json.hpp"

namespace chuhe {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kSearchVisits = 200000;
constexpr int kSearchBatch = 32;
constexpr int kSelfPlayGames = 32;
constexpr double kSelfPlaySteps = 5;  // times the seconds of the other measurements
constexpr double kNetworkSearchSeconds = 1;

struct NetworkFigures {
  std::string network;
  std::string description;
  std::string precision;
  double mflop = 0;
  std::map<int, Spread> evaluations_per_s;  // by batch
  std::optional<Spread> peak_flops;         // of one core
  std::map<int, Spread> peak_fractions;     // by batch: what the evaluator reached of it
  NetworkSearchRate search;
  SelfPlayRate self_play;
};

// The share of the matrix peak at the batch size that comes nearest to it.
double PeakFraction(const NetworkFigures& figures) {
  double best = 0;
  for (const auto& [batch, fraction] : figures.peak_fractions) {
    best = std::max(best, fraction.median);
  }
  return best;
}

// Rounds go through all batch sizes and the matrix product, so that a change of the machine's mood
// meets all of them.
absl::Status MeasureRates(Evaluator* evaluator, const std::vector<int>& batches, int rounds,
                          double seconds, const std::optional<CpuPrecision>& precision,
                          NetworkFigures* figures) {
  std::map<int, std::vector<double>> rates;
  std::map<int, std::vector<double>> fractions;
  std::vector<double> peaks;
  for (int round = 0; round < rounds; ++round) {
    for (const int batch : batches) {
      std::vector<EvaluationRequest> requests = BenchRequests(batch);
      rates[batch].push_back(MeasureEvaluations(evaluator, &requests, seconds));
    }
    if (!precision) continue;
    CHUHE_ASSIGN_OR_RETURN(const double peak, MeasureMatrixPeak(*precision, seconds));
    peaks.push_back(peak);
    for (const int batch : batches) {
      fractions[batch].push_back(rates[batch].back() * figures->mflop * 1e6 / peak);
    }
  }
  for (const int batch : batches) figures->evaluations_per_s[batch] = SpreadOf(rates[batch]);
  if (!precision) return absl::OkStatus();
  figures->peak_flops = SpreadOf(peaks);
  for (const int batch : batches) figures->peak_fractions[batch] = SpreadOf(fractions[batch]);
  return absl::OkStatus();
}

void PrintNetwork(const NetworkFigures& figures) {
  std::cout << "network             " << figures.network << ", " << figures.description << "\n"
            << absl::StrFormat("evaluation          %.1f MFLOP\n", figures.mflop);
  for (const auto& [batch, rate] : figures.evaluations_per_s) {
    std::cout << absl::StrFormat("batch %-4d          %.0f evaluations/s (%.0f to %.0f)", batch,
                                 rate.median, rate.low, rate.high);
    if (figures.peak_flops) {
      const Spread& fraction = figures.peak_fractions.at(batch);
      std::cout << absl::StrFormat(", %.1f %% of the matrix peak (%.1f to %.1f)",
                                   100 * fraction.median, 100 * fraction.low, 100 * fraction.high);
    }
    std::cout << "\n";
  }
  if (figures.peak_flops) {
    std::cout << absl::StrFormat("matrix peak         %.1f GFLOP/s of one core (%.1f to %.1f)\n",
                                 figures.peak_flops->median / 1e9, figures.peak_flops->low / 1e9,
                                 figures.peak_flops->high / 1e9);
  }
  std::cout << absl::StrFormat(
      "network search      %.0f nodes/s at batch %d, %.1f %% of the time outside the evaluator\n",
      figures.search.nodes_per_s, kSearchBatch, 100 * figures.search.search_share);
  const SelfPlayRate& play = figures.self_play;
  std::cout << absl::StrFormat(
      "self-play           %.0f positions/s, %.0f evaluations/s with %d games a worker: %.1f %% "
      "(%.1f to %.1f) of the bare evaluator\n",
      play.positions_per_s.median, play.evaluations_per_s.median, kSelfPlayGames,
      100 * play.to_evaluator.median, 100 * play.to_evaluator.low, 100 * play.to_evaluator.high);
}

void AddNetwork(const NetworkFigures& figures, Json* json) {
  (*json)["net"] = figures.network;
  (*json)["precision"] = figures.precision;
  (*json)["description"] = figures.description;
  Json& rates = (*json)["evaluations_per_s"] = Json::object();
  Json& spreads = (*json)["evaluations_per_s_spread"] = Json::object();
  for (const auto& [batch, rate] : figures.evaluations_per_s) {
    rates[absl::StrCat(batch)] = rate.median;
    spreads[absl::StrCat(batch)] = {rate.low, rate.high};
  }
  (*json)["network_search_nodes_per_s"] = figures.search.nodes_per_s;
  (*json)["network_search_share"] = figures.search.search_share;
  (*json)["selfplay_positions_per_s"] = figures.self_play.positions_per_s.median;
  (*json)["selfplay_evaluations_per_s"] = figures.self_play.evaluations_per_s.median;
  (*json)["selfplay_to_evaluator"] = figures.self_play.to_evaluator.median;
  (*json)["selfplay_to_evaluator_spread"] = {figures.self_play.to_evaluator.low,
                                             figures.self_play.to_evaluator.high};
  (*json)["mflop_per_evaluation"] = figures.mflop;
  if (figures.peak_flops) {
    (*json)["peak_flop_per_s"] = figures.peak_flops->median;
    (*json)["peak_fraction"] = PeakFraction(figures);
    Json& fractions = (*json)["peak_fractions"] = Json::object();
    for (const auto& [batch, fraction] : figures.peak_fractions) {
      fractions[absl::StrCat(batch)] = fraction.median;
    }
  }
}

}  // namespace

void BenchCommand::Register(CLI::App& app) {
  CLI::App* bench =
      app.add_subcommand("bench", "Measure the speed of search, network and self-play");
  bench->add_option("--net", network_,
                    "Network file; the one that comes with the program if not given");
  bench->add_option("--device", device_, "cpu (one core), cuda or cuda:0,1")->capture_default_str();
  bench->add_option("--precision", precision_, "auto, fp32, bf16, fp16 or int8")
      ->capture_default_str();
  bench->add_option("--batch", batches_, "Batch sizes")->check(CLI::Range(1, 4096));
  bench->add_option("--rounds", rounds_, "Rounds; the median and the extremes are shown")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  bench->add_option("--seconds", seconds_, "Of one measurement of one round")
      ->check(CLI::Range(0.01, 60.0))
      ->capture_default_str();
  bench->add_flag("--json", json_, "Print one JSON object");
  bench->footer(
      "The signature changes only when the search or the rules change what they do.\n"
      "Example: chuhe bench --net net.safetensors --precision int8");
}

absl::Status BenchCommand::Bench() const {
  std::optional<NetworkFigures> figures;
  std::optional<std::string> file = network_;
  if (network_.empty()) file = FindDefaultNetwork();
  if (file) {
    CHUHE_ASSIGN_OR_RETURN(const NamedNetwork network, ReadNetwork(*file));
    EvaluatorOptions options;
    options.device = device_;
    options.precision = precision_;
    CHUHE_ASSIGN_OR_RETURN(const OpenedEvaluator opened, OpenEvaluator(network.weights, options));
    figures.emplace();
    figures->network = network.sha256;
    figures->description = opened.description;
    figures->precision = opened.precision;
    figures->mflop = FlopPerEvaluation(network.weights.architecture) / 1e6;
    std::optional<CpuPrecision> precision;
    if (device_ == "cpu") {
      CHUHE_ASSIGN_OR_RETURN(precision, ParseCpuPrecision(opened.precision));
    }
    CHUHE_RETURN_IF_ERROR(
        MeasureRates(opened.evaluator.get(), batches_, rounds_, seconds_, precision, &*figures));
    figures->search =
        MeasureNetworkSearch(opened.evaluator.get(), kSearchBatch, kNetworkSearchSeconds);
    const auto open = [&]() -> absl::StatusOr<std::unique_ptr<Evaluator>> {
      CHUHE_ASSIGN_OR_RETURN(OpenedEvaluator another, OpenEvaluator(network.weights, options));
      return std::move(another.evaluator);
    };
    CHUHE_ASSIGN_OR_RETURN(figures->self_play, MeasureSelfPlay(open, kSelfPlayGames, rounds_,
                                                               kSelfPlaySteps * seconds_));
  }
  const uint64_t signature = SearchSignature();
  std::vector<double> rates;
  double bytes_per_node = 0;
  for (int round = 0; round < rounds_; ++round) {
    const SearchRate rate = MeasureSearch(kSearchVisits);
    rates.push_back(rate.nodes_per_s);
    bytes_per_node = rate.bytes_per_node;
  }
  const Spread search = SpreadOf(rates);
  if (json_) {
    Json json = {{"signature", absl::StrFormat("%016x", signature)}};
    if (figures) AddNetwork(*figures, &json);
    json["search_nodes_per_s"] = search.median;
    json["search_nodes_per_s_spread"] = {search.low, search.high};
    json["bytes_per_node"] = bytes_per_node;
    std::cout << json.dump(2) << "\n";
    return absl::OkStatus();
  }
  std::cout << absl::StrFormat("signature           %016x\n", signature)
            << absl::StrFormat(
                   "search              %.0f nodes/s (%.0f to %.0f), %.0f bytes a node, %d visits "
                   "with an evaluator that costs next to nothing\n",
                   search.median, search.low, search.high, bytes_per_node, kSearchVisits);
  if (figures) {
    PrintNetwork(*figures);
  } else {
    std::cout << "network             none found; name one with --net FILE\n";
  }
  return absl::OkStatus();
}

int BenchCommand::Run() {
  const absl::Status status = Bench();
  if (!status.ok()) {
    std::cerr << "chuhe bench: " << status.message() << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace chuhe
