// One side of a match: something that is told a game and asked for moves.
//
// Implementations: in this process (`builtin_players.h`) and other programs, by the protocol that
// they speak (`uci_player.h`, `ucci_player.h`, `cecp_player.h`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "engine/board/types.h"
#include "engine/rules/game.h"
#include "engine/search/searcher.h"
#include "selfplay/match/time_control.h"

namespace chuhe {

struct GameStart {
  const Game* game = nullptr;  // as it stands when play begins, moves of the opening included
  Color color = Color::kRed;   // of the player
  const TimeControl* control = nullptr;  // of the player
  uint64_t seed = 0;                     // for players that draw lots
};

struct MoveRequest {
  const Game* game = nullptr;
  const TimeControl* control = nullptr;
  std::optional<Clock> clock;           // the player's, if it has one
  std::optional<Clock> opponent_clock;  // a hint
  bool draw_offered = false;            // by the opponent, with its last move
  int64_t patience_us = 0;              // how long to wait for the answer at all
};

// What a player said when asked for a move.
enum class AnswerKind {
  kMove,
  kResign,
  kNoMove,       // says that it has no move
  kUnreadable,   // names a move that is none
  kFalseClaim,   // claims a result instead of moving
  kRefusesMove,  // calls a move of the opponent illegal
  kDied,
  kTimeout,  // nothing until the patience was at its end
  kStopped,  // the match was asked to stop
};

struct MoveAnswer {
  AnswerKind kind = AnswerKind::kNoMove;
  Move move;                 // with kMove; any pair of squares
  bool offers_draw = false;  // or takes the one that was made
  std::string detail;        // of what went wrong: the player's words
  int64_t elapsed_us = 0;    // from sending the request to receiving the answer
  // What it said about its thinking.
  std::optional<Score> score;  // its own point of view
  int depth = 0;
  int64_t nodes = 0;
  std::optional<int64_t> reported_ms;
};

// Owned by one thread.
class Player {
 public:
  virtual ~Player() = default;

  // A new game begins; starts what is needed for it. Blocks at most as long as a start may take.
  // Errors: FailedPrecondition where the game cannot be played at all by such a player, which is a
  // fault of the match; any other is the player's own failure.
  virtual absl::Status NewGame(const GameStart& start) = 0;

  // Blocks until the answer or the end of patience. Whoever failed is started again by NewGame().
  virtual MoveAnswer Think(const MoveRequest& request) = 0;

  // The game was adjourned, and goes on: what the player was asked in it before, in order, between
  // NewGame() and the first Think(). For those whose moves depend on what they found out earlier.
  virtual void Rehearse(const MoveRequest& /*request*/) {}

  // The match is over. False: it did not end when it was told to.
  virtual bool Quit() { return true; }

  // True: time that Think() takes beyond the player's own thinking is the runner's.
  virtual bool is_external() const { return false; }
};

}  // namespace chuhe
