// Input planes of a network: feature set 1. docs/formats.md says what each plane means.
//
// A plane is 90 levels, one a point; a level is a byte, and kLevelOne stands for 1.0. All values
// that occur are exact in these units, so that every precision sees the same input.
#pragma once

#include <cstdint>
#include <span>

#include "engine/board/types.h"
#include "nets/features/packed_position.h"

namespace chuhe {

constexpr int kPlanes = 48;
constexpr int kLevelOne = 120;

// First plane of each group; own before opponent's.
enum Plane : int {
  kPlaneOwnMen = 0,            // 7: K A B N R C P
  kPlaneOpponentMen = 7,       // 7
  kPlaneRecent = 14,           // 12: from and to of the last six plies, newest first
  kPlaneOwnAttacks = 26,       // 4: points attacked by own N R C P
  kPlaneOpponentAttacks = 30,  // 4
  kPlaneOwnAttackCount = 34,   // units of all kinds that attack the point, a third each, at most 1
  kPlaneOpponentAttackCount = 35,
  kPlaneCheckers = 36,          // the opponent's units that give check
  kPlaneOwnHanging = 37,        // own men that are attacked and not protected
  kPlaneOpponentHanging = 38,   // the opponent's
  kPlaneScreen = 39,            // the one man between the kings, where they share a file
  kPlaneSecondOccurrence = 40,  // everywhere, if the position has occurred twice or more
  kPlaneThirdOccurrence = 41,   // everywhere, if it has occurred three times or more
  kPlaneNoCapture = 42,         // everywhere: no_capture_plies / 120
  kPlaneOwnChecks = 43,         // everywhere: checks in a row / 6
  kPlaneOpponentChecks = 44,
  kPlaneOwnHalf = 45,  // the five own ranks
  kPlaneOnes = 46,
  kPlanePalaces = 47,  // the points of both palaces
};

// Writes levels[square * kPlanes + plane] for all points, the own home at rank 0. A unit attacks a
// point if it could take an enemy there, whether or not one is there and whether or not its king
// allows it: a rook to the first man of each line inclusive, a cannon behind its screen up to and
// including the next man, a knight unless its leg is blocked, a bishop unless its eye is, pawns as
// they step, advisors and kings inside the palace (kings do not attack along the file). So own men
// that are protected are attacked by their own side.
void ExpandPlanes(const PackedPosition& packed, uint8_t* levels);

// The same as numbers: level / kLevelOne, rounded to the nearest float. `floats` has room for as
// many.
void LevelsToFloats(std::span<const uint8_t> levels, float* floats);

}  // namespace chuhe
