#include "train/diagnosis.h"

#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"

namespace chuhe {
namespace {

double Percent(int64_t part, int64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

bool IsAbove(int64_t part, int64_t whole, double share) {
  return static_cast<double>(part) >= share * static_cast<double>(whole);
}

void DiagnoseGames(const RunHealth& health, const DiagnosisLimits& limits,
                   std::vector<Warning>* warnings) {
  if (health.games < limits.least_games) return;
  if (IsAbove(health.draws, health.games, limits.most_draws)) {
    warnings->push_back(
        {Trouble::kDrawCollapse,
         absl::StrFormat("%.0f %% of the last %d games are draws, from which little can be learnt: "
                         "vary the openings more, raise the temperature of self-play, or lower the "
                         "ply cap if games only go round in circles",
                         Percent(health.draws, health.games), health.games)});
  }
  if (IsAbove(health.capped, health.games, limits.most_capped)) {
    warnings->push_back(
        {Trouble::kCappedGames,
         absl::StrFormat("%.0f %% of the last %d games were ended by the ply cap, so their results "
                         "say little: adjudicate by material while the network is young, or raise "
                         "the cap if they were still being played for a win",
                         Percent(health.capped, health.games), health.games)});
  }
}

void DiagnoseTraining(const RunHealth& health, const DiagnosisLimits& limits,
                      std::vector<Warning>* warnings) {
  if (health.steps_due <= 0 && health.seconds_since_new_game >= limits.longest_without_games_s) {
    warnings->push_back(
        {Trouble::kStarvedWindow,
         absl::StrFormat("training has waited for games for %.0f minutes: check that workers run "
                         "and reach this folder, or raise train.samples_per_position to make more "
                         "steps of the games that there are",
                         health.seconds_since_new_game / 60)});
  }
  if (!std::isfinite(health.loss)) {
    warnings->push_back(
        {Trouble::kLossIsNoNumber,
         absl::StrFormat(
             "the loss after step %d is %f: the steps since the last checkpoint are not "
             "kept; go on from it with a lower train.learning_rate or train.clip_norm",
             health.step, health.loss)});
  }
  if (health.policy_entropy < limits.least_entropy) {
    warnings->push_back(
        {Trouble::kEntropyCollapse,
         absl::StrFormat(
             "the policy targets have only %.2f nats of entropy: self-play sees next to "
             "one move a position and will not find better ones; raise the noise at "
             "the root, the temperature, or the visits of a full search",
             health.policy_entropy)});
  }
  if (health.unreadable_games > 0) {
    warnings->push_back(
        {Trouble::kUnreadableGames,
         absl::StrFormat("%d games could not be read and are left out (`chuhe games verify` lists "
                         "them); the first: %s",
                         health.unreadable_games, health.unreadable_problem)});
  }
}

void DiagnoseMachine(const RunHealth& health, const DiagnosisLimits& limits,
                     std::vector<Warning>* warnings) {
  for (const WorkerHealth& worker : health.workers) {
    if (worker.seconds_since_progress < limits.longest_without_progress_s) continue;
    warnings->push_back(
        {Trouble::kStalledWorker,
         absl::StrFormat("worker %s has not evaluated a position for %.0f seconds: it hangs, or "
                         "other programs take its core; the games it has under way are in its "
                         "journal, so it can be ended and started again",
                         worker.name, worker.seconds_since_progress)});
  }
  if (health.disk_free_bytes < limits.least_disk_bytes) {
    warnings->push_back(
        {Trouble::kDiskNearlyFull,
         absl::StrFormat("%s: only %d MiB are free on this disk: make room, or games and "
                         "checkpoints will fail to be written; old networks in nets/ and old "
                         "shards in games/shards can go",
                         health.disk_path, health.disk_free_bytes >> 20)});
  }
}

}  // namespace

std::vector<Warning> Diagnose(const RunHealth& health, const DiagnosisLimits& limits) {
  std::vector<Warning> warnings;
  DiagnoseGames(health, limits, &warnings);
  DiagnoseTraining(health, limits, &warnings);
  DiagnoseMachine(health, limits, &warnings);
  return warnings;
}

int64_t FreeBytes(const std::string& path) {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(path, error);
  return error ? RunHealth().disk_free_bytes : static_cast<int64_t>(space.available);
}

std::vector<Warning> Alarm::NewWarnings(const RunHealth& health) {
  std::vector<Warning> fresh;
  std::set<Trouble> present;
  for (Warning& warning : Diagnose(health, limits_)) {
    present.insert(warning.trouble);
    if (!present_.contains(warning.trouble)) fresh.push_back(std::move(warning));
  }
  present_ = std::move(present);
  return fresh;
}

}  // namespace chuhe
