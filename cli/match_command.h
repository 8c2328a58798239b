// `chuhe match`: games between engines of any kind under our rules, and what they are worth.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command.h"
#include "selfplay/match/match.h"
#include "selfplay/match/opening_maker.h"

namespace chuhe {

class MatchCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  void RegisterPlay(CLI::App* match);
  void RegisterContest(CLI::App* match);
  void RegisterOutput(CLI::App* match);

  absl::StatusOr<MatchOptions> MakeOptions() const;
  absl::Status AddEngines(MatchOptions* options) const;
  absl::Status AddOpenings(MatchOptions* options) const;
  absl::StatusOr<SprtOptions> ReadSprt() const;
  int MakeOpenings() const;
  // Before the first game: whether what is asked for can be written.
  absl::Status CheckReports() const;
  // All that can be; the first error of the others.
  absl::Status WriteReports(const MatchOptions& options, const MatchReport& report) const;

  std::vector<std::string> engines_;
  std::string engine_file_;
  int games_ = 2;
  int rounds_ = 0;
  std::string format_ = "roundrobin";
  std::vector<int> teams_;
  TimeControl control_;
  std::string periods_;
  double scale_ = 1;
  std::string sprt_;
  std::string openings_;
  int opening_plies_ = 8;
  int random_plies_ = 0;
  bool in_order_ = false;
  std::string opening_games_;
  OpeningChoice opening_choice_;
  std::string rules_ = "computer";
  ContestLaw law_;
  AdjudicationOptions adjudication_;
  uint64_t seed_ = 1;
  int concurrency_ = 1;
  std::string journal_;
  std::string pgn_;
  std::string notation_ = "iccs";
  bool pgn_plain_ = false;
  std::string html_;
  std::string ratings_;
  bool json_ = false;
  bool quiet_ = false;
};

}  // namespace chuhe
