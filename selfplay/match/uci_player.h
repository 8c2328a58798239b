// Engines that speak UCI: Pikafish, and Fairy-Stockfish with its variant set to xiangqi.
#pragma once

#include "engine/rules/notation/coordinates.h"
#include "selfplay/match/engine_text.h"
#include "selfplay/match/external_player.h"

namespace chuhe {

class UciPlayer : public ExternalPlayer {
 public:
  using ExternalPlayer::ExternalPlayer;

 protected:
  absl::Status Handshake(SteadyTime deadline) override;
  absl::Status BeginGame(const GameStart& start, SteadyTime deadline) override;
  std::string GoLines(const MoveRequest& request) override;
  ChildProcess::CanWait CanWait() const override { return IsInfo; }
  bool ReadReply(absl::string_view line, const MoveRequest& request, MoveAnswer* answer) override;

 private:
  absl::Status WaitUntilReady(absl::string_view lines, SteadyTime deadline);

  RankBase squares_ = RankBase::kZero;
  LastInfo info_;
};

}  // namespace chuhe
