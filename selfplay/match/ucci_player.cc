#include "selfplay/match/ucci_player.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "selfplay/match/engine_text.h"

namespace chuhe {

absl::Status UcciPlayer::Handshake(SteadyTime deadline) {
  CHUHE_RETURN_IF_ERROR(Send("ucci\n", deadline));
  bool offers_milliseconds = false;
  CHUHE_RETURN_IF_ERROR(ReadUntil(deadline, [&](absl::string_view line) {
    offers_milliseconds = offers_milliseconds || absl::StartsWith(line, "option usemillisec");
    return absl::StartsWith(line, "ucciok");
  }));
  // Some count milliseconds without offering it (protocols differ); `time_unit` says so.
  milliseconds_ = spec().time_unit == TimeUnit::kAuto ? offers_milliseconds
                                                      : spec().time_unit == TimeUnit::kMilliseconds;
  std::string lines;
  if (offers_milliseconds) {
    lines = absl::StrCat("setoption usemillisec ", milliseconds_ ? "true" : "false", "\n");
  }
  for (const auto& [name, value] : spec().options) {
    absl::StrAppend(&lines, "setoption ", name, value.empty() ? "" : " ", value, "\n");
  }
  return Send(lines, deadline);
}

absl::Status UcciPlayer::BeginGame(const GameStart& /*start*/, SteadyTime deadline) {
  CHUHE_RETURN_IF_ERROR(Send("setoption newgame\nisready\n", deadline));
  return ReadUntil(deadline,
                   [](absl::string_view line) { return absl::StartsWith(line, "readyok"); });
}

std::string UcciPlayer::ClockWords(const Clock& clock, absl::string_view prefix) const {
  std::string words = absl::StrCat(" ", prefix, "time ", InUnits(clock.time_ms));
  if (clock.moves_to_go > 0) {
    absl::StrAppend(&words, " ", prefix, "movestogo ", clock.moves_to_go);
  } else {
    absl::StrAppend(&words, " ", prefix, "increment ", InUnits(clock.increment_ms));
  }
  return words;
}

std::string UcciPlayer::GoLines(const MoveRequest& request) {
  info_.Clear();
  const Game& game = *request.game;
  // The standard wants the position after the last capture and the quiet moves since.
  const int first = game.plies() - game.reversible_plies();
  std::string lines =
      absl::StrCat("position fen ", FenText(game, first), MovesText(game, first, RankBase::kZero),
                   "\ngo", request.draw_offered ? " draw" : "");
  const TimeControl& control = *request.control;
  if (request.clock.has_value()) {
    lines += ClockWords(*request.clock, "");
    if (request.opponent_clock.has_value()) lines += ClockWords(*request.opponent_clock, "opp");
  } else if (control.movetime_ms > 0) {
    // There is no word for the time of one move; a period of one move is the same.
    absl::StrAppend(&lines, " time ", InUnits(control.movetime_ms), " movestogo 1");
  }
  if (control.nodes > 0) absl::StrAppend(&lines, " nodes ", control.nodes);
  if (control.depth > 0) absl::StrAppend(&lines, " depth ", control.depth);
  lines.push_back('\n');
  return lines;
}

bool UcciPlayer::ReadReply(absl::string_view line, const MoveRequest& /*request*/,
                           MoveAnswer* answer) {
  if (info_.Take(line) || !ReadBestMove(WordsOf(line), RankBase::kZero, answer)) return false;
  info_.Read(answer);
  return true;
}

}  // namespace chuhe
