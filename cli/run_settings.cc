#include "cli/run_settings.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cli/config_file.h"
#include "cli/network_evaluator.h"
#include "engine/base/status_macros.h"
#include "engine/base/stored_file.h"

namespace chuhe {

RunSettings::RunSettings() {
  constexpr int64_t kMost = int64_t{1} << 40;
  AddLoopOptions(&table_, &loop);
  table_.AddString("loop.device", &device, "that plays: cpu, cuda, cuda:0,1");
  table_.AddString("loop.precision", &precision, "of playing: auto, fp32, bf16, fp16, int8");
  table_.AddInt("train.publish_every", &training.publish_every, int64_t{1}, kMost,
                "steps between networks (train on self-play)");
  table_.AddInt("train.report_every", &training.report_every, int64_t{1}, kMost,
                "steps between lines of progress (train)");
  table_.AddInt("train.validation_positions", &training.validation_positions, 1, 10000000,
                "positions to validate on (train on files of games)");
  table_.AddInt("train.validate_every", &training.validate_every, int64_t{1}, kMost,
                "steps (train on files of games)");
}

absl::Status RunSettings::Read(const std::string& config,
                               const std::vector<std::string>& settings) {
  if (!config.empty()) CHUHE_RETURN_IF_ERROR(ReadConfigFile(config, &table_));
  CHUHE_RETURN_IF_ERROR(ApplySettings(settings, &table_));
  CHUHE_RETURN_IF_ERROR(CheckEvaluatorOptions({.device = device, .precision = precision}));
  const auto seed = static_cast<uint64_t>(loop.seed);
  loop.replay.seed = seed;
  loop.replay.trainer.network_seed = seed;
  return absl::OkStatus();
}

absl::Status RunSettings::Write(const std::string& folder, const std::string& file) const {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::UnavailableError(absl::StrCat("cannot create ", folder, ": ", error.message()));
  }
  return WriteStoredFile(absl::StrCat(folder, "/", file), FormatConfig(table_));
}

std::string RunSettings::Help(const std::vector<std::string>& sections) const {
  std::string help;
  for (const std::string& section : sections) help += table_.Help(section);
  return help;
}

std::string RunSettings::Document() const {
  return absl::StrCat(
      "# Every setting of `chuhe selfplay`, `train` and `loop` with its default: what a file for\n"
      "# --config may hold. A run keeps the settings that it was given in its config.yaml.\n",
      DocumentConfig(table_));
}

}  // namespace chuhe
