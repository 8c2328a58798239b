#include "selfplay/match/match.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/core_count.h"
#include "engine/base/random.h"
#include "engine/base/status_macros.h"
#include "selfplay/match/cecp_player.h"
#include "selfplay/match/engine_program.h"
#include "selfplay/match/fiber_group.h"
#include "selfplay/match/match_game.h"
#include "selfplay/match/standings.h"
#include "selfplay/match/ucci_player.h"
#include "selfplay/match/uci_player.h"

namespace chuhe {
namespace {

// Of the file beside the journal with the games that are not over.
constexpr char kTurnsSuffix[] = ".turns";

std::string ControlText(const TimeControl& control) {
  return absl::StrCat("tc=", FormatPeriods(control.periods), " movetime=", control.movetime_ms,
                      " nodes=", control.nodes, " depth=", control.depth);
}

absl::StatusOr<std::unique_ptr<Player>> MakePlayer(const EngineSpec& spec,
                                                   const BuiltinFactory& builtins,
                                                   StopSignal* stop) {
  switch (spec.protocol) {
    case EngineProtocol::kBuiltin:
      return MakeBuiltinPlayer(spec, builtins, stop);
    case EngineProtocol::kUcci:
      return std::make_unique<UcciPlayer>(spec, stop);
    case EngineProtocol::kUci:
      return std::make_unique<UciPlayer>(spec, stop);
    case EngineProtocol::kCecp:
      return std::make_unique<CecpPlayer>(spec, stop);
  }
  return absl::InvalidArgumentError("no such protocol");
}

}  // namespace

std::string MatchOptions::Identity() const {
  std::string text = absl::StrCat(
      FormatName(schedule.format), " games=", schedule.games, " rounds=", schedule.rounds, " ",
      ControlText(control), " scale=", time_scale, " rules=", RuleSetName(rules), " seed=", seed);
  absl::StrAppend(&text, " violations=", law.allowed_violations, " rounds-limit=", law.round_limit,
                  " cap=", law.ply_cap, " margin=", law.margin_ms, " patience=", law.patience_ms);
  absl::StrAppend(&text, " win=", adjudication.win_cp, "/", adjudication.win_moves,
                  " draw=", adjudication.draw_cp, "/", adjudication.draw_moves, "/",
                  adjudication.draw_after_ply, " audit=", adjudication.audit_share);
  if (sprt.has_value()) {
    absl::StrAppend(&text, " sprt=", sprt->elo0, "/", sprt->elo1, "/", sprt->alpha, "/",
                    sprt->beta);
  }
  std::string all_openings;
  for (const Opening& opening : openings)
    absl::StrAppend(&all_openings, FormatOpening(opening), "\n");
  absl::StrAppend(&text, " openings=", openings.size(), "/",
                  StreamId({all_openings.data(), all_openings.size()}), "/", shuffles, "/",
                  random_openings.plies, "/", random_openings.depth, "/", random_openings.max_cp);
  for (size_t i = 0; i < engines.size(); ++i) {
    absl::StrAppend(&text, " engine=", engines[i].Identity());
    if (i < schedule.teams.size()) absl::StrAppend(&text, "|team=", schedule.teams[i]);
  }
  return text;
}

absl::Status Match::Check() const {
  if (options_.sprt.has_value()) {
    const SprtOptions& sprt = *options_.sprt;
    if (options_.engines.size() != 2) {
      return absl::InvalidArgumentError("a sequential test needs exactly two engines");
    }
    const auto is_chance = [](double x) { return x > 0 && x < 0.5; };
    constexpr double kMostElo = 2000;
    if (!(sprt.elo0 < sprt.elo1) || !(sprt.elo0 >= -kMostElo) || !(sprt.elo1 <= kMostElo) ||
        !is_chance(sprt.alpha) || !is_chance(sprt.beta)) {
      return absl::InvalidArgumentError(
          "a sequential test needs elo0 < elo1, both from -2000 to 2000, and alpha and beta "
          "between "
          "0 and 0.5");
    }
  }
  for (const EngineSpec& engine : options_.engines) {
    CHUHE_RETURN_IF_ERROR(CheckEngineProgram(engine));
  }
  return CheckEngineNames(options_.engines);
}

void Match::DrawOpenings() {
  opening_order_.resize(options_.openings.size());
  std::iota(opening_order_.begin(), opening_order_.end(), 0);
  if (!options_.shuffles) return;
  Random random(options_.seed, StreamId("opening order"));
  for (size_t i = opening_order_.size(); i > 1; --i) {
    std::swap(opening_order_[i - 1], opening_order_[random.Below(i)]);
  }
}

Opening Match::OpeningOf(const ScheduledGame& game) const {
  const auto number = static_cast<size_t>(game.opening);
  if (options_.openings.empty()) {
    return RandomOpening(options_.random_openings, options_.seed, number);
  }
  return options_.openings[static_cast<size_t>(opening_order_[number % opening_order_.size()])];
}

absl::Status Match::OpenJournal() {
  if (options_.journal.empty()) return absl::OkStatus();
  CHUHE_ASSIGN_OR_RETURN(Journal journal, Journal::Open(options_.journal, options_.Identity()));
  played_ = journal.games();
  if (!played_.empty()) {
    notes_.push_back(absl::StrCat(played_.size(), " games from the journal ", options_.journal));
  }
  CHUHE_ASSIGN_OR_RETURN(GamesUnderWay turns,
                         GamesUnderWay::Open(options_.journal + kTurnsSuffix, journal.mark()));
  journal_.emplace(std::move(journal));
  turns_.emplace(std::move(turns));
  for (const PlayedGame& played : played_) {
    CHUHE_RETURN_IF_ERROR(turns_->Remove(played.game.index));
  }
  if (const size_t games = turns_->size(); games > 0) {
    notes_.push_back(absl::StrCat(games, " games went on where they had been adjourned"));
  }
  return absl::OkStatus();
}

absl::Status Match::CloseJournal(bool is_complete) {
  if (!turns_.has_value()) return absl::OkStatus();
  if (!is_complete) return turns_->Sync();
  turns_->DeleteFile();
  return absl::OkStatus();
}

absl::StatusOr<MatchReport> Match::Run(const Observer& observer) {
  CHUHE_RETURN_IF_ERROR(Check());
  options_.schedule.players = static_cast<int>(options_.engines.size());
  CHUHE_ASSIGN_OR_RETURN(const std::unique_ptr<Schedule> schedule, MakeSchedule(options_.schedule));
  DrawOpenings();
  CHUHE_RETURN_IF_ERROR(OpenJournal());
  if (options_.sprt.has_value()) sprt_.emplace(*options_.sprt);
  if (sprt_.has_value()) {
    for (const PlayedGame& played : played_) sprt_->Add(played);
  }
  bool is_complete = is_decided();
  while (!is_decided() && !stop_.is_set()) {
    const std::vector<ScheduledGame> round = schedule->NextRound(played_);
    if (round.empty()) {
      CHUHE_RETURN_IF_ERROR(CheckNoneIsBeyond());
      is_complete = true;
      break;
    }
    CHUHE_RETURN_IF_ERROR(CheckPlayed(round));
    scheduled_ += static_cast<int>(round.size());
    if (observer && !played_.empty()) observer(played_, scheduled_);
    PlayRound(round, observer);
    CHUHE_RETURN_IF_ERROR(status_);
    is_complete = is_decided();
  }
  CHUHE_RETURN_IF_ERROR(CloseJournal(is_complete));
  return MakeReport(is_complete);
}

absl::Status Match::CheckPlayed(const std::vector<ScheduledGame>& round) const {
  for (const PlayedGame& played : played_) {
    const auto game = std::find_if(round.begin(), round.end(), [&](const ScheduledGame& scheduled) {
      return scheduled.index == played.game.index;
    });
    if (game != round.end() && *game != played.game) return NotOfThisMatch(played);
  }
  return absl::OkStatus();
}

absl::Status Match::CheckNoneIsBeyond() const {
  for (const PlayedGame& played : played_) {
    if (played.game.index >= scheduled_) return NotOfThisMatch(played);
  }
  return absl::OkStatus();
}

absl::Status Match::NotOfThisMatch(const PlayedGame& played) const {
  return absl::DataLossError(absl::StrCat(options_.journal, ": game ", played.game.index,
                                          " is not one that this match has"));
}

bool Match::TakesTurns(const ScheduledGame& game) const {
  bool is_of_factory = false;
  for (const int engine : {game.red, game.black}) {
    const EngineSpec& spec = options_.engines[static_cast<size_t>(engine)];
    if (spec.protocol != EngineProtocol::kBuiltin) return false;
    const TimeControl control = ControlOf(engine);
    if (control.has_clock() || control.movetime_ms > 0) return false;
    if (!IsOwnPlayer(spec.command)) is_of_factory = true;
  }
  return is_of_factory;
}

void Match::PlayRound(const std::vector<ScheduledGame>& round, const Observer& observer) {
  std::set<int> known;
  for (const PlayedGame& played : played_) known.insert(played.game.index);
  for (const bool take_turns : {true, false}) {
    waiting_.clear();
    for (const ScheduledGame& game : round) {
      if (TakesTurns(game) == take_turns && !known.contains(game.index)) waiting_.push_back(game);
    }
    std::reverse(waiting_.begin(), waiting_.end());
    PlayWaiting(take_turns, observer);
  }
}

void Match::PlayWaiting(bool take_turns, const Observer& observer) {
  const size_t games =
      std::min(waiting_.size(), static_cast<size_t>(std::max(1, options_.concurrency)));
  std::vector<std::jthread> workers;
  if (!take_turns) {
    for (size_t i = 0; i < games; ++i) workers.emplace_back([&] { Work(observer); });
    return;
  }
  const int most = options_.threads > 0 ? options_.threads : AvailableCores();
  const size_t threads = std::min(games, static_cast<size_t>(most));
  for (size_t i = 0; i < threads; ++i) {
    const size_t share = (games + i) / threads;
    workers.emplace_back([this, share, &observer] { WorkInTurns(share, observer); });
  }
}

void Match::WorkInTurns(size_t games, const Observer& observer) {
  const std::vector<std::function<void()>> fibers(games, [&] { Work(observer); });
  FiberGroup().Run(fibers);
}

void Match::Work(const Observer& observer) {
  Players players;
  while (const std::optional<ScheduledGame> game = NextGame()) {
    QuitOthers(&*game, &players);
    PlayedGame played;
    if (const absl::Status status = PlayGame(*game, &players, &played); !status.ok()) {
      Fail(status);
      break;
    }
    if (played.result.outcome == GameOutcome::kUnfinished) break;
    Record(std::move(played), observer);
  }
  QuitOthers(nullptr, &players);
}

std::optional<ScheduledGame> Match::NextGame() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty() || is_decided() || !status_.ok() || stop_.is_set()) return std::nullopt;
  const ScheduledGame game = waiting_.back();
  waiting_.pop_back();
  return game;
}

TimeControl Match::ControlOf(int engine) const {
  const EngineSpec& spec = options_.engines[static_cast<size_t>(engine)];
  return Scaled(spec.has_own_control() ? spec.control : options_.control, options_.time_scale);
}

absl::StatusOr<Player*> Match::PlayerFor(int engine, Players* players) {
  std::unique_ptr<Player>& player = (*players)[engine];
  if (player == nullptr) {
    const EngineSpec& spec = options_.engines[static_cast<size_t>(engine)];
    CHUHE_ASSIGN_OR_RETURN(player, MakePlayer(spec, options_.builtins, &stop_));
  }
  return player.get();
}

absl::Status Match::PlayGame(const ScheduledGame& game, Players* players, PlayedGame* played) {
  CHUHE_ASSIGN_OR_RETURN(Player* const red, PlayerFor(game.red, players));
  CHUHE_ASSIGN_OR_RETURN(Player* const black, PlayerFor(game.black, players));
  const auto index = static_cast<uint64_t>(game.index);
  Random audit(options_.seed, StreamId("audit", index));
  MatchGameOptions options = {.law = options_.law,
                              .adjudication = options_.adjudication,
                              .audits = audit.UniformDouble() < options_.adjudication.audit_share,
                              .seed = StreamId("game", options_.seed ^ StreamId("index", index)),
                              .earlier_turns = {},
                              .on_turn = [&](const Turn& turn) { NoteTurn(game.index, turn); }};
  if (turns_.has_value()) options.earlier_turns = turns_->TurnsOf(game.index);
  played->game = game;
  played->opening = OpeningOf(game);
  {
    const std::lock_guard lock(under_way_mutex_);
    under_way_[game.index] = {game, static_cast<int>(options.earlier_turns.size())};
  }
  const auto side = [&](int engine, Player* player) {
    return MatchSide{player, ControlOf(engine), options_.engines[engine].draw_rule};
  };
  absl::StatusOr<GameResult> result =
      MatchGame(played->opening.MakeGame(options_.rules), side(game.red, red),
                side(game.black, black), std::move(options))
          .Play();
  {
    const std::lock_guard lock(under_way_mutex_);
    under_way_.erase(game.index);
  }
  if (!result.ok()) {
    return absl::Status(
        result.status().code(),
        absl::StrCat(options_.engines[game.red].name, " against ",
                     options_.engines[game.black].name, ": ", result.status().message()));
  }
  played->result = *std::move(result);
  return absl::OkStatus();
}

void Match::NoteTurn(int game, const Turn& turn) {
  if (turns_.has_value()) {
    if (const absl::Status status = turns_->Add(game, turn); !status.ok()) Fail(status);
  }
  const std::lock_guard lock(under_way_mutex_);
  ++under_way_[game].plies;
}

std::vector<Match::GameUnderWay> Match::UnderWay() const {
  const std::lock_guard lock(under_way_mutex_);
  std::vector<GameUnderWay> games;
  for (const auto& [index, game] : under_way_) games.push_back(game);
  return games;
}

void Match::QuitOthers(const ScheduledGame* next, Players* players) {
  for (auto player = players->begin(); player != players->end();) {
    if (next != nullptr && (player->first == next->red || player->first == next->black)) {
      ++player;
      continue;
    }
    if (player->second != nullptr && !player->second->Quit()) {
      const std::lock_guard lock(mutex_);
      notes_.push_back(absl::StrCat(options_.engines[static_cast<size_t>(player->first)].name,
                                    " did not end when told to quit, and was killed"));
    }
    player = players->erase(player);
  }
}

void Match::Record(PlayedGame played, const Observer& observer) {
  const std::lock_guard lock(mutex_);
  if (is_decided() || !status_.ok()) return;
  if (journal_.has_value()) {
    status_ = journal_->Append(played);
    if (status_.ok()) status_ = turns_->Remove(played.game.index);
    if (!status_.ok()) return;
  }
  played_.push_back(std::move(played));
  if (sprt_.has_value()) sprt_->Add(played_.back());
  if (is_decided()) stop_.Stop();  // what still runs cannot change it
  if (observer) observer(played_, scheduled_);
}

void Match::Fail(const absl::Status& status) {
  const std::lock_guard lock(mutex_);
  if (status_.ok()) status_ = status;
  stop_.Stop();
}

MatchReport Match::MakeReport(bool is_complete) {
  MatchReport report;
  report.is_complete = is_complete;
  report.games = played_;
  report.notes = notes_;
  std::sort(report.games.begin(), report.games.end(),
            [](const auto& a, const auto& b) { return a.game.index < b.game.index; });
  if (sprt_.has_value()) {
    report.sprt = sprt_->state();
    if (sprt_->is_decided()) {
      std::erase_if(report.games,
                    [&](const PlayedGame& played) { return played.game.pair >= sprt_->pairs(); });
    }
  }
  return report;
}

}  // namespace chuhe
