#include "cli/bench_measures.h"

#include <chrono>
#include <limits>
#include <string>
#include <thread>

#include "engine/base/random.h"
#include "engine/base/status_macros.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/eval/simple_evaluators.h"
#include "engine/search/tree_search.h"
#include "selfplay/play/self_play_runner.h"
#include "selfplay/store/game_store.h"

namespace chuhe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kSignaturePositions[] = {
    kStartFen,
    "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w",
    "1rb1kabr1/4a1c2/1cn3n2/p1C1p1R1p/9/9/P1P1P1P1P/2N1C1N2/9/R1BAKAB2 w",
    "4k4/9/5R3/9/9/4P4/9/9/9/3K5 w",
};
constexpr int64_t kSignatureVisits = 10000;
constexpr int kPliesOfBenchGames = 60;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void VisitUntil(TreeSearch* search, int64_t visits) {
  while (search->visits() < visits) {
    if (search->RunBatch(static_cast<int>(visits - search->visits())) == 0) return;
  }
  search->Drain();
}

// Passes on and counts the time.
class TimedEvaluator : public Evaluator {
 public:
  explicit TimedEvaluator(Evaluator* evaluator) : evaluator_(evaluator) {}

  void Evaluate(std::span<EvaluationRequest> requests) override {
    const Clock::time_point start = Clock::now();
    evaluator_->Evaluate(requests);
    seconds_ += SecondsSince(start);
  }
  double seconds() const { return seconds_; }

 private:
  Evaluator* evaluator_;
  double seconds_ = 0;
};

// Games that are played for their speed alone.
class ForgettingStore : public GameStore {
 public:
  absl::StatusOr<GameId> Put(absl::string_view record_bytes) override { return IdOf(record_bytes); }
};

}  // namespace

uint64_t SearchSignature() {
  uint64_t signature = 0;
  for (const char* const fen : kSignaturePositions) {
    UniformEvaluator evaluator;
    TreeSearchOptions options;
    options.batch_size = 4;
    TreeSearch search(&evaluator, options);
    search.SetRoot(Game(ParseFen(fen)->position));
    VisitUntil(&search, kSignatureVisits);
    for (const Edge& edge : search.RootMoves()) {
      uint64_t state = signature ^ edge.move.bits() ^ uint64_t { edge.visits } << 16;
      signature = SplitMix64(state);
    }
  }
  return signature;
}

SearchRate MeasureSearch(int64_t visits) {
  HashEvaluator evaluator;
  TreeSearchOptions options;
  options.max_tree_bytes = size_t{1} << 30;
  TreeSearch search(&evaluator, options);
  search.SetRoot(Game(Position::Start()));
  const Clock::time_point start = Clock::now();
  VisitUntil(&search, visits);
  const auto made = static_cast<double>(search.visits());
  return {made / SecondsSince(start), static_cast<double>(search.tree().used_bytes()) / made};
}

std::vector<EvaluationRequest> BenchRequests(int count) {
  std::vector<EvaluationRequest> requests(static_cast<size_t>(count));
  Random random(1, StreamId("bench"));
  Game game(Position::Start());
  for (EvaluationRequest& request : requests) {
    GenerateLegal(game.position(), &request.moves);
    if (request.moves.size == 0 || game.plies() >= kPliesOfBenchGames) {
      game = Game(Position::Start());
      GenerateLegal(game.position(), &request.moves);
    }
    request.SetPosition(game);
    const auto moves = static_cast<uint64_t>(request.moves.size);
    game.Make(request.moves[static_cast<int>(random.Below(moves))]);
  }
  return requests;
}

double MeasureEvaluations(Evaluator* evaluator, std::vector<EvaluationRequest>* requests,
                          double seconds) {
  evaluator->Evaluate(*requests);  // what is made on first use is made now
  int64_t evaluations = 0;
  const Clock::time_point start = Clock::now();
  do {
    evaluator->Evaluate(*requests);
    evaluations += static_cast<int64_t>(requests->size());
  } while (SecondsSince(start) < seconds);
  return static_cast<double>(evaluations) / SecondsSince(start);
}

NetworkSearchRate MeasureNetworkSearch(Evaluator* evaluator, int batch, double seconds) {
  TimedEvaluator timed(evaluator);
  TreeSearchOptions options;
  options.batch_size = batch;
  TreeSearch search(&timed, options);
  search.SetRoot(Game(Position::Start()));
  const Clock::time_point start = Clock::now();
  do {
    search.RunBatch(std::numeric_limits<int>::max());
  } while (SecondsSince(start) < seconds);
  const double elapsed = SecondsSince(start);
  return {static_cast<double>(search.visits()) / elapsed, 1 - timed.seconds() / elapsed};
}

absl::StatusOr<SelfPlayRate> MeasureSelfPlay(
    const std::function<absl::StatusOr<std::unique_ptr<Evaluator>>()>& open, int games, int rounds,
    double seconds) {
  CHUHE_ASSIGN_OR_RETURN(const std::unique_ptr<Evaluator> bare, open());
  std::vector<EvaluationRequest> requests = BenchRequests(games);
  SelfPlayRunnerOptions options;
  options.play.games = games;
  ForgettingStore store;
  CHUHE_ASSIGN_OR_RETURN(
      const std::unique_ptr<SelfPlayRunner> runner,
      SelfPlayRunner::Start(options, {.sha256 = std::string(64, '0'), .open = open}, &store));
  std::vector<double> positions;
  std::vector<double> evaluations;
  std::vector<double> ratios;
  // The first round is not counted: all games are in their openings.
  for (int round = 0; round <= rounds; ++round) {
    runner->SetActiveWorkers(0);
    const double bare_rate = MeasureEvaluations(bare.get(), &requests, seconds);
    const SelfPlayStatistics before = runner->statistics();
    const Clock::time_point start = Clock::now();
    runner->SetActiveWorkers(1);
    // Longer where not even one position was done in time.
    do {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    } while (runner->statistics().positions == before.positions && runner->status().ok());
    runner->SetActiveWorkers(0);
    const double elapsed = SecondsSince(start);
    const SelfPlayStatistics after = runner->statistics();
    if (round == 0) continue;
    positions.push_back(static_cast<double>(after.positions - before.positions) / elapsed);
    evaluations.push_back(static_cast<double>(after.evaluations - before.evaluations) / elapsed);
    ratios.push_back(evaluations.back() / bare_rate);
  }
  CHUHE_RETURN_IF_ERROR(runner->Stop());
  return SelfPlayRate{SpreadOf(positions), SpreadOf(evaluations), SpreadOf(ratios)};
}

}  // namespace chuhe
