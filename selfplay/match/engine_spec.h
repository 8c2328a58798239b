// What a match is told about an engine: on the command line or in a YAML file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/match/contest_law.h"
#include "selfplay/match/time_control.h"

namespace chuhe {

enum class EngineProtocol { kBuiltin, kUcci, kUci, kCecp };
absl::string_view ProtocolName(EngineProtocol protocol);

// How squares are written to and by a UCI engine. kAuto: ranks from 1 for those that have a
// UCI_Variant, from 0 for the others, as Pikafish.
enum class SquareStyle { kAuto, kFromZero, kFromOne };
// The unit of a UCCI engine's clock. kAuto: milliseconds if it offers `usemillisec`, else seconds.
enum class TimeUnit { kAuto, kSeconds, kMilliseconds };

struct EngineSpec {
  std::string name;
  std::string command;  // a command line, or the name of a built-in player
  EngineProtocol protocol = EngineProtocol::kUcci;
  std::string directory;
  std::vector<std::pair<std::string, std::string>> environment;
  // In this order; the value may be empty (buttons). For CECP engines `option NAME=VALUE` is sent.
  std::vector<std::pair<std::string, std::string>> options;
  // Its own limits, in the place of the match's, if any is set.
  TimeControl control;
  bool has_own_control() const {
    return control.has_clock() || control.movetime_ms > 0 || control.nodes > 0 || control.depth > 0;
  }
  int64_t startup_ms = 10000;  // until it has to be ready
  int64_t quit_ms = 1000;      // until it has to be gone after `quit`
  SquareStyle squares = SquareStyle::kAuto;
  TimeUnit time_unit = TimeUnit::kAuto;
  std::optional<double> anchor;  // a known rating
  DrawRule draw_rule;
  // A hash of the file that the command names, if whoever wires the match knows of one: the same
  // command with another network is another engine.
  std::string file_hash;

  // All that can change a game, in one line: two runs with equal lines play the same match.
  std::string Identity() const;
};

// `name=Fairy,cmd=fairy-stockfish,proto=uci,option.Threads=1,env.LANG=C`: keys and values separated
// by commas; a value with commas stands between double quotes. Errors name the key and the nearest
// known one.
absl::StatusOr<EngineSpec> ParseEngineSpec(absl::string_view text);

// A list of engines, or a map with the one key `engines`, each a map with the keys above; `options`
// and `env` are maps. Errors name file and line.
absl::StatusOr<std::vector<EngineSpec>> ReadEngineFile(const std::string& path);

// Two engines cannot have one name: games are told apart by it.
absl::Status CheckEngineNames(const std::vector<EngineSpec>& engines);

}  // namespace chuhe
