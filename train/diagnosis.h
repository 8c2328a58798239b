// What is going wrong in a run, told in words with what to do about it: collapses that no error
// reports, because every part of the run does its work.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace chuhe {

enum class Trouble : uint8_t {
  kDrawCollapse,
  kCappedGames,
  kStarvedWindow,
  kLossIsNoNumber,
  kStalledWorker,
  kEntropyCollapse,
  kUnreadableGames,
  kDiskNearlyFull,
};

struct WorkerHealth {
  std::string name;
  double seconds_since_progress = 0;
};

// Plain numbers, so that whoever knows some of them can ask; defaults say that nothing is known.
struct RunHealth {
  // Of the latest games of self-play, a few hundred.
  int64_t games = 0;
  int64_t draws = 0;
  int64_t capped = 0;  // ended by the ply cap
  // Of the window.
  int64_t steps_due = 1;
  double seconds_since_new_game = 0;
  int64_t unreadable_games = 0;
  std::string unreadable_problem;  // of the first
  // Of the last steps.
  int64_t step = 0;
  double loss = 0;
  double policy_entropy = 1e9;  // in nats, mean over the targets
  std::vector<WorkerHealth> workers;
  int64_t disk_free_bytes = int64_t{1} << 60;
  std::string disk_path;
};

struct DiagnosisLimits {
  int64_t least_games = 100;  // to judge shares by
  double most_draws = 0.9;    // shares
  double most_capped = 0.5;
  double longest_without_games_s = 600;
  double longest_without_progress_s = 120;  // of a worker
  double least_entropy = 0.1;
  int64_t least_disk_bytes = int64_t{2} << 30;
};

struct Warning {
  Trouble trouble;
  std::string text;  // one line
};

std::vector<Warning> Diagnose(const RunHealth& health, const DiagnosisLimits& limits = {});

// Free bytes where `path` is, for RunHealth; the default of RunHealth if the system does not tell.
int64_t FreeBytes(const std::string& path);

// Tells of each trouble when it begins, and again only after it has ended. Owned by one thread.
class Alarm {
 public:
  explicit Alarm(const DiagnosisLimits& limits = {}) : limits_(limits) {}

  std::vector<Warning> NewWarnings(const RunHealth& health);

 private:
  DiagnosisLimits limits_;
  std::set<Trouble> present_;
};

}  // namespace chuhe
