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
#include "selfplay/match/engine_spec.h"
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

// Makes what an engine's command, such as `net:FILE:VISITS`, names, with its options. May be called
// from several threads at a time, and from fibers (fiber_group.h), in which its searches run.
// Errors name the command or the option.
using BuiltinFactory = std::function<absl::StatusOr<BuiltinEngine>(const EngineSpec& engine)>;

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

// `random`, `alphabeta`, `alphabeta:DEPTH`, which have no options, or whatever `factory` (which may
// be empty) makes.
absl::StatusOr<std::unique_ptr<Player>> MakeBuiltinPlayer(const EngineSpec& spec,
                                                          const BuiltinFactory& factory,
                                                          StopSignal* stop);

}  // namespace chuhe
