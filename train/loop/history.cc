#include "train/loop/history.h"

#include <cstddef>
#include <exception>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/stored_file.h"
#include "nlohmann/json.hpp"

namespace chuhe {

// Not in the namespace without a name, where the library would not find them.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LadderResult, red, black, red_wins, draws, black_wins)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LossPoint, step, policy, wdl, total)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GamesSummary, games, evaluations, red_wins, draws, black_wins,
                                   mean_plies, median_plies, ends, audited, audited_wrong)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Generation, number, sha256, steps, games, positions, play,
                                   losses, seconds, positions_per_s, evaluations_per_s,
                                   samples_per_s, ladder)

namespace {

using Json = nlohmann::json;

constexpr size_t kMaxBytes = size_t{256} << 20;
constexpr int kVersion = 2;
constexpr int kVersionWithoutEvaluations = 1;

absl::Status Bad(absl::string_view name, absl::string_view what) {
  return absl::DataLossError(absl::StrCat(name, ": ", what));
}

}  // namespace

std::string GenerationName(int number) { return absl::StrCat("gen-", number); }

std::vector<int64_t> EvaluationsUpTo(const std::vector<Generation>& generations) {
  std::vector<int64_t> sums;
  int64_t sum = 0;
  for (const Generation& generation : generations) {
    sums.push_back(sum += generation.play.evaluations);
  }
  return sums;
}

std::string FormatHistory(const std::vector<Generation>& generations) {
  Json json = {{"version", kVersion}, {"generations", Json::array()}};
  for (const Generation& generation : generations) json["generations"].push_back(generation);
  return json.dump(1) + "\n";
}

absl::StatusOr<std::vector<Generation>> ParseHistory(absl::string_view text,
                                                     absl::string_view name) {
  std::vector<Generation> generations;
  try {
    Json json = Json::parse(text.begin(), text.end());
    const int version = json.at("version").get<int>();
    if (version != kVersion && version != kVersionWithoutEvaluations) {
      return Bad(name, absl::StrCat("version ", version, "; expected ", kVersion));
    }
    for (Json& entry : json.at("generations")) {
      if (version == kVersionWithoutEvaluations && entry.contains("play")) {
        entry["play"]["evaluations"] = 0;
      }
      generations.push_back(entry.get<Generation>());
      const int expected = static_cast<int>(generations.size()) - 1;
      if (generations.back().number != expected) {
        return Bad(name, absl::StrCat("generation ", generations.back().number,
                                      " where generation ", expected, " was expected"));
      }
    }
  } catch (const std::exception& error) {
    return Bad(name, absl::StrCat("no history of a run: ", error.what()));
  }
  return generations;
}

absl::StatusOr<std::vector<Generation>> ReadHistory(const std::string& path) {
  absl::StatusOr<std::string> text = ReadStoredFile(path, kMaxBytes);
  if (absl::IsNotFound(text.status())) return std::vector<Generation>{};
  if (!text.ok()) return text.status();
  return ParseHistory(*text, path);
}

absl::Status WriteHistory(const std::string& path, const std::vector<Generation>& generations) {
  return WriteStoredFile(path, FormatHistory(generations));
}

}  // namespace chuhe
