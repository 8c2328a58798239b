#include "cli/network_searcher.h"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cli/network_evaluator.h"
#include "cli/network_location.h"
#include "engine/base/core_count.h"
#include "engine/base/status_macros.h"
#include "engine/search/alphabeta.h"
#include "engine/search/book_searcher.h"
#include "engine/search/tree_searcher.h"

namespace chuhe {
namespace {

constexpr int kShortName = 12;  // digits of a network's SHA-256 that people are shown
// Enough for each thread to be busy, few enough for virtual visits to do no harm.
constexpr int kBatchPerThread = 4;
constexpr int kCudaBatch = 128;
constexpr int kDefaultHashMb = 256;

// A tree search with the evaluator that it stands on.
class NetworkSearcher : public Searcher {
 public:
  NetworkSearcher(std::unique_ptr<Evaluator> evaluator, const TreeSearcherOptions& options)
      : evaluator_(std::move(evaluator)), searcher_(evaluator_.get(), options) {}

  void SetGame(const Game& game) override { searcher_.SetGame(game); }
  void Clear() override { searcher_.Clear(); }
  SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                      const ProgressSink& sink) override {
    return searcher_.Search(limits, signal, sink);
  }
  std::optional<StoredPosition> Probe(const Game& game) const override {
    return searcher_.Probe(game);
  }
  absl::Status SaveTree(const std::string& path) override { return searcher_.SaveTree(path); }
  absl::Status LoadTree(const std::string& path, RuleSet rules) override {
    return searcher_.LoadTree(path, rules);
  }

 private:
  std::unique_ptr<Evaluator> evaluator_;
  TreeSearcher searcher_;
};

absl::StatusOr<MadeSearcher> MakeNetworkSearcher(const SearcherOptions& options,
                                                 const std::string& file) {
  CHUHE_ASSIGN_OR_RETURN(const NamedNetwork network, ReadNetwork(file));
  EvaluatorOptions evaluator_options;
  evaluator_options.device = options.device;
  evaluator_options.precision = options.precision;
  evaluator_options.threads = options.threads > 0 ? options.threads : AvailableCores();
  CHUHE_ASSIGN_OR_RETURN(OpenedEvaluator opened, OpenEvaluator(network.weights, evaluator_options));
  TreeSearcherOptions searcher;
  TreeSearchOptions& search = searcher.search;
  search = PlayingOptions(network.weights.architecture, options.device);
  const bool is_cpu = options.device == "cpu";
  search.batch_size = options.batch_size > 0 ? options.batch_size
                      : is_cpu               ? kBatchPerThread * evaluator_options.threads
                                             : kCudaBatch;
  search.max_tree_bytes =
      static_cast<size_t>(options.hash_mb > 0 ? options.hash_mb : kDefaultHashMb) << 20;
  search.mate_moves = MateSearch::kMostMoves;
  search.puct.draw_score = static_cast<float>(options.draw_score_percent) / 100;
  searcher.temperature = static_cast<float>(options.temperature_percent) / 100;
  searcher.seed = std::random_device()();
  searcher.network = network.sha256;
  MadeSearcher made;
  made.searcher = std::make_unique<NetworkSearcher>(std::move(opened.evaluator), searcher);
  made.notices.push_back(absl::StrCat("network ", network.sha256.substr(0, kShortName), ", ",
                                      opened.description, ", batch ", search.batch_size));
  return made;
}

MadeSearcher MakeAlphaBeta(const SearcherOptions& options) {
  AlphaBetaOptions alphabeta;
  if (options.hash_mb > 0) {
    alphabeta.hash_bytes = static_cast<size_t>(options.hash_mb) << 20;
  }
  MadeSearcher made;
  made.searcher = std::make_unique<AlphaBetaSearcher>(alphabeta);
  made.notices.emplace_back("no network found, playing the built-in alpha-beta");
  return made;
}

absl::Status AddBook(const SearcherOptions& options, MadeSearcher* made) {
  CHUHE_ASSIGN_OR_RETURN(OpeningBook book, OpeningBook::Read(options.book_file));
  made->notices.push_back(absl::StrCat("opening book of ", book.size(), " moves"));
  // Games shall differ.
  const uint64_t seed = std::random_device()();
  made->searcher = std::make_unique<BookSearcher>(std::move(book), seed, std::move(made->searcher));
  return absl::OkStatus();
}

}  // namespace

TreeSearchOptions PlayingOptions(const Architecture& architecture, absl::string_view device) {
  // In 8 bits a core makes 0.5 to 0.7 TFLOP/s, a step takes 40 ns.
  constexpr double kFlopPerStep = 2.6e6;
  constexpr double kFewestSteps = 4;
  constexpr double kMostSteps = 512;
  const double steps = device == "cpu" ? FlopPerEvaluation(architecture) / kFlopPerStep : 0;
  TreeSearchOptions options;
  options.mate_steps = static_cast<int>(std::clamp(steps, kFewestSteps, kMostSteps));
  options.puct.policy_temperature = 1.4f;
  return options;
}

absl::StatusOr<MadeSearcher> MakeSearcher(const SearcherOptions& options) {
  try {
    std::optional<std::string> file;
    if (!options.network_file.empty()) {
      file = options.network_file;
    } else {
      file = FindDefaultNetwork();
    }
    MadeSearcher made;
    if (file) {
      CHUHE_ASSIGN_OR_RETURN(made, MakeNetworkSearcher(options, *file));
    } else {
      made = MakeAlphaBeta(options);
    }
    if (options.uses_book && !options.book_file.empty()) {
      CHUHE_RETURN_IF_ERROR(AddBook(options, &made));
    }
    return made;
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        absl::StrCat("not enough memory for a hash of ", options.hash_mb, " MB"));
  }
}

}  // namespace chuhe
