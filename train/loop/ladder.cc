#include "train/loop/ladder.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "selfplay/match/match.h"
#include "selfplay/match/rating_store.h"

namespace chuhe {
namespace {

// Stops a match when a flag is set.
class StopWatch {
 public:
  StopWatch(Match* match, const std::atomic<bool>& stop)
      : thread_([match, &stop](const std::stop_token& end) {
          while (!end.stop_requested()) {
            if (stop) return match->Stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
        }) {}

 private:
  std::jthread thread_;
};

EngineSpec Builtin(std::string name, std::string command) {
  EngineSpec spec;
  spec.name = std::move(name);
  spec.command = std::move(command);
  spec.protocol = EngineProtocol::kBuiltin;
  return spec;
}

EngineSpec NetworkSpec(const LadderNetwork& network, int visits) {
  return Builtin(GenerationName(network.generation),
                 absl::StrCat("net:", network.path, ":", visits));
}

MatchOptions Prepare(const LadderOptions& options) {
  MatchOptions match;
  match.schedule.games = options.games;
  match.law.ply_cap = options.ply_cap;
  match.openings = BuiltinOpenings();
  match.seed = options.seed;
  match.concurrency = options.concurrency;
  return match;
}

absl::StatusOr<std::vector<LadderResult>> Play(MatchOptions options,
                                               const std::atomic<bool>& stop) {
  Match match(options);
  absl::StatusOr<MatchReport> report;
  {
    const StopWatch watch(&match, stop);
    report = match.Run([](const std::vector<PlayedGame>&, int) {});
  }
  if (!report.ok()) return report.status();
  if (!report->is_complete) return absl::CancelledError("the ladder was ended before its end");
  std::vector<LadderResult> results;
  for (const Encounter& encounter : EncountersOf(report->games)) {
    const auto name = [&](int engine) { return options.engines[static_cast<size_t>(engine)].name; };
    results.push_back({name(encounter.red), name(encounter.black),
                       static_cast<int>(encounter.red_wins), static_cast<int>(encounter.draws),
                       static_cast<int>(encounter.black_wins)});
  }
  return results;
}

}  // namespace

std::vector<std::string> LadderAnchors() {
  return {"random", "alphabeta:1", "alphabeta:2", "alphabeta:3"};
}

absl::StatusOr<std::vector<LadderResult>> PlayLadder(const LadderOptions& options,
                                                     const LadderNetwork& network,
                                                     const std::vector<LadderNetwork>& earlier,
                                                     const std::string& journal,
                                                     const BuiltinFactory& networks,
                                                     const std::atomic<bool>& stop) {
  MatchOptions match = Prepare(options);
  match.schedule.format = MatchFormat::kGauntlet;
  match.builtins = networks;
  match.journal = journal;
  match.engines.push_back(NetworkSpec(network, options.visits));
  for (const std::string& anchor : LadderAnchors())
    match.engines.push_back(Builtin(anchor, anchor));
  int back = 1;
  for (int i = 0; i < options.earlier; ++i, back *= 2) {
    for (const LadderNetwork& other : earlier) {
      if (other.generation != network.generation - back) continue;
      match.engines.push_back(NetworkSpec(other, options.visits));
    }
  }
  return Play(std::move(match), stop);
}

absl::StatusOr<std::vector<LadderResult>> PlayAnchors(const LadderOptions& options,
                                                      const std::atomic<bool>& stop) {
  MatchOptions match = Prepare(options);
  for (const std::string& anchor : LadderAnchors())
    match.engines.push_back(Builtin(anchor, anchor));
  return Play(std::move(match), stop);
}

absl::StatusOr<std::vector<LadderRating>> RateRun(const std::vector<Generation>& generations) {
  std::vector<RatedPlayer> players;
  std::map<std::string, int> numbers;
  const auto number_of = [&](const std::string& name) {
    const auto [entry, is_new] = numbers.emplace(name, static_cast<int>(players.size()));
    if (is_new) {
      players.push_back({name, {}});
      if (name == kAnchorPlayer) players.back().anchor = kAnchorElo;
    }
    return entry->second;
  };
  std::vector<Encounter> encounters;
  for (const Generation& generation : generations) {
    for (const LadderResult& result : generation.ladder) {
      // One after the other: the order of players is that of their first games.
      const int red = number_of(result.red);
      const int black = number_of(result.black);
      encounters.push_back({red, black, static_cast<double>(result.red_wins),
                            static_cast<double>(result.draws),
                            static_cast<double>(result.black_wins)});
    }
  }
  std::vector<LadderRating> ratings;
  if (encounters.empty()) return ratings;
  RatingOptions options;
  options.prior_draws = 1;
  CHUHE_ASSIGN_OR_RETURN(const RatingList list, RatePlayers(players, encounters, options));
  for (size_t i = 0; i < players.size(); ++i) {
    ratings.push_back({players[i].name, list.players[i]});
  }
  return ratings;
}

}  // namespace chuhe
