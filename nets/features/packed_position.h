// A question to a network in a few dozen bytes: what crosses to a device, and what a cache is keyed
// by. Everything is seen by the side to move: its board is turned so that its home is at rank 0.
#pragma once

#include <cstdint>

#include "engine/board/types.h"
#include "engine/eval/evaluator.h"

namespace chuhe {

// The set of input planes that this code makes (planes.h). A network names the one it was trained
// with; a change of meaning of any plane is a new number.
constexpr int kFeatureSet = 1;

// Plain bytes without padding: equal questions are equal bytes.
struct PackedPosition {
  // Points of the own units 0–15, then the opponent's, kNoSquare where captured. Units of a kind
  // are sorted by point, as they are told apart by nothing but history.
  uint8_t squares[kUnits];
  // The last plies, newest first: from and to, both kNoSquare where there is none. The newest is
  // the opponent's.
  uint8_t recent[kRecentPlies][2];
  uint8_t occurrences;       // of the position since the last capture, at least 1, at most 3
  uint8_t no_capture_plies;  // counted as the rules do, at most kMaxNoCapturePlies
  uint8_t own_checks;        // the own last moves that gave check without a break
  uint8_t opponent_checks;   // likewise

  friend bool operator==(const PackedPosition&, const PackedPosition&) = default;
};
static_assert(sizeof(PackedPosition) == 48);

constexpr int kMaxNoCapturePlies = 120;

// The moves of the request do not matter, nor does the colour: a position and the same one with
// colours changed and the board turned are packed alike.
PackedPosition Pack(const EvaluationRequest& request);

// The same seen in a mirror, left and right changed.
PackedPosition Mirror(const PackedPosition& packed);

}  // namespace chuhe
