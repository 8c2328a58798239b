// What a GUI may say, one struct for each command of UCCI and UCI.
//
// The structs hold what stood in the line; units and whose clock is whose are for go_limits.h, the
// legality of moves for game_setup.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/protocol/dialect.h"

namespace chuhe {

struct BlankLine {};
struct UnknownCommand {
  std::string word;
};
struct HandshakeCommand {
  Dialect dialect = Dialect::kUci;
};
struct IsReadyCommand {};
struct NewGameCommand {};
struct StopCommand {};
struct QuitCommand {};
struct DebugCommand {
  bool on = true;
};
struct PonderHitCommand {
  bool draw_offered = false;
};
struct SetOptionCommand {
  std::string name;
  std::string value;
  // The line did not mark the end of the name: `NAME VALUE`, where a name of several words may have
  // lost some to the value.
  bool is_bare = false;
};
struct PositionCommand {
  std::optional<std::string> fen;  // none: the start position
  std::vector<std::string> moves;  // as written
  bool is_bare = false;            // without the word `position`
};
struct ProbeCommand {
  PositionCommand position;
};
// `savetree FILE`, `loadtree FILE`: of this engine alone.
struct TreeFileCommand {
  bool is_load = false;
  std::string path;
};
// `d`: the position, for people.
struct ShowCommand {};
struct BanMovesCommand {
  std::vector<std::string> moves;
};

struct GoCommand {
  bool ponder = false;
  bool draw_offered = false;
  bool infinite = false;
  std::optional<int64_t> depth;
  std::optional<int64_t> nodes;
  std::optional<int64_t> mate;
  std::optional<double> movetime;
  // UCCI: own clock and the opponent's.
  std::optional<double> time;
  std::optional<double> increment;
  std::optional<double> opptime;
  std::optional<double> oppincrement;
  std::optional<int64_t> movestogo;  // both protocols
  std::optional<int64_t> oppmovestogo;
  // UCI: the clocks by colour.
  std::optional<double> wtime;
  std::optional<double> winc;
  std::optional<double> btime;
  std::optional<double> binc;
  bool wtime_before_btime = false;
  std::vector<std::string> search_moves;
};

// `go perft N`: counts, no search.
struct PerftCommand {
  int depth = 1;
};

using GuiCommand =
    std::variant<BlankLine, UnknownCommand, HandshakeCommand, IsReadyCommand, NewGameCommand,
                 StopCommand, QuitCommand, ProbeCommand, DebugCommand, PonderHitCommand,
                 SetOptionCommand, PositionCommand, BanMovesCommand, GoCommand, PerftCommand,
                 TreeFileCommand, ShowCommand>;

}  // namespace chuhe
