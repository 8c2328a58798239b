#include "cli/match_networks.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "cli/network_evaluator.h"
#include "cli/network_location.h"
#include "cli/network_searcher.h"
#include "engine/base/core_count.h"
#include "engine/base/mutex.h"
#include "engine/base/status_macros.h"
#include "engine/search/search_constants.h"
#include "nets/weights/weights_file.h"
#include "selfplay/match/shared_evaluator.h"

namespace chuhe {
namespace {

// Leaves that a game collects at once: games are decided by visits, not by time, and virtual visits
// make them worth less.
constexpr int kLeaves = 4;

struct NetworkCommand {
  std::string file;  // as it is written
  std::string precision = "auto";
  int64_t visits = 0;
};

absl::StatusOr<NetworkCommand> ParseCommand(absl::string_view text) {
  std::vector<std::string> parts = absl::StrSplit(text, ':');
  NetworkCommand command;
  if (parts.size() > 3 && !parts.back().empty() &&
      !absl::ascii_isdigit(static_cast<unsigned char>(parts.back()[0]))) {
    command.precision = parts.back();
    parts.pop_back();
  }
  if (parts.size() < 3 || parts[0] != "net" || !absl::SimpleAtoi(parts.back(), &command.visits) ||
      command.visits < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "': expected net:FILE:VISITS or net:FILE:VISITS:PRECISION"));
  }
  // What is between may hold colons itself.
  command.file = absl::StrJoin(parts.begin() + 1, parts.end() - 1, ":");
  return command;
}

absl::StatusOr<NamedNetwork> ReadFile(const std::string& name) {
  if (name != "default") return ReadNetwork(name);
  const std::optional<std::string> file = FindDefaultNetwork();
  if (!file) return absl::NotFoundError("no network comes with this program");
  return ReadNetwork(*file);
}

// Thread-safe.
class NetworkPlayers {
 public:
  // Reads the engine's file and keeps it. Returns its SHA-256.
  absl::StatusOr<std::string> Keep(const EngineSpec& spec) {
    CHUHE_ASSIGN_OR_RETURN(const NetworkCommand command, ParseCommand(spec.command));
    TreeSearchOptions unused;
    CHUHE_RETURN_IF_ERROR(SetConstants(spec, &unused));
    const MutexLock lock(&mutex_);
    const auto found = kept_.find(command.file);
    if (found != kept_.end()) return found->second.sha256;
    CHUHE_ASSIGN_OR_RETURN(NamedNetwork network, ReadFile(command.file));
    kept_[command.file] = {std::make_shared<const NetworkWeights>(std::move(network.weights)),
                           network.sha256};
    return network.sha256;
  }

  absl::StatusOr<BuiltinEngine> Make(const EngineSpec& spec) {
    CHUHE_ASSIGN_OR_RETURN(const NetworkCommand command, ParseCommand(spec.command));
    BuiltinEngine engine;
    engine.limits.nodes = command.visits;
    CHUHE_ASSIGN_OR_RETURN(Opened opened, Open(command));
    TreeSearcherOptions options;
    TreeSearchOptions& search = options.search;
    search = MatchSearchOptions(opened.weights->architecture);
    search.max_tree_bytes =
        std::min(search.max_tree_bytes, TreeBytesFor(static_cast<size_t>(command.visits)));
    CHUHE_RETURN_IF_ERROR(SetConstants(spec, &search));
    engine.searcher = std::make_unique<SharedTreeSearcher>(std::move(opened.evaluator), options);
    return engine;
  }

 private:
  struct Shared {
    std::weak_ptr<SharedEvaluator> evaluator;
    std::shared_ptr<const NetworkWeights> weights;
    int players = 0;
  };

  struct Opened {
    std::shared_ptr<SharedEvaluator> evaluator;
    std::shared_ptr<const NetworkWeights> weights;
  };

  struct Kept {
    std::shared_ptr<const NetworkWeights> weights;
    std::string sha256;
  };

  static absl::Status SetConstants(const EngineSpec& spec, TreeSearchOptions* options) {
    return SetSearchConstants(spec.options, "option", options);
  }

  absl::StatusOr<std::shared_ptr<const NetworkWeights>> WeightsOf(const std::string& file)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const auto found = kept_.find(file);
    if (found != kept_.end()) return found->second.weights;
    CHUHE_ASSIGN_OR_RETURN(NamedNetwork network, ReadFile(file));
    return std::make_shared<const NetworkWeights>(std::move(network.weights));
  }

  // With one evaluator more while there are fewer than players and cores.
  absl::StatusOr<Opened> Open(const NetworkCommand& command) {
    const MutexLock lock(&mutex_);
    std::erase_if(shared_, [](const auto& entry) { return entry.second.evaluator.expired(); });
    const std::string key = absl::StrCat(command.precision, ":", command.file);
    std::shared_ptr<SharedEvaluator> evaluator;
    const auto found = shared_.find(key);
    if (found != shared_.end()) evaluator = found->second.evaluator.lock();
    Shared shared;
    if (evaluator != nullptr) {
      shared = found->second;
    } else {
      CHUHE_ASSIGN_OR_RETURN(shared.weights, WeightsOf(command.file));
      evaluator = std::make_shared<SharedEvaluator>(SharedEvaluator::kBatchOnCpu);
      shared.evaluator = evaluator;
    }
    ++shared.players;
    if (static_cast<int>(evaluator->evaluators()) < std::min(shared.players, AvailableCores())) {
      CHUHE_ASSIGN_OR_RETURN(
          OpenedEvaluator opened,
          OpenEvaluator(*shared.weights, {.precision = command.precision, .threads = 1}));
      evaluator->Add(std::move(opened.evaluator));
    }
    shared_[key] = shared;
    return Opened{std::move(evaluator), std::move(shared.weights)};
  }

  Mutex mutex_;
  std::map<std::string, Shared> shared_ ABSL_GUARDED_BY(mutex_);  // by precision and file
  std::map<std::string, Kept> kept_ ABSL_GUARDED_BY(mutex_);      // by file
};

BuiltinFactory FactoryOf(std::shared_ptr<NetworkPlayers> players) {
  return [players = std::move(players)](const EngineSpec& engine) { return players->Make(engine); };
}

}  // namespace

TreeSearchOptions MatchSearchOptions(const Architecture& architecture) {
  TreeSearchOptions options = PlayingOptions(architecture, "cpu");
  options.batch_size = kLeaves;
  options.mate_moves = MateSearch::kMostMoves;
  return options;
}

BuiltinFactory MakeNetworkPlayers() { return FactoryOf(std::make_shared<NetworkPlayers>()); }

absl::StatusOr<BuiltinFactory> MakeNetworkPlayersOf(std::vector<EngineSpec>* engines) {
  auto players = std::make_shared<NetworkPlayers>();
  for (EngineSpec& engine : *engines) {
    if (engine.protocol != EngineProtocol::kBuiltin || !absl::StartsWith(engine.command, "net:")) {
      continue;
    }
    absl::StatusOr<std::string> sha256 = players->Keep(engine);
    if (!sha256.ok()) {
      return absl::Status(sha256.status().code(),
                          absl::StrCat(engine.name, ": ", sha256.status().message()));
    }
    engine.file_hash = *std::move(sha256);
  }
  return FactoryOf(std::move(players));
}

}  // namespace chuhe
