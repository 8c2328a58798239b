// One game between two players under our own arbiter: the rule set's judge, the contest's law, the
// clocks. What players say about the game counts as claims only.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/rules/game.h"
#include "selfplay/match/contest_law.h"
#include "selfplay/match/game_result.h"
#include "selfplay/match/player.h"
#include "selfplay/match/time_control.h"
#include "selfplay/match/turn.h"

namespace chuhe {

struct MatchSide {
  Player* player = nullptr;
  TimeControl control;
  DrawRule draw_rule = {};
};

struct MatchGameOptions {
  ContestLaw law;
  AdjudicationOptions adjudication;
  bool audits = false;  // play on where the game is adjudicated
  uint64_t seed = 0;
  // The game was adjourned after these turns: it goes on from there, with clocks, offers and
  // violations as they stood.
  std::vector<Turn> earlier_turns;
  // Called after each turn that does not end the game; may be empty.
  std::function<void(const Turn&)> on_turn;
};

// Owned by one thread.
class MatchGame {
 public:
  // The game holds the opening. The sides are Red and Black.
  MatchGame(Game game, MatchSide red, MatchSide black, MatchGameOptions options);

  // Plays to the end; blocks. The outcome is kUnfinished where the match was stopped. An error is a
  // fault of the match, such as a player that cannot be given this start position.
  absl::StatusOr<GameResult> Play();

 private:
  absl::Status StartPlayers();
  // Has the players rehearse the earlier turns, from the start.
  void Rehearse(Game start);
  // Each of these returns once the game is over or the turn is done.
  void PlayTurn();
  MoveRequest RequestTo(Color color) const;
  void Take(Color color, const MoveAnswer& answer);
  void CountRunner(const Turn& turn);
  void Agree(Color color);
  // Takes the time off the clock. False: it was too long, which ends the game.
  bool CheckTime(Color color, const MoveAnswer& answer);
  void HandleFailure(Color color, const MoveAnswer& answer);
  void CountIllegalMove(Color color, const MoveAnswer& answer);
  void MakeMove(Color color, const MoveAnswer& answer);
  void Judge();
  void Adjudicate(Color color, const MoveAnswer& answer);
  void End(GameOutcome outcome, std::string_view reason, std::string detail);
  void Lose(Color color, std::string_view reason, std::string detail);
  int64_t PatienceUs(Color color) const;

  Game game_;
  MatchSide sides_[2];
  MatchGameOptions options_;
  GameClock clocks_[2];
  DrawOffers offers_;
  DrawRuleWatch draw_rules_[2];
  Adjudicator adjudicator_;
  int illegal_moves_[2] = {};  // by colour
  int void_offers_[2] = {};
  GameResult result_;
  bool is_over_ = false;
};

}  // namespace chuhe
