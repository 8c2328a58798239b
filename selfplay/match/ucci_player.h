// Engines that speak UCCI, with what real ones make of it.
#pragma once

#include "selfplay/match/engine_text.h"
#include "selfplay/match/external_player.h"

namespace chuhe {

class UcciPlayer : public ExternalPlayer {
 public:
  using ExternalPlayer::ExternalPlayer;

 protected:
  absl::Status Handshake(SteadyTime deadline) override;
  absl::Status BeginGame(const GameStart& start, SteadyTime deadline) override;
  std::string GoLines(const MoveRequest& request) override;
  ChildProcess::CanWait CanWait() const override { return IsInfo; }
  bool ReadReply(absl::string_view line, const MoveRequest& request, MoveAnswer* answer) override;

 private:
  // The number that stands for this time: seconds, rounded down, or milliseconds.
  int64_t InUnits(int64_t ms) const { return milliseconds_ ? ms : ms / 1000; }
  std::string ClockWords(const Clock& clock, absl::string_view prefix) const;

  bool milliseconds_ = false;
  LastInfo info_;
};

}  // namespace chuhe
