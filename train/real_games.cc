#include "train/real_games.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "selfplay/store/game_files.h"

namespace chuhe {

absl::StatusOr<std::vector<GameRecord>> ReadRealGames(
    const std::vector<std::string>& files,
    const std::function<void(const std::string&)>& on_message) {
  std::vector<GameRecord> games;
  absl::Status first_problem;
  for (const std::string& file : files) {
    const size_t before = games.size();
    absl::Status problem;
    const absl::Status visited = VisitGames(
        file, Judging::kTrust, [&](const std::string&, const absl::StatusOr<GameRecord>& game) {
          problem.Update(game.status());
          // A game without moves teaches nothing.
          if (game.ok() && !game->plies.empty()) games.push_back(*game);
          return true;
        });
    // One file of many that holds no game is no reason to stop; one that is not there is.
    if (!absl::IsInvalidArgument(visited)) CHUHE_RETURN_IF_ERROR(visited);
    problem.Update(visited);
    first_problem.Update(problem);
    on_message(absl::StrCat(file, ": ", games.size() - before, " games",
                            problem.ok() ? "" : "; not all could be read: ", problem.message()));
  }
  if (games.empty()) CHUHE_RETURN_IF_ERROR(first_problem);
  return games;
}

}  // namespace chuhe
