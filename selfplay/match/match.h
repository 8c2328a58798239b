// A match: a schedule of games between engines, several at a time, with a journal and, if wanted, a
// sequential test that ends it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/rules/rule_set.h"
#include "selfplay/match/builtin_players.h"
#include "selfplay/match/contest_law.h"
#include "selfplay/match/engine_spec.h"
#include "selfplay/match/games_under_way.h"
#include "selfplay/match/journal.h"
#include "selfplay/match/openings.h"
#include "selfplay/match/played_game.h"
#include "selfplay/match/schedule.h"
#include "selfplay/match/sprt_run.h"
#include "selfplay/match/stop_signal.h"
#include "selfplay/match/time_control.h"
#include "selfplay/match/turn.h"

namespace chuhe {

struct MatchOptions {
  std::vector<EngineSpec> engines;
  ScheduleOptions schedule;  // `players` is set from the engines
  TimeControl control;
  double time_scale = 1;
  RuleSet rules = RuleSet::kComputer;
  ContestLaw law;
  AdjudicationOptions adjudication;
  // The test is of the first engine against the second; there must be just the two.
  std::optional<SprtOptions> sprt;
  // Used one after the other, in an order drawn from the seed where `shuffles`. Empty: random ones.
  std::vector<Opening> openings;
  bool shuffles = true;
  RandomOpeningOptions random_openings;
  uint64_t seed = 1;
  int concurrency = 1;  // games at a time
  // Of games that take turns (TakesTurns()) so many threads play, each its share of those at a
  // time; 0 for one a core. Other games have a thread each.
  int threads = 0;
  std::string journal;  // path; empty: none
  BuiltinFactory builtins;

  // All that decides which games are played, for the journal.
  std::string Identity() const;
};

struct MatchReport {
  // In the order of the schedule. With a test, only those up to its decision.
  std::vector<PlayedGame> games;
  std::optional<SprtState> sprt;
  bool is_complete = false;  // to the end of the schedule or to the test's decision
  // What concerns no single game: engines that had to be killed, games read from the journal.
  std::vector<std::string> notes;
};

// Thread-safe: Stop(), UnderWay(). The rest is owned by one thread.
class Match {
 public:
  explicit Match(MatchOptions options) : options_(std::move(options)) {}

  // Called after each game that counts, under a lock, with all games so far in order of their end;
  // also once for games from the journal.
  using Observer = std::function<void(const std::vector<PlayedGame>& games, int scheduled)>;

  // Plays, or goes on with, the match. Blocks until it is over or stopped. Errors: options that do
  // not fit together, a journal that does not, an engine that cannot play such games at all.
  absl::StatusOr<MatchReport> Run(const Observer& observer);

  // Ends the match as soon as possible. Games that run are not counted; with a journal they go on
  // where they are when the match is resumed.
  void Stop() { stop_.Stop(); }

  // The games that are being played, with the plies behind their openings. Thread-safe.
  struct GameUnderWay {
    ScheduledGame game;
    int plies = 0;
  };
  std::vector<GameUnderWay> UnderWay() const;

 private:
  // Players of one thread or fiber, kept from game to game while the next one needs them.
  using Players = std::map<int, std::unique_ptr<Player>>;

  absl::Status Check() const;
  void DrawOpenings();
  Opening OpeningOf(const ScheduledGame& game) const;
  absl::Status OpenJournal();
  // Errors: a game of the journal is not the one that the schedule has under its number, or has a
  // number that no round had.
  absl::Status CheckPlayed(const std::vector<ScheduledGame>& round) const;
  absl::Status CheckNoneIsBeyond() const;
  absl::Status NotOfThisMatch(const PlayedGame& played) const;
  // Leaves behind what a resumed match needs.
  absl::Status CloseJournal(bool is_complete);
  // Whether such games may be fibers of one thread: both players are in this process, nobody's time
  // is limited, and one of them is of the factory. Those ask evaluators that several games share.
  bool TakesTurns(const ScheduledGame& game) const;
  // Plays what is not in the journal yet: first games that take turns, then the others.
  void PlayRound(const std::vector<ScheduledGame>& round, const Observer& observer);
  void PlayWaiting(bool take_turns, const Observer& observer);
  // That many at a time, on this thread.
  void WorkInTurns(size_t games, const Observer& observer);
  // One game after the other.
  void Work(const Observer& observer);
  std::optional<ScheduledGame> NextGame();
  absl::Status PlayGame(const ScheduledGame& game, Players* players, PlayedGame* played);
  void NoteTurn(int game, const Turn& turn);
  absl::StatusOr<Player*> PlayerFor(int engine, Players* players);
  void QuitOthers(const ScheduledGame* next, Players* players);
  void Record(PlayedGame played, const Observer& observer);
  void Fail(const absl::Status& status);
  bool is_decided() const { return sprt_.has_value() && sprt_->is_decided(); }
  TimeControl ControlOf(int engine) const;
  MatchReport MakeReport(bool is_complete);

  MatchOptions options_;
  StopSignal stop_;
  std::vector<int> opening_order_;
  std::optional<Journal> journal_;
  std::optional<GamesUnderWay> turns_;  // with a journal

  mutable std::mutex under_way_mutex_;
  std::map<int, GameUnderWay> under_way_;  // by index; guarded by under_way_mutex_

  std::mutex mutex_;                    // guards what follows
  std::vector<ScheduledGame> waiting_;  // of this round, last first
  std::vector<PlayedGame> played_;
  int scheduled_ = 0;
  std::optional<SprtRun> sprt_;
  absl::Status status_;
  std::vector<std::string> notes_;
};

}  // namespace chuhe
