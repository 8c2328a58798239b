#include "selfplay/match/match_game.h"

#include <time.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/random.h"
#include "engine/base/status_macros.h"
#include "engine/board/movegen.h"
#include "engine/board/names.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/rules/notation/move_error.h"

namespace chuhe {
namespace {

// Computing time of this thread.
int64_t ThreadMicroseconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{time.tv_sec} * 1'000'000 + time.tv_nsec / 1000;
}

std::string Seconds(int64_t us) { return absl::StrFormat("%.3f s", static_cast<double>(us) / 1e6); }

}  // namespace

MatchGame::MatchGame(Game game, MatchSide red, MatchSide black, MatchGameOptions options)
    : game_(std::move(game)),
      sides_{std::move(red), std::move(black)},
      options_(std::move(options)),
      clocks_{GameClock(sides_[0].control), GameClock(sides_[1].control)},
      draw_rules_{DrawRuleWatch(sides_[0].draw_rule), DrawRuleWatch(sides_[1].draw_rule)},
      adjudicator_(options_.adjudication) {}

absl::StatusOr<GameResult> MatchGame::Play() {
  Judge();
  std::optional<Game> start;
  if (!options_.earlier_turns.empty()) start = game_;
  for (const Turn& turn : options_.earlier_turns) {
    if (is_over_) break;
    Take(game_.position().side_to_move(), turn.answer);
    CountRunner(turn);
  }
  if (!is_over_) CHUHE_RETURN_IF_ERROR(StartPlayers());
  if (!is_over_ && start.has_value()) Rehearse(*std::move(start));
  while (!is_over_) PlayTurn();
  return std::move(result_);
}

void MatchGame::Rehearse(Game start) {
  MatchGame course(std::move(start), sides_[0], sides_[1],
                   {.law = options_.law, .adjudication = options_.adjudication, .audits = true});
  for (const Turn& turn : options_.earlier_turns) {
    const Color color = course.game_.position().side_to_move();
    sides_[Index(color)].player->Rehearse(course.RequestTo(color));
    course.Take(color, turn.answer);
  }
}

absl::Status MatchGame::StartPlayers() {
  for (const Color color : {Color::kRed, Color::kBlack}) {
    const MatchSide& side = sides_[Index(color)];
    const absl::Status status = side.player->NewGame(
        {.game = &game_,
         .color = color,
         .control = &side.control,
         .seed = StreamId("player", options_.seed * 2 + static_cast<uint64_t>(Index(color)))});
    if (absl::IsFailedPrecondition(status) || absl::IsInvalidArgument(status)) return status;
    if (absl::IsCancelled(status)) {
      End(GameOutcome::kUnfinished, "", "");
      return absl::OkStatus();
    }
    if (!status.ok()) {
      Lose(color, end_reason::kLate, std::string(status.message()));
      return absl::OkStatus();
    }
  }
  return absl::OkStatus();
}

void MatchGame::PlayTurn() {
  const Color color = game_.position().side_to_move();
  Player& player = *sides_[Index(color)].player;
  const bool is_external = player.is_external();
  // The clock of computing time is not free itself.
  const int64_t begin = is_external ? ThreadMicroseconds() : 0;
  Turn turn = {.answer = player.Think(RequestTo(color)), .runner_us = {}};
  Take(color, turn.answer);
  if (is_external) turn.runner_us = ThreadMicroseconds() - begin;
  CountRunner(turn);
  if (is_over_ || !options_.on_turn) return;
  options_.on_turn(turn);
  // Keeping the turn is the runner's work as well.
  if (is_external) result_.runner_us += ThreadMicroseconds() - begin - *turn.runner_us;
}

void MatchGame::CountRunner(const Turn& turn) {
  if (!turn.runner_us.has_value()) return;
  result_.runner_us += *turn.runner_us;
  ++result_.runner_plies;
}

void MatchGame::Take(Color color, const MoveAnswer& answer) {
  // Some print rubbish: of a time that cannot be there is no account.
  constexpr int64_t kLongestMs = 1'000'000'000;
  const int64_t reported_ms = answer.reported_ms.value_or(-1);
  if (reported_ms >= 0 && reported_ms <= kLongestMs && answer.kind == AnswerKind::kMove) {
    result_.measured_us[Index(color)] += answer.elapsed_us;
    result_.reported_us[Index(color)] += reported_ms * 1000;
    ++result_.reported_plies[Index(color)];
  }
  if (answer.kind != AnswerKind::kMove && answer.kind != AnswerKind::kResign) {
    HandleFailure(color, answer);
  } else if (CheckTime(color, answer)) {
    if (answer.kind == AnswerKind::kResign) {
      Lose(color, end_reason::kResignation, "resigns");
    } else if (offers_.StandsFor(color) && answer.offers_draw) {
      Agree(color);
    } else if (!IsLegal(game_.position(), answer.move)) {
      CountIllegalMove(color, answer);
    } else {
      MakeMove(color, answer);
    }
  }
}

void MatchGame::Agree(Color color) {
  End(GameOutcome::kDraw, end_reason::kAgreement,
      absl::StrCat(NameOf(color), " takes the offer of a draw"));
}

MoveRequest MatchGame::RequestTo(Color color) const {
  const MatchSide& side = sides_[Index(color)];
  const MatchSide& other = sides_[Index(Opponent(color))];
  MoveRequest request = {.game = &game_,
                         .control = &side.control,
                         .draw_offered = offers_.StandsFor(color),
                         .patience_us = PatienceUs(color)};
  if (side.control.has_clock()) request.clock = clocks_[Index(color)].Told();
  if (other.control.has_clock()) {
    request.opponent_clock = clocks_[Index(Opponent(color))].Told();
  }
  return request;
}

int64_t MatchGame::PatienceUs(Color color) const {
  const TimeControl& control = sides_[Index(color)].control;
  // Once the time is up there is nothing to wait for, but the answer may be on its way.
  constexpr int64_t kGraceUs = 200'000;
  int64_t patience = options_.law.patience_ms * 1000;
  const int64_t margin = options_.law.margin_ms * 1000 + kGraceUs;
  if (control.has_clock()) patience = clocks_[Index(color)].remaining_us() + margin;
  if (control.movetime_ms > 0) {
    const int64_t by_move = control.movetime_ms * 1000 + margin;
    patience = control.has_clock() ? std::min(patience, by_move) : by_move;
  }
  return std::max<int64_t>(patience, kGraceUs);
}

bool MatchGame::CheckTime(Color color, const MoveAnswer& answer) {
  const TimeControl& control = sides_[Index(color)].control;
  const int64_t margin = options_.law.margin_ms * 1000;
  if (control.movetime_ms > 0 && answer.elapsed_us > control.movetime_ms * 1000 + margin) {
    Lose(color, end_reason::kTime,
         absl::StrCat("takes ", Seconds(answer.elapsed_us), " for a move of ",
                      Seconds(control.movetime_ms * 1000)));
    return false;
  }
  if (!control.has_clock()) return true;
  const int64_t before = clocks_[Index(color)].remaining_us();
  if (clocks_[Index(color)].Spend(answer.elapsed_us, margin)) return true;
  Lose(color, end_reason::kTime,
       absl::StrCat("takes ", Seconds(answer.elapsed_us), " with ", Seconds(before),
                    " on the clock"));
  return false;
}

void MatchGame::HandleFailure(Color color, const MoveAnswer& answer) {
  const TimeControl& control = sides_[Index(color)].control;
  switch (answer.kind) {
    case AnswerKind::kStopped:
      return End(GameOutcome::kUnfinished, "", "");
    case AnswerKind::kTimeout:
      if (!control.has_clock() && control.movetime_ms == 0) {
        return Lose(color, end_reason::kHung,
                    absl::StrCat("no answer in ", Seconds(answer.elapsed_us), answer.detail));
      }
      return Lose(color, end_reason::kTime,
                  absl::StrCat("no answer in ", Seconds(answer.elapsed_us), answer.detail));
    case AnswerKind::kNoMove:
      return Lose(color, end_reason::kNoMove, "says that it has no move");
    case AnswerKind::kUnreadable:
      return Lose(color, end_reason::kUnreadableMove, absl::StrCat("moves '", answer.detail, "'"));
    case AnswerKind::kFalseClaim:
      return Lose(color, end_reason::kFalseClaim,
                  absl::StrCat("claims instead of moving: ", answer.detail));
    case AnswerKind::kRefusesMove:
      return Lose(color, end_reason::kRefusedMove,
                  absl::StrCat("does not take a legal move: ", answer.detail));
    case AnswerKind::kDied:
      return Lose(color, end_reason::kDied, answer.detail);
    case AnswerKind::kMove:
    case AnswerKind::kResign:
      break;
  }
}

void MatchGame::CountIllegalMove(Color color, const MoveAnswer& answer) {
  ++result_.violations[Index(color)];
  // and is asked again
  if (++illegal_moves_[Index(color)] <= options_.law.allowed_violations) return;
  Lose(color, end_reason::kIllegalMove,
       absl::StrCat("plays ", FormatUci(answer.move), ": ",
                    WhyIllegal(game_.position(), answer.move)));
}

void MatchGame::MakeMove(Color color, const MoveAnswer& answer) {
  const bool by_rule =
      draw_rules_[Index(color)].SaysDraw(color, answer.score, game_.plies(), offers_);
  if (by_rule && offers_.StandsFor(color)) return Agree(color);
  if (offers_.Answer(color, answer.offers_draw || by_rule) == DrawOffers::Effect::kVoid) {
    ++result_.violations[Index(color)];
    const int allowed = options_.law.allowed_violations;
    if (++void_offers_[Index(color)] > allowed && allowed > 0) {
      return Lose(color, end_reason::kVoidOffer,
                  "offers a draw again, though the other side has not since it refused");
    }
  }
  if (sides_[Index(color)].control.has_clock()) clocks_[Index(color)].CountMove();
  PlayedPly ply = {.move = answer.move,
                   .elapsed_us = answer.elapsed_us,
                   .depth = answer.depth,
                   .nodes = answer.nodes};
  if (answer.score.has_value()) {
    ply.score_cp = answer.score->centipawns;
    ply.mate_in = answer.score->mate_in;
  }
  result_.plies.push_back(ply);
  game_.Make(answer.move);
  Judge();
  if (!is_over_) Adjudicate(color, answer);
}

void MatchGame::Judge() {
  const Verdict verdict = game_.Adjudicate();
  if (verdict.outcome != Outcome::kUndecided) {
    const Color winner = verdict.outcome == Outcome::kRedLoses ? Color::kBlack : Color::kRed;
    return End(verdict.outcome == Outcome::kDraw ? GameOutcome::kDraw : WinOf(winner),
               std::string(ReasonName(verdict.reason)), Describe(verdict, game_.position()));
  }
  const int limit = options_.law.round_limit;
  if (limit > 0 && game_.no_capture_plies() >= 2 * limit) {
    return End(GameOutcome::kDraw, end_reason::kRoundLimit,
               absl::StrCat("draw: ", limit, " rounds without a capture"));
  }
  const int cap = options_.law.ply_cap;
  if (cap > 0 && game_.plies() >= cap) {
    End(GameOutcome::kDraw, std::string(ReasonName(Reason::kPlyCap)),
        absl::StrCat("draw: the game has reached its cap of ", cap, " plies"));
  }
}

void MatchGame::Adjudicate(Color color, const MoveAnswer& answer) {
  if (result_.audited.has_value()) return;
  GameOutcome outcome = GameOutcome::kUnfinished;
  switch (adjudicator_.Observe(color, answer.score, game_.plies())) {
    case Adjudication::kNone:
      return;
    case Adjudication::kRedWins:
      outcome = GameOutcome::kRedWins;
      break;
    case Adjudication::kBlackWins:
      outcome = GameOutcome::kBlackWins;
      break;
    case Adjudication::kDraw:
      outcome = GameOutcome::kDraw;
      break;
  }
  if (!options_.audits)
    return End(outcome, end_reason::kAdjudication, "both agree in their scores");
  result_.audited = outcome;
  result_.audited_ply = game_.plies();
}

void MatchGame::End(GameOutcome outcome, std::string_view reason, std::string detail) {
  result_.outcome = outcome;
  result_.reason = reason;
  result_.detail = std::move(detail);
  is_over_ = true;
}

void MatchGame::Lose(Color color, std::string_view reason, std::string detail) {
  End(WinOf(Opponent(color)), reason, absl::StrCat(NameOf(color), " ", detail));
}

}  // namespace chuhe
