#include "selfplay/match/external_player.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_macros.h"
#include "selfplay/match/command_words.h"
#include "selfplay/match/engine_text.h"

namespace chuhe {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// How long lines that lie there already are read, of an engine that writes without end.
constexpr int64_t kLongestEarlyMs = 100;
// One that takes no input any more may be about to end.
constexpr int64_t kLongestEndMs = 500;

SteadyTime After(int64_t ms) { return std::chrono::steady_clock::now() + milliseconds(ms); }

}  // namespace

absl::Status ExternalPlayer::NewGame(const GameStart& start) {
  if (process_ != nullptr) {
    // What it says of the last game is of no interest any more.
    const SteadyTime early = After(kLongestEarlyMs);
    std::string line;
    while (process_->ReadEarlyLine(early, &line)) Remember(line);
    const absl::Status status = process_->is_at_end() ? absl::UnavailableError("") : Begin(start);
    if (!absl::IsUnavailable(status)) return status;
    // It ended between the games, which costs it none.
    process_.reset();
  }
  return Begin(start);
}

absl::Status ExternalPlayer::Begin(const GameStart& start) {
  const SteadyTime deadline = After(spec_.startup_ms);
  if (process_ == nullptr) {
    ProcessSpec process;
    CHUHE_ASSIGN_OR_RETURN(process.words, SplitCommand(spec_.command));
    process.directory = spec_.directory;
    process.environment = spec_.environment;
    CHUHE_ASSIGN_OR_RETURN(process_, ChildProcess::Start(process, &stop_));
    last_lines_.clear();
    if (absl::Status status = Handshake(deadline); !status.ok()) {
      process_.reset();
      return status;
    }
  }
  absl::Status status = BeginGame(start, deadline);
  if (!status.ok()) process_.reset();
  return status;
}

MoveAnswer ExternalPlayer::Think(const MoveRequest& request) {
  using std::chrono::steady_clock;
  if (process_ == nullptr) return Failure(AnswerKind::kDied, "is not running");
  absl::Status status = Prepare(request, steady_clock::now() + microseconds(request.patience_us));
  if (status.ok()) status = TakeEarlyLines();
  const std::string lines = GoLines(request);
  const SteadyTime sent = steady_clock::now();
  const SteadyTime deadline = sent + microseconds(request.patience_us);
  if (status.ok()) status = Send(lines, deadline);
  MoveAnswer answer;
  std::string line;
  const ChildProcess::CanWait can_wait = CanWait();
  while (status.ok()) {
    SteadyTime received;
    const ReadResult result = process_->ReadLine(deadline, can_wait, &line, &received);
    if (result == ReadResult::kStopped) return Failure(AnswerKind::kStopped, "");
    // Less than nothing for a line that slipped in before the request.
    answer.elapsed_us =
        std::max<int64_t>(0, std::chrono::duration_cast<microseconds>(received - sent).count());
    if (result == ReadResult::kTimeout) status = absl::DeadlineExceededError("");
    if (result == ReadResult::kEndOfOutput) status = absl::UnavailableError("");
    if (result != ReadResult::kLine) break;
    Remember(line);
    if (!ReadReply(line, request, &answer)) continue;
    if (answer.kind == AnswerKind::kRefusesMove || answer.kind == AnswerKind::kFalseClaim) {
      process_.reset();  // where it stands now is anyone's guess
    }
    return answer;
  }
  if (stop_.is_set()) return Failure(AnswerKind::kStopped, "");
  if (absl::IsAborted(status)) {
    return Failure(AnswerKind::kRefusesMove, std::string(status.message()));
  }
  if (absl::IsDeadlineExceeded(status)) {
    answer = Failure(AnswerKind::kTimeout, LastWords());
    answer.elapsed_us = request.patience_us;
    return answer;
  }
  return Failure(AnswerKind::kDied, absl::StrCat(process_->HowItEnded(), LastWords()));
}

absl::Status ExternalPlayer::TakeEarlyLines() {
  const SteadyTime deadline = After(kLongestEarlyMs);
  std::string line;
  while (process_->ReadEarlyLine(deadline, &line)) {
    Remember(line);
    CHUHE_RETURN_IF_ERROR(TakeEarlyLine(line));
  }
  return absl::OkStatus();
}

MoveAnswer ExternalPlayer::Failure(AnswerKind kind, std::string detail) {
  process_.reset();
  MoveAnswer answer;
  answer.kind = kind;
  answer.detail = std::move(detail);
  return answer;
}

bool ExternalPlayer::Quit() {
  if (process_ == nullptr) return true;
  const SteadyTime deadline = After(spec_.quit_ms);
  Send("quit\n", deadline).IgnoreError();
  const bool ended = process_->WaitForEnd(deadline);
  process_.reset();
  return ended;
}

absl::Status ExternalPlayer::Send(absl::string_view lines, SteadyTime deadline) {
  const absl::Status status = process_->Write(lines, deadline);
  if (!absl::IsUnavailable(status)) return status;
  // Most often because it has ended.
  const bool has_ended = process_->WaitForEnd(After(kLongestEndMs));
  return absl::UnavailableError(absl::StrCat(
      has_ended ? process_->HowItEnded() : std::string(status.message()), LastWords()));
}

absl::StatusOr<std::string> ExternalPlayer::NextLine(SteadyTime deadline) {
  std::string line;
  SteadyTime received;
  switch (process_->ReadLine(deadline, nullptr, &line, &received)) {
    case ReadResult::kLine:
      Remember(line);
      return line;
    case ReadResult::kTimeout:
      return absl::DeadlineExceededError(absl::StrCat("is not ready in time", LastWords()));
    case ReadResult::kStopped:
      return absl::CancelledError("stopped");
    case ReadResult::kEndOfOutput:
      break;
  }
  return absl::UnavailableError(absl::StrCat(process_->HowItEnded(), LastWords()));
}

void ExternalPlayer::Remember(absl::string_view line) {
  // What engines print while they think says little about what went wrong.
  if (IsInfo(line.data(), line.size()) || absl::StartsWith(line, "option ") ||
      absl::StripAsciiWhitespace(line).empty()) {
    return;
  }
  constexpr size_t kLines = 3;
  constexpr size_t kLength = 120;
  last_lines_.push_back(Printable(line.substr(0, kLength)));
  if (last_lines_.size() > kLines) last_lines_.pop_front();
}

std::string ExternalPlayer::LastWords() const {
  if (last_lines_.empty()) return "; it has said nothing";
  return absl::StrCat("; its last words: ", absl::StrJoin(last_lines_, " / "));
}

}  // namespace chuhe
