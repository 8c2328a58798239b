// Engines for tests: other programs as specs, and players in this process that do as they are told.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "selfplay/match/engine_spec.h"
#include "selfplay/match/player.h"
#include "selfplay/match/stop_signal.h"

namespace chuhe::testing {

// fake_engine.py with these arguments.
EngineSpec FakeEngine(EngineProtocol protocol, const std::string& actions);

// A player of the spec's protocol; not for built-in ones.
std::unique_ptr<Player> MakeExternal(const EngineSpec& spec, StopSignal* stop);

// The path of a program that may not be installed; empty where it is not.
std::string InstalledProgram(const std::string& name);

// Gives these answers, one after the other; then shuffles a rook.
class ScriptedPlayer : public Player {
 public:
  void Add(MoveAnswer answer) { answers_.push_back(std::move(answer)); }
  void AddMove(const std::string& move, bool draw = false, int64_t elapsed_us = 0);

  // A shuffling move was made before.
  void SkipShuffle() { ++skipped_; }

  absl::Status NewGame(const GameStart& start) override;
  MoveAnswer Think(const MoveRequest& request) override;

  bool was_offered_draw = false;  // at the last request
  int requests = 0;
  std::optional<Clock> clock;  // of the last request
  std::optional<Score> usual_score;

 private:
  std::deque<MoveAnswer> answers_;
  int shuffles_ = 0;
  int skipped_ = 0;
};

}  // namespace chuhe::testing
