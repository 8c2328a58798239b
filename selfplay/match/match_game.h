// One game between two players under our own arbiter: the rule set's judge, the contest's law, the
// clocks. What players say about the game counts as claims only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/rules/game.h"
#include "selfplay/match/contest_law.h"
#include "selfplay/match/game_result.h"
#include "selfplay/match/player.h"
#include "selfplay/match/time_control.h"

namespace chuhe {

struct MatchSide {
  Player* player = nullptr;
  TimeControl control;
};

struct MatchGameOptions {
  ContestLaw law;
  AdjudicationOptions adjudication;
  bool audits = false;  // play on where the game is adjudicated
  uint64_t seed = 0;
};

// Owned by one thread.
class MatchGame {
 public:
  // The game holds the opening. The sides are Red and Black.
  MatchGame(Game game, MatchSide red, MatchSide black, const MatchGameOptions& options);

  // Plays to the end; blocks. The outcome is kUnfinished where the match was stopped. An error is a
  // fault of the match, such as a player that cannot be given this start position.
  absl::StatusOr<GameResult> Play();

 private:
  absl::Status StartPlayers();
  // Each of these returns once the game is over or the turn is done.
  void PlayTurn();
  MoveAnswer Ask(Color color);
  // False: the answer ends the game or is to be given again.
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
  const MatchGameOptions options_;
  GameClock clocks_[2];
  DrawOffers offers_;
  Adjudicator adjudicator_;
  GameResult result_;
  bool is_over_ = false;
};

}  // namespace chuhe
