// Engines that speak CECP, the protocol of xboard: HoiXiangqi, MaxQi, Fairy-Stockfish.
//
// They keep the game themselves. The opening is told in `force` mode, then `go`; from there on they
// answer each move by themselves, since HoiXiangqi does not hear the clock in `force` mode. Some
// print a result behind their move. Before each request a `ping` makes sure that what comes late is
// not taken for an answer; of engines without it all is passed over that has come until then.
// Nothing is sent that the engine has not announced.
#pragma once

#include <string>

#include "selfplay/match/external_player.h"

namespace chuhe {

class CecpPlayer : public ExternalPlayer {
 public:
  using ExternalPlayer::ExternalPlayer;

 protected:
  absl::Status Handshake(SteadyTime deadline) override;
  absl::Status BeginGame(const GameStart& start, SteadyTime deadline) override;
  absl::Status Prepare(const MoveRequest& request, SteadyTime deadline) override;
  absl::Status TakeEarlyLine(absl::string_view line) override;
  std::string GoLines(const MoveRequest& request) override;
  ChildProcess::CanWait CanWait() const override;
  bool ReadReply(absl::string_view line, const MoveRequest& request, MoveAnswer* answer) override;

 private:
  struct Features {
    bool ping = false;
    bool setboard = false;
    bool usermove = false;
    bool draw = false;
    bool time = true;
    bool done = false;
  };
  void ReadFeatures(absl::string_view line);
  // Sends the lines and, where the engine knows `ping`, waits until it has read them. An engine
  // that calls one of the lines wrong is an error of kind Aborted.
  absl::Status SendAndSync(absl::string_view lines, SteadyTime deadline);
  // `level` and `st` or `sd`; an error for limits that CECP cannot express.
  absl::StatusOr<std::string> LimitLines(const TimeControl& control) const;
  std::string MoveLine(const Game& game, int ply) const;
  // Moves that the engine has not been told yet.
  std::string NewMoves(const Game& game);

  Features features_;
  int pings_ = 0;
  int told_plies_ = 0;
  bool is_forced_ = true;      // it does not answer moves by itself
  std::string thinking_;       // its last line about the search that runs
  bool offered_draw_ = false;  // since its last move
};

}  // namespace chuhe
