// What all engines in other processes have in common: their life, waiting for them, measuring them.
// The protocols are subclasses that know the words.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "selfplay/match/child_process.h"
#include "selfplay/match/engine_spec.h"
#include "selfplay/match/player.h"
#include "selfplay/match/stop_signal.h"

namespace chuhe {

class ExternalPlayer : public Player {
 public:
  // The signal must outlive the player.
  ExternalPlayer(EngineSpec spec, StopSignal* stop) : spec_(std::move(spec)), stop_(*stop) {}

  absl::Status NewGame(const GameStart& start) final;
  MoveAnswer Think(const MoveRequest& request) final;
  bool Quit() final;
  bool is_external() const final { return true; }

 protected:
  // The conversation from the start of the process until it can be told a game.
  virtual absl::Status Handshake(SteadyTime deadline) = 0;
  // Ready to think about this game when it returns.
  virtual absl::Status BeginGame(const GameStart& start, SteadyTime deadline) = 0;
  // Before the clock runs: what the engine has to digest first.
  virtual absl::Status Prepare(const MoveRequest& /*request*/, SteadyTime /*deadline*/) {
    return absl::OkStatus();
  }
  // Takes a line that came before the engine was asked, and so is no answer: about its last move or
  // its last game. An error of kind Aborted where it calls what it was told wrong.
  virtual absl::Status TakeEarlyLine(absl::string_view /*line*/) { return absl::OkStatus(); }
  // The lines, with their ends, that let the engine think.
  virtual std::string GoLines(const MoveRequest& request) = 0;
  // Which lines, while it thinks, are of no interest before the answer comes.
  virtual ChildProcess::CanWait CanWait() const = 0;
  // Reads a line that came while it thinks. True: that was the answer, and `answer` holds it.
  virtual bool ReadReply(absl::string_view line, const MoveRequest& request,
                         MoveAnswer* answer) = 0;

  const EngineSpec& spec() const { return spec_; }
  absl::Status Send(absl::string_view lines, SteadyTime deadline);
  // The next line; errors when there is none until the deadline, with what the engine said last.
  absl::StatusOr<std::string> NextLine(SteadyTime deadline);
  // Passes lines to `take` until it returns true.
  template <typename Take>
  absl::Status ReadUntil(SteadyTime deadline, Take take) {
    for (;;) {
      absl::StatusOr<std::string> line = NextLine(deadline);
      if (!line.ok()) return line.status();
      if (take(*line)) return absl::OkStatus();
    }
  }

 private:
  // With the process that runs or a new one; there is none if it fails.
  absl::Status Begin(const GameStart& start);
  // What lies there already before a move is asked for.
  absl::Status TakeEarlyLines();
  void Remember(absl::string_view line);
  std::string LastWords() const;
  // The answer that an engine gives by not answering.
  MoveAnswer Failure(AnswerKind kind, std::string detail);

  const EngineSpec spec_;
  StopSignal& stop_;
  std::unique_ptr<ChildProcess> process_;
  std::deque<std::string> last_lines_;
};

}  // namespace chuhe
