#include "cli/games_text.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/board/fen.h"
#include "nlohmann/json.hpp"
#include "selfplay/records/pgn_game.h"

namespace chuhe {
namespace {

constexpr size_t kShownMoves = 3;

double Percent(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string Share(absl::string_view name, int64_t part, int64_t whole) {
  return absl::StrFormat("%-22s %8d  %5.1f%%\n", name, part, Percent(part, whole));
}

int64_t Count(const GameStatistics& statistics, Outcome outcome) {
  return statistics.outcomes[static_cast<size_t>(outcome)];
}

std::string Passed(absl::string_view name, int64_t passed, int64_t wrong) {
  if (passed == 0) return "";
  return absl::StrFormat("%-22s %8d  %5.1f%% of them wrong\n", name, passed,
                         Percent(wrong, passed));
}

std::string PolicyText(const Position& position, const PlyRecord& ply, Notation notation) {
  std::vector<MoveWeight> policy = ply.policy;
  int64_t sum = 0;
  for (const MoveWeight& entry : policy) sum += entry.weight;
  std::stable_sort(policy.begin(), policy.end(),
                   [](const MoveWeight& a, const MoveWeight& b) { return a.weight > b.weight; });
  std::string text;
  for (size_t i = 0; i < std::min(policy.size(), kShownMoves); ++i) {
    absl::StrAppendFormat(&text, "  %s %.0f%%", WriteMove(position, policy[i].move, notation),
                          Percent(policy[i].weight, sum));
  }
  return text;
}

std::string PlyText(const Position& position, const PlyRecord& ply, Notation notation) {
  std::string text = WriteMove(position, ply.move, notation);
  if (ply.is_searched) {
    absl::StrAppendFormat(&text, "  %5.1f %5.1f %5.1f", 100 * ply.root.win, 100 * ply.root.draw,
                          100 * ply.root.loss);
  }
  if (ply.is_fast) text += "  fast";
  if (ply.is_drawn) text += "  drawn";
  return text + PolicyText(position, ply, notation);
}

std::string Facts(const GameRecord& record) {
  std::string text =
      absl::StrCat("start    ", FormatFen(record.start, record.start_no_capture_plies), "\n",
                   "rules    ", RuleSetName(record.rules), "\n", "result   ",
                   ResultText(record.outcome), "  ", std::string(GameEndName(record.end)));
  if (record.reason != Reason::kNone) absl::StrAppend(&text, ": ", ReasonName(record.reason));
  absl::StrAppend(&text, "\nplies    ", record.plies.size(), ", the first ", record.random_plies,
                  " at random\n", "seed     ", record.seed, "\n");
  for (const NetworkUse& use : record.networks) {
    absl::StrAppend(&text, "network  ", use.sha256, " from ply ", use.first_ply + 1, "\n");
  }
  if (!record.worker.empty()) absl::StrAppend(&text, "worker   ", record.worker, "\n");
  if (record.fork) {
    absl::StrAppend(&text, "fork     of game with seed ", record.fork->seed, " at ply ",
                    record.fork->ply + 1, "\n");
  }
  if (record.passed_resignation) {
    absl::StrAppend(&text, "passed   resignation at ply ", record.passed_resignation->ply + 1, ": ",
                    OutcomeName(record.passed_resignation->outcome), "\n");
  }
  if (record.passed_adjudication) {
    absl::StrAppend(&text, "passed   adjudication at ply ", record.passed_adjudication->ply + 1,
                    ": ", OutcomeName(record.passed_adjudication->outcome), "\n");
  }
  return text;
}

}  // namespace

std::string StatisticsText(const GameStatistics& statistics) {
  const int64_t games = statistics.games;
  std::string text =
      absl::StrFormat("%-22s %8d\n%-22s %8d\n", "games", games, "plies", statistics.plies);
  text += Share("searched plies", statistics.searched_plies, statistics.plies);
  text += Share("plies with a policy", statistics.policy_plies, statistics.plies);
  absl::StrAppendFormat(&text, "%-22s %8d\n", "network evaluations", statistics.evaluations);
  text += Share("forks", statistics.forks, games);
  text += "\nresults\n";
  text += Share("  red wins", Count(statistics, Outcome::kBlackLoses), games);
  text += Share("  black wins", Count(statistics, Outcome::kRedLoses), games);
  text += Share("  draws", Count(statistics, Outcome::kDraw), games);
  text += Share("  unknown", Count(statistics, Outcome::kUndecided), games);
  text += "\nends\n";
  for (const auto& [name, count] : statistics.ends) text += Share("  " + name, count, games);
  text += Passed("  passed resignations", statistics.passed_resignations,
                 statistics.wrong_resignations);
  text += Passed("  passed adjudications", statistics.passed_adjudications,
                 statistics.wrong_adjudications);
  absl::StrAppendFormat(&text,
                        "\nlength in plies: mean %.1f, shortest %d, half up to %d, nine in ten up "
                        "to %d, longest %d\n",
                        statistics.MeanLength(), statistics.LengthQuantile(0),
                        statistics.LengthQuantile(0.5), statistics.LengthQuantile(0.9),
                        statistics.LengthQuantile(1));
  return text;
}

std::string StatisticsJson(const GameStatistics& statistics) {
  const nlohmann::json object = {
      {"games", statistics.games},
      {"plies", statistics.plies},
      {"searched_plies", statistics.searched_plies},
      {"policy_plies", statistics.policy_plies},
      {"evaluations", statistics.evaluations},
      {"forks", statistics.forks},
      {"red_wins", Count(statistics, Outcome::kBlackLoses)},
      {"black_wins", Count(statistics, Outcome::kRedLoses)},
      {"draws", Count(statistics, Outcome::kDraw)},
      {"unknown", Count(statistics, Outcome::kUndecided)},
      {"ends", statistics.ends},
      {"capped_share", Percent(statistics.end("ply-cap"), statistics.games) / 100},
      {"passed_resignations", statistics.passed_resignations},
      {"wrong_resignations", statistics.wrong_resignations},
      {"passed_adjudications", statistics.passed_adjudications},
      {"wrong_adjudications", statistics.wrong_adjudications},
      {"mean_plies", statistics.MeanLength()},
      {"min_plies", statistics.LengthQuantile(0)},
      {"median_plies", statistics.LengthQuantile(0.5)},
      {"max_plies", statistics.LengthQuantile(1)},
  };
  return object.dump() + "\n";
}

std::string GameText(const GameRecord& record, Notation notation) {
  std::string text = Facts(record) + "\n";
  Position position = record.start;
  for (size_t i = 0; i < record.plies.size(); ++i) {
    absl::StrAppendFormat(&text, "%4d  %s\n", i + 1, PlyText(position, record.plies[i], notation));
    position.Make(record.plies[i].move);
  }
  return text;
}

}  // namespace chuhe
