// A finished game with what the search thought about it: what self-play hands to training.
//
// Never planes: what a network is shown can change without new games. Games from other sources
// (files of real games) are the same without thoughts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/board/position.h"
#include "engine/board/types.h"
#include "engine/eval/evaluator.h"
#include "engine/rules/rule_set.h"
#include "engine/rules/verdict.h"

namespace chuhe {

// A move's share of a policy target. Only ratios count: visits, or parts of 65,535.
struct MoveWeight {
  Move move;
  uint16_t weight = 0;

  friend bool operator==(const MoveWeight&, const MoveWeight&) = default;
};

struct PlyRecord {
  Move move;
  // The policy that training shall learn, over legal moves; empty if this ply teaches none, as
  // after a fast search.
  std::vector<MoveWeight> policy;
  // What the search thought of the position, from the side to move; without meaning unless
  // is_searched.
  bool is_searched = false;
  Wdl root;
  float plies_left = 0;  // expected, likewise of the search
  // A search with few visits, made to get on with the game.
  bool is_fast = false;
  // The move was drawn by chance among good ones, so it need not be what the search likes best.
  bool is_drawn = false;
};

// How a game came to its end.
enum class GameEnd : uint8_t {
  kRules,        // the verdict's reason says which
  kResignation,  // of the loser
  kAdjudicated,  // by material or value, without play to the end
  kPlyCap,
  kUnknown,  // as with many files of real games
};

// `rules`, `resignation`, `adjudicated`, `ply-cap` or `unknown`.
constexpr std::string_view GameEndName(GameEnd end) {
  constexpr std::string_view kNames[] = {"rules", "resignation", "adjudicated", "ply-cap",
                                         "unknown"};
  return kNames[static_cast<int>(end)];
}

// A network and the ply, from 0, before which it took over.
struct NetworkUse {
  std::string sha256;  // 64 hex digits, lower case
  int first_ply = 0;

  friend bool operator==(const NetworkUse&, const NetworkUse&) = default;
};

// An end that was passed over, to see whether it would have been right: before ply `ply` (from 0)
// the game would have ended with this outcome.
struct PassedEnd {
  int ply = 0;
  Outcome outcome = Outcome::kUndecided;

  friend bool operator==(const PassedEnd&, const PassedEnd&) = default;
};

// A game that left another one's moves before ply `ply` (from 0).
struct ForkOrigin {
  uint64_t seed = 0;  // of the game that it left
  int ply = 0;

  friend bool operator==(const ForkOrigin&, const ForkOrigin&) = default;
};

struct GameRecord {
  Position start;
  int start_no_capture_plies = 0;
  RuleSet rules = RuleSet::kComputer;
  std::vector<PlyRecord> plies;
  Outcome outcome = Outcome::kUndecided;  // undecided: not known
  GameEnd end = GameEnd::kUnknown;
  Reason reason = Reason::kNone;  // of an end by the rules
  // The first plies that were drawn at random, to vary the openings: no samples.
  int random_plies = 0;
  std::vector<NetworkUse> networks;  // in order of use
  uint64_t seed = 0;
  int ply_cap = 0;  // 0: none
  // By networks, made for this game: what it cost.
  int64_t evaluations = 0;
  std::optional<PassedEnd> passed_resignation;
  std::optional<PassedEnd> passed_adjudication;
  std::optional<ForkOrigin> fork;
  std::string worker;       // who played it
  int64_t finished_at = 0;  // seconds since 1970, UTC; 0: not known
};

}  // namespace chuhe
