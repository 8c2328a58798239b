// What the rules say about a game that stands at some position: its result and why.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "engine/board/position.h"
#include "engine/board/types.h"

namespace chuhe {

enum class Outcome { kUndecided, kDraw, kRedLoses, kBlackLoses };

enum class Reason {
  kNone,  // the game goes on
  kCheckmate,
  kStalemate,
  kPerpetualCheck,        // by one side
  kPerpetualChase,        // by one side, or by both with one side's the graver
  kForbiddenLoop,         // cxa: a loop of checks, kills and chases in any mixture
  kMutualCheck,           // both sides check perpetually: draw
  kMutualChase,           // both sides chase, neither the graver: draw
  kMutualForbidden,       // cxa: both sides play forbidden loops: draw
  kQuietRepetition,       // no side does anything forbidden: draw
  kNoCaptureLimit,        // draw
  kInsufficientMaterial,  // draw
  kPlyCap,                // the length at which self-play ends a game: draw
};

constexpr Outcome LossOf(Color color) {
  return color == Color::kRed ? Outcome::kRedLoses : Outcome::kBlackLoses;
}

struct Verdict {
  Outcome outcome = Outcome::kUndecided;
  Reason reason = Reason::kNone;

  // Of a repetition: the loop is plies first_ply to last_ply, the first ply of the game being 1.
  int first_ply = 0;
  int last_ply = 0;
  // Of a chase: who is chased on every move, and by whom. A mutual chase names both sides' men.
  UnitSet chasers = 0;
  UnitSet victims = 0;
  // cxa: the kinds of moves that the offender's loop is made of.
  bool has_checks = false;
  bool has_kills = false;
  bool has_chases = false;
  // Of the limit and the cap: plies counted.
  int plies = 0;
};

// `draw`, `red loses`, `black loses` or `undecided`.
absl::string_view OutcomeName(Outcome outcome);

// A short name of the reason for records and tables, such as `perpetual-check`.
absl::string_view ReasonName(Reason reason);

// One line: the outcome, then the reason in words; men are named by kind and by their point in
// `position`, which is the one that was judged. Colours turned, the words are the same with the
// colours exchanged.
std::string Describe(const Verdict& verdict, const Position& position);

}  // namespace chuhe
