#include "selfplay/match/cecp_player.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/board/fen.h"
#include "engine/rules/notation/coordinates.h"
#include "selfplay/match/engine_text.h"

namespace chuhe {
namespace {

// The letters H and E and exactly four fields: the only form that all of them read.
std::string BoardText(const Position& position) {
  std::string board = FormatFen(position);
  board.resize(board.find(' '));
  for (char& c : board) {
    if (c == 'N' || c == 'n') c = c == 'N' ? 'H' : 'h';
    if (c == 'B' || c == 'b') c = c == 'B' ? 'E' : 'e';
  }
  return absl::StrCat(board, position.side_to_move() == Color::kRed ? " w" : " b", " 0 1");
}

// `feature … name=1` or `name="text"`; false: not in the line.
bool FeatureValue(absl::string_view line, absl::string_view name, absl::string_view* value) {
  const std::string key = absl::StrCat(" ", name, "=");
  const size_t at = line.find(key);
  if (at == absl::string_view::npos) return false;
  absl::string_view rest = line.substr(at + key.size());
  if (!rest.empty() && rest.front() == '"') {
    rest.remove_prefix(1);
    *value = rest.substr(0, rest.find('"'));
  } else {
    *value = rest.substr(0, rest.find(' '));
  }
  return true;
}

// About its thinking: `ply score centiseconds nodes …`.
bool IsThinking(const char* line, size_t size) {
  if (size == 0) return false;
  const bool begins_so = line[0] == ' ' || line[0] == '\t' || (line[0] >= '0' && line[0] <= '9');
  // Not a result.
  return begins_so && (size < 2 || (line[1] != '-' && line[1] != '/'));
}

// `ply score centiseconds nodes …` of `post`.
void ReadThinking(const std::vector<absl::string_view>& words, MoveAnswer* answer) {
  int64_t numbers[4];
  for (size_t i = 0; i < 4; ++i) {
    if (i >= words.size() || !absl::SimpleAtoi(words[i], &numbers[i])) return;
  }
  if (numbers[0] < 1) return;
  constexpr int64_t kLargest = 1'000'000;
  answer->depth = static_cast<int>(std::min<int64_t>(numbers[0], 1000));
  answer->score =
      Score{.centipawns = static_cast<int>(std::clamp(numbers[1], -kLargest, kLargest))};
  answer->reported_ms = std::clamp<int64_t>(numbers[2], -1, kLargest * kLargest) * 10;
  answer->nodes = numbers[3];
}

}  // namespace

void CecpPlayer::ReadFeatures(absl::string_view line) {
  const struct {
    absl::string_view name;
    bool* flag;
  } flags[] = {{"ping", &features_.ping},         {"setboard", &features_.setboard},
               {"usermove", &features_.usermove}, {"draw", &features_.draw},
               {"time", &features_.time},         {"done", &features_.done}};
  absl::string_view value;
  for (const auto& [name, flag] : flags) {
    if (FeatureValue(line, name, &value)) *flag = value == "1";
  }
}

absl::Status CecpPlayer::Handshake(SteadyTime deadline) {
  features_ = {};
  CHUHE_RETURN_IF_ERROR(Send("xboard\nprotover 2\n", deadline));
  absl::Status variants;
  CHUHE_RETURN_IF_ERROR(ReadUntil(deadline, [&](absl::string_view line) {
    if (!absl::StartsWith(line, "feature ")) return false;
    ReadFeatures(line);
    absl::string_view value;
    if (FeatureValue(line, "variants", &value) && !absl::StrContains(value, "xiangqi")) {
      variants = absl::FailedPreconditionError("plays no xiangqi");
    }
    return features_.done;
  }));
  CHUHE_RETURN_IF_ERROR(variants);
  std::string lines;
  for (const auto& [name, value] : spec().options) {
    absl::StrAppend(&lines, "option ", name, value.empty() ? "" : "=", value, "\n");
  }
  return Send(lines, deadline);
}

absl::StatusOr<std::string> CecpPlayer::LimitLines(const TimeControl& control) const {
  if (control.nodes > 0) {
    return absl::FailedPreconditionError(
        "CECP engines cannot be limited by nodes; give this engine depth=… or tc=…");
  }
  std::string lines;
  if (control.has_clock()) {
    // Whole minutes and seconds only: some read nothing else. The real clock comes with `time`.
    const TimePeriod& period = control.periods[0];
    absl::StrAppend(&lines, "level ", period.moves, " ",
                    std::max<int64_t>(1, (period.time_ms + 59'999) / 60'000), " ",
                    period.increment_ms / 1000, "\n");
  } else if (control.movetime_ms > 0) {
    if (control.movetime_ms % 1000 != 0) {
      return absl::FailedPreconditionError(
          "CECP engines take whole seconds a move; give this engine depth=… or tc=…");
    }
    absl::StrAppend(&lines, "st ", control.movetime_ms / 1000, "\n");
  }
  if (control.depth > 0) absl::StrAppend(&lines, "sd ", control.depth, "\n");
  return lines;
}

absl::Status CecpPlayer::BeginGame(const GameStart& start, SteadyTime deadline) {
  CHUHE_ASSIGN_OR_RETURN(const std::string limits, LimitLines(*start.control));
  const Position position = start.game->PositionAt(0);
  std::string lines = absl::StrCat("new\nvariant xiangqi\neasy\npost\n", limits, "force\n");
  if (!(position == Position::Start())) {
    if (!features_.setboard) {
      return absl::FailedPreconditionError(
          "cannot be given a position (setboard=0); use openings of moves from the start position");
    }
    absl::StrAppend(&lines, "setboard ", BoardText(position), "\n");
  }
  told_plies_ = 0;
  is_forced_ = true;
  const absl::Status status = SendAndSync(absl::StrCat(lines, NewMoves(*start.game)), deadline);
  offered_draw_ = false;  // what was read until now belongs to the game before
  return status;
}

std::string CecpPlayer::MoveLine(const Game& game, int ply) const {
  return absl::StrCat(features_.usermove ? "usermove " : "", FormatUci(game.move(ply)), "\n");
}

std::string CecpPlayer::NewMoves(const Game& game) {
  std::string lines;
  while (told_plies_ < game.plies()) lines += MoveLine(game, ++told_plies_);
  return lines;
}

absl::Status CecpPlayer::SendAndSync(absl::string_view lines, SteadyTime deadline) {
  if (!features_.ping) return Send(lines, deadline);
  const std::string pong = absl::StrCat("pong ", ++pings_);
  CHUHE_RETURN_IF_ERROR(Send(absl::StrCat(lines, "ping ", pings_, "\n"), deadline));
  absl::Status complaint;
  CHUHE_RETURN_IF_ERROR(ReadUntil(deadline, [&](absl::string_view line) {
    complaint.Update(TakeEarlyLine(line));
    return absl::StripAsciiWhitespace(line) == absl::string_view(pong);
  }));
  return complaint;
}

absl::Status CecpPlayer::TakeEarlyLine(absl::string_view line) {
  if (absl::StartsWith(line, "offer draw")) offered_draw_ = true;
  return absl::StartsWith(line, "Illegal move") ? absl::AbortedError(Printable(line))
                                                : absl::OkStatus();
}

absl::Status CecpPlayer::Prepare(const MoveRequest& request, SteadyTime deadline) {
  const Game& game = *request.game;
  // The opponent's move alone is told when the clock runs: it is what the engine answers to.
  if (!is_forced_ && told_plies_ + 1 == game.plies()) return SendAndSync("", deadline);
  std::string lines = is_forced_ ? "" : "force\n";
  is_forced_ = true;
  // After an illegal move, which it has on its own board, an engine is asked again.
  for (; told_plies_ > game.plies(); --told_plies_) lines += "undo\n";
  lines += NewMoves(game);
  return SendAndSync(lines, deadline);
}

std::string CecpPlayer::GoLines(const MoveRequest& request) {
  thinking_.clear();
  std::string lines;
  const TimeControl& control = *request.control;
  if (features_.time && (request.clock.has_value() || control.movetime_ms > 0)) {
    // With `st`, too: some spend what `time` says on it.
    const int64_t own = request.clock ? request.clock->time_ms : control.movetime_ms;
    const int64_t other = request.opponent_clock ? request.opponent_clock->time_ms : own;
    absl::StrAppend(&lines, "time ", own / 10, "\notim ", other / 10, "\n");
  }
  if (request.draw_offered) {
    // What it said before it knew of the offer is no answer to that.
    offered_draw_ = false;
    if (features_.draw) lines += "draw\n";
  }
  lines += is_forced_ ? "go\n" : MoveLine(*request.game, ++told_plies_);
  is_forced_ = false;
  return lines;
}

ChildProcess::CanWait CecpPlayer::CanWait() const { return IsThinking; }

bool CecpPlayer::ReadReply(absl::string_view line, const MoveRequest& request, MoveAnswer* answer) {
  // Most lines are about its thinking; the last one of them is read.
  if (IsThinking(line.data(), line.size())) {
    thinking_.assign(line.data(), line.size());
    return false;
  }
  const std::vector<absl::string_view> words = WordsOf(line);
  if (words.empty()) return false;
  answer->detail = Printable(line.substr(0, 120));
  if (words[0] == "move" && words.size() > 1) {
    const std::optional<Move> move = ParseUci({words[1].data(), words[1].size()});
    answer->kind = move.has_value() ? AnswerKind::kMove : AnswerKind::kUnreadable;
    if (move.has_value()) answer->move = *move;
    answer->detail = Printable(words[1]);
    answer->offers_draw = offered_draw_;
    offered_draw_ = false;
    ++told_plies_;
    ReadThinking(WordsOf(thinking_), answer);
    return true;
  }
  const bool is_red = request.game->position().side_to_move() == Color::kRed;
  const absl::string_view own_loss = is_red ? "0-1" : "1-0";
  if (words[0] == "resign" || words[0] == own_loss) {
    answer->kind = AnswerKind::kResign;
    return true;
  }
  if (words[0] == "1-0" || words[0] == "0-1" || words[0] == "1/2-1/2") {
    answer->kind = AnswerKind::kFalseClaim;
    return true;
  }
  if (absl::StartsWith(line, "Illegal move")) {
    answer->kind = AnswerKind::kRefusesMove;
    return true;
  }
  if (words.size() > 1 && words[0] == "offer" && words[1] == "draw") offered_draw_ = true;
  return false;
}

}  // namespace chuhe
