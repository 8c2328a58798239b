#include "train/loop/run_games.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/rules/verdict.h"
#include "selfplay/records/game_statistics.h"

namespace chuhe {

absl::StatusOr<std::unique_ptr<RunGames>> RunGames::Open(const std::string& folder) {
  CHUHE_ASSIGN_OR_RETURN(std::unique_ptr<SpoolStore> store, SpoolStore::Open(folder));
  CHUHE_ASSIGN_OR_RETURN(std::unique_ptr<SpoolIngester> ingester, SpoolIngester::Open(folder));
  CHUHE_ASSIGN_OR_RETURN(ShardFolder shards, ShardFolder::Open(SpoolPaths(folder).shards));
  return std::unique_ptr<RunGames>(
      new RunGames(std::move(store), std::move(ingester), std::move(shards)));
}

absl::Status RunGames::Ingest(const std::function<void(const std::string&)>& on_message) {
  CHUHE_ASSIGN_OR_RETURN(const IngestReport report, ingester_->Ingest());
  if (report.quarantined > 0) {
    on_message(absl::StrCat("refused ", report.quarantined,
                            " games, which are in quarantine/: ", report.first_problem));
  }
  return absl::OkStatus();
}

absl::StatusOr<GamesSummary> RunGames::Summarize(uint64_t first, uint64_t end) {
  CHUHE_RETURN_IF_ERROR(shards_.Refresh());
  shards_.Forget(first);
  GameStatistics statistics;
  for (uint64_t number = first; number < std::min(end, shards_.end()); ++number) {
    const absl::StatusOr<GameRecord> game = shards_.ReadGame(number);
    if (absl::IsNotFound(game.status())) continue;
    if (!game.ok()) return game.status();
    statistics.Add(*game);
  }
  const auto count = [&](Outcome outcome) {
    return statistics.outcomes[static_cast<size_t>(outcome)];
  };
  GamesSummary summary;
  summary.games = statistics.games;
  summary.evaluations = statistics.evaluations;
  summary.red_wins = count(Outcome::kBlackLoses);
  summary.black_wins = count(Outcome::kRedLoses);
  summary.draws = count(Outcome::kDraw);
  summary.mean_plies = statistics.MeanLength();
  summary.median_plies = statistics.LengthQuantile(0.5);
  summary.ends = statistics.ends;
  summary.audited = statistics.passed_resignations + statistics.passed_adjudications;
  summary.audited_wrong = statistics.wrong_resignations + statistics.wrong_adjudications;
  return summary;
}

}  // namespace chuhe
