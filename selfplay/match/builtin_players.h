// Players in this process: random moves, and anything that is a Searcher.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/search/search_signal.h"
#include "engine/search/searcher.h"
#include "selfplay/match/player.h"
#include "selfplay/match/stop_signal.h"

namespace chuhe {

// Any legal move with the same chance, drawn from the game's seed and the ply.
class RandomPlayer : public Player {
 public:
  absl::Status NewGame(const GameStart& start) override;
  MoveAnswer Think(const MoveRequest& request) override;

 private:
  uint64_t seed_ = 0;
};

struct BuiltinEngine {
  std::unique_ptr<Searcher> searcher;
  SearchLimits limits;  // beside those of the match: its visits, for one
};

// Makes what a command such as `net:FILE:VISITS` names. May be called from several threads at a
// time, and from fibers (fiber_group.h), in which its searches run. Errors name the command.
using BuiltinFactory = std::function<absl::StatusOr<BuiltinEngine>(absl::string_view command)>;

class SearcherPlayer : public Player {
 public:
  // The signal must outlive the player.
  SearcherPlayer(BuiltinEngine engine, StopSignal* stop)
      : engine_(std::move(engine)), stop_(*stop) {}

  absl::Status NewGame(const GameStart& start) override;
  MoveAnswer Think(const MoveRequest& request) override;
  // What was found out on the way is found out again, unless a clock decided how much that was.
  void Rehearse(const MoveRequest& request) override;

 private:
  SearchLimits LimitsOf(const MoveRequest& request) const;

  BuiltinEngine engine_;
  StopSignal& stop_;
};

// Whether that is `random`, `alphabeta` or `alphabeta:…`, which need no factory.
bool IsOwnPlayer(absl::string_view command);

// `random`, `alphabeta`, `alphabeta:DEPTH`, or whatever `factory` (which may be empty) makes.
absl::StatusOr<std::unique_ptr<Player>> MakeBuiltinPlayer(const std::string& command,
                                                          const BuiltinFactory& factory,
                                                          StopSignal* stop);

}  // namespace chuhe
