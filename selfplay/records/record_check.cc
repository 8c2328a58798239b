#include "selfplay/records/record_check.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/rules/game.h"
#include "selfplay/records/record_bytes.h"

namespace chuhe {
namespace {

constexpr size_t kMaxWorkerName = 256;
// As ParseFen reads them.
constexpr int64_t kMaxStartCounter = 1'000'000;

absl::Status Range(absl::string_view name, int64_t value, int64_t most) {
  if (value >= 0 && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": ", value, ", expected a number from 0 to ", most));
}

absl::Status CheckNetworks(const GameRecord& record) {
  if (record.networks.size() > static_cast<size_t>(kMaxRecordNetworks)) {
    return absl::InvalidArgumentError(absl::StrCat("networks: ", record.networks.size(),
                                                   ", expected at most ", kMaxRecordNetworks));
  }
  int last = 0;
  for (const NetworkUse& use : record.networks) {
    const bool is_hex = std::all_of(use.sha256.begin(), use.sha256.end(), [](unsigned char c) {
      return absl::ascii_isxdigit(c) && !absl::ascii_isupper(c);
    });
    if (use.sha256.size() != size_t{2} * kSha256Bytes || !is_hex) {
      return absl::InvalidArgumentError(absl::StrCat("networks: '", use.sha256.substr(0, 80),
                                                     "', expected a SHA-256 of 64 hex digits"));
    }
    CHUHE_RETURN_IF_ERROR(
        Range("networks: first ply", use.first_ply, static_cast<int64_t>(record.plies.size())));
    if (use.first_ply < last) {
      return absl::InvalidArgumentError("networks: not in the order of their first plies");
    }
    last = use.first_ply;
  }
  return absl::OkStatus();
}

absl::Status CheckEnd(const GameRecord& record) {
  const bool is_won =
      record.outcome == Outcome::kRedLoses || record.outcome == Outcome::kBlackLoses;
  const bool is_known = record.outcome != Outcome::kUndecided;
  if (record.end != GameEnd::kUnknown && !is_known) {
    return absl::InvalidArgumentError("outcome: undecided, though the end of the game is known");
  }
  if (record.end == GameEnd::kResignation && !is_won) {
    return absl::InvalidArgumentError("outcome: a draw, though somebody resigned");
  }
  if ((record.end == GameEnd::kRules) != (record.reason != Reason::kNone)) {
    return absl::InvalidArgumentError(absl::StrCat("reason: ", ReasonName(record.reason),
                                                   ", expected one for an end by the rules alone"));
  }
  if (record.reason == Reason::kPlyCap) {
    return absl::InvalidArgumentError("reason: ply-cap is an end of its own");
  }
  if (record.end == GameEnd::kPlyCap &&
      (record.ply_cap == 0 || static_cast<int>(record.plies.size()) < record.ply_cap)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "ply cap: ", record.ply_cap, ", but the game has ", record.plies.size(), " plies"));
  }
  return absl::OkStatus();
}

absl::Status CheckPassedEnd(absl::string_view name, const std::optional<PassedEnd>& end,
                            int64_t plies) {
  if (!end.has_value()) return absl::OkStatus();
  if (end->outcome == Outcome::kUndecided) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": undecided, expected an outcome"));
  }
  return Range(absl::StrCat(name, ": ply"), end->ply, plies);
}

}  // namespace

absl::Status CheckFields(const GameRecord& record) {
  const auto plies = static_cast<int64_t>(record.plies.size());
  CHUHE_RETURN_IF_ERROR(Range("plies", plies, kMaxRecordPlies));
  CHUHE_RETURN_IF_ERROR(
      Range("plies without capture", record.start_no_capture_plies, kMaxStartCounter));
  CHUHE_RETURN_IF_ERROR(Range("random plies", record.random_plies, plies));
  CHUHE_RETURN_IF_ERROR(Range("ply cap", record.ply_cap, UINT16_MAX));
  CHUHE_RETURN_IF_ERROR(Range("evaluations", record.evaluations, UINT32_MAX));
  CHUHE_RETURN_IF_ERROR(Range("time", record.finished_at, INT64_MAX));
  CHUHE_RETURN_IF_ERROR(Range("length of the worker's name",
                              static_cast<int64_t>(record.worker.size()), kMaxWorkerName));
  CHUHE_RETURN_IF_ERROR(CheckPassedEnd("passed resignation", record.passed_resignation, plies));
  CHUHE_RETURN_IF_ERROR(CheckPassedEnd("passed adjudication", record.passed_adjudication, plies));
  if (record.fork) CHUHE_RETURN_IF_ERROR(Range("fork: ply", record.fork->ply, plies));
  CHUHE_RETURN_IF_ERROR(CheckNetworks(record));
  return CheckEnd(record);
}

absl::Status Rejudge(const GameRecord& record) {
  if (record.end != GameEnd::kRules) return absl::OkStatus();
  Game game(record.start,
            {.rules = record.rules, .no_capture_plies = record.start_no_capture_plies});
  for (const PlyRecord& ply : record.plies) {
    const Verdict verdict = game.Adjudicate();
    if (verdict.outcome != Outcome::kUndecided) {
      return absl::InvalidArgumentError(
          absl::StrCat("ply ", game.plies() + 1,
                       ": the game was over before it: ", Describe(verdict, game.position())));
    }
    game.Make(ply.move);
  }
  const Verdict verdict = game.Adjudicate();
  if (verdict.outcome == record.outcome && verdict.reason == record.reason) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("the record says ", OutcomeName(record.outcome),
                                                 " by ", ReasonName(record.reason), ", the judge ",
                                                 Describe(verdict, game.position())));
}

}  // namespace chuhe
