#include "selfplay/match/uci_player.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "selfplay/match/engine_text.h"

namespace chuhe {

absl::Status UciPlayer::Handshake(SteadyTime deadline) {
  CHUHE_RETURN_IF_ERROR(Send("uci\n", deadline));
  bool has_variant = false;
  CHUHE_RETURN_IF_ERROR(ReadUntil(deadline, [&](absl::string_view line) {
    if (absl::StartsWith(line, "option name UCI_Variant ")) {
      has_variant = absl::StrContains(absl::StrCat(line, " "), " xiangqi ");
    }
    return absl::StartsWith(line, "uciok");
  }));
  std::string lines;
  if (has_variant) lines = "setoption name UCI_Variant value xiangqi\n";
  for (const auto& [name, value] : spec().options) {
    absl::StrAppend(&lines, "setoption name ", name);
    if (!value.empty()) absl::StrAppend(&lines, " value ", value);
    lines.push_back('\n');
  }
  const bool from_one =
      spec().squares == SquareStyle::kAuto ? has_variant : spec().squares == SquareStyle::kFromOne;
  squares_ = from_one ? RankBase::kOne : RankBase::kZero;
  return WaitUntilReady(lines, deadline);
}

absl::Status UciPlayer::BeginGame(const GameStart& /*start*/, SteadyTime deadline) {
  return WaitUntilReady("ucinewgame\n", deadline);
}

absl::Status UciPlayer::WaitUntilReady(absl::string_view lines, SteadyTime deadline) {
  CHUHE_RETURN_IF_ERROR(Send(absl::StrCat(lines, "isready\n"), deadline));
  return ReadUntil(deadline,
                   [](absl::string_view line) { return absl::StartsWith(line, "readyok"); });
}

std::string UciPlayer::GoLines(const MoveRequest& request) {
  info_.Clear();
  const Game& game = *request.game;
  std::string lines =
      absl::StrCat("position fen ", FenText(game, 0), MovesText(game, 0, squares_), "\ngo");
  const TimeControl& control = *request.control;
  if (request.clock.has_value()) {
    const Clock other = request.opponent_clock.value_or(*request.clock);
    const bool is_red = game.position().side_to_move() == Color::kRed;
    const Clock& red = is_red ? *request.clock : other;
    const Clock& black = is_red ? other : *request.clock;
    absl::StrAppend(&lines, " wtime ", red.time_ms, " btime ", black.time_ms, " winc ",
                    red.increment_ms, " binc ", black.increment_ms);
    if (request.clock->moves_to_go > 0) {
      absl::StrAppend(&lines, " movestogo ", request.clock->moves_to_go);
    }
  }
  if (control.movetime_ms > 0) absl::StrAppend(&lines, " movetime ", control.movetime_ms);
  if (control.nodes > 0) absl::StrAppend(&lines, " nodes ", control.nodes);
  if (control.depth > 0) absl::StrAppend(&lines, " depth ", control.depth);
  lines.push_back('\n');
  return lines;
}

bool UciPlayer::ReadReply(absl::string_view line, const MoveRequest& /*request*/,
                          MoveAnswer* answer) {
  if (info_.Take(line) || !ReadBestMove(WordsOf(line), squares_, answer)) return false;
  info_.Read(answer);
  return true;
}

}  // namespace chuhe
