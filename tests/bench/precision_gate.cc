// How far the fast precisions of the CPU are from fp32 on positions of real games.
//
//     precision_gate NETWORK GAMES.tsv[.zst] [POSITIONS]
//
// Prints for each precision: the share of positions in which the best move is that of fp32, among
// those where fp32's best two priors are at least 2 % apart; the mean Kullback–Leibler divergence
// of the priors from fp32's; the mean absolute difference of the values (win − loss).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/movegen.h"
#include "nets/onednn/cpu_evaluator.h"
#include "nets/weights/weights_file.h"
#include "selfplay/records/game_tsv.h"

namespace chuhe {
namespace {

constexpr float kClearLead = 0.02f;

std::vector<EvaluationRequest> RequestsFrom(const std::vector<GameRecord>& games, int count) {
  std::vector<EvaluationRequest> requests(static_cast<size_t>(count));
  Random random(1, StreamId("gate"));
  for (EvaluationRequest& request : requests) {
    const GameRecord& record = games[random.Below(games.size())];
    Game game(record.start, {.rules = record.rules});
    const uint64_t ply = random.Below(record.plies.size());
    for (uint64_t i = 0; i < ply; ++i) game.Make(record.plies[i].move);
    GenerateLegal(game.position(), &request.moves);
    request.SetPosition(game);
  }
  return requests;
}

int BestOf(const EvaluationRequest& request) {
  int best = 0;
  for (int i = 1; i < request.moves.size; ++i) {
    if (request.priors[i] > request.priors[best]) best = i;
  }
  return best;
}

// How far the best prior is above the second one.
float LeadOf(const EvaluationRequest& request) {
  const int best = BestOf(request);
  float second = 0;
  for (int i = 0; i < request.moves.size; ++i) {
    if (i != best) second = std::max(second, request.priors[i]);
  }
  return request.priors[best] - second;
}

void Compare(const std::vector<EvaluationRequest>& exact,
             const std::vector<EvaluationRequest>& fast, const std::string& name) {
  int clear = 0;
  int agreed = 0;
  double divergence = 0;
  double value_error = 0;
  double shift = 0;
  for (size_t i = 0; i < exact.size(); ++i) {
    if (LeadOf(exact[i]) >= kClearLead) {
      ++clear;
      agreed += BestOf(exact[i]) == BestOf(fast[i]);
    }
    for (int move = 0; move < exact[i].moves.size; ++move) {
      const double p = exact[i].priors[move];
      if (p > 0) divergence += p * std::log(p / std::max<double>(fast[i].priors[move], 1e-30));
    }
    value_error += std::abs(exact[i].wdl.value() - fast[i].wdl.value());
    shift += fast[i].wdl.value() - exact[i].wdl.value();
  }
  const auto n = static_cast<double>(exact.size());
  std::printf(
      "%s: top-1 %.2f %% of %d clear positions, mean KL %.5f, mean value error %.4f, of which all "
      "in one direction %+.4f\n",
      name.c_str(), 100.0 * agreed / clear, clear, divergence / n, value_error / n, shift / n);
}

int Run(const std::string& network_file, const std::string& games_file, int count) {
  const auto network = ReadNetwork(network_file);
  const auto games = ReadGameTsv(games_file);
  if (!network.ok() || !games.ok()) {
    std::fprintf(stderr, "%s\n%s\n", std::string(network.status().message()).c_str(),
                 std::string(games.status().message()).c_str());
    return EXIT_FAILURE;
  }
  std::vector<EvaluationRequest> exact;
  for (const CpuPrecision precision :
       {CpuPrecision::kFp32, CpuPrecision::kBf16, CpuPrecision::kInt8}) {
    if (!CpuHas(precision)) continue;
    auto evaluator = OpenCpuEvaluator(network->weights, {.precision = precision});
    if (!evaluator.ok()) {
      std::fprintf(stderr, "%s\n", std::string(evaluator.status().message()).c_str());
      return EXIT_FAILURE;
    }
    std::vector<EvaluationRequest> requests = RequestsFrom(games->games, count);
    (*evaluator)->Evaluate(requests);
    if (precision == CpuPrecision::kFp32) {
      exact = std::move(requests);
    } else {
      Compare(exact, requests, std::string(CpuPrecisionName(precision)));
    }
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace chuhe

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: precision_gate NETWORK GAMES.tsv[.zst] [POSITIONS]\n");
    return EXIT_FAILURE;
  }
  return chuhe::Run(argv[1], argv[2], argc > 3 ? std::atoi(argv[3]) : 20000);
}
