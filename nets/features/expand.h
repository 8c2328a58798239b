// How a packed position becomes planes: the arithmetic of ExpandPlanes (planes.h) in small pieces
// that the CPU runs one after the other and a CUDA warp side by side.
//
//   32 lanes, one a unit:    attacks[unit] = UnitAttacks(packed, Men(packed), unit)
//   42 lanes, one a set:     sets[set] = PlaneSet(packed, attacks, set)
//   90 lanes, one a point:   ExpandPoint(packed, sets, point, levels of the point)
//
// Between the lines all lanes wait for each other; within one they do not meet.
#pragma once

#include <cstdint>

#include "nets/features/host_device.h"
#include "nets/features/packed_position.h"
#include "nets/features/planes.h"
#include "nets/features/point_set.h"

namespace chuhe {

// Where the planes before kPlaneSecondOccurrence are not 0. The planes of attackers' counts have
// two sets: the plane's own says where the number of attackers (three at most) is odd, the one
// below where it is two or three.
constexpr int kSetOwnAttackTwos = kPlaneSecondOccurrence;
constexpr int kSetOpponentAttackTwos = kSetOwnAttackTwos + 1;
constexpr int kPlaneSets = kSetOpponentAttackTwos + 1;

// What one attacker of a point adds to its level, and what one of the checks in a row adds.
constexpr int kLevelOneAttacker = kLevelOne / 3;
constexpr int kLevelOneCheck = kLevelOne / kMaxChecksInARow;

namespace expansion {

constexpr int kFirstBishop = 3;  // units of a side: K A A B B N N R R C C P P P P P
constexpr int kFirstKnight = 5;
constexpr int kFirstRook = 7;
constexpr int kFirstCannon = 9;
constexpr int kFirstPawn = 11;

// Of the kinds in the order of PieceType.
CHUHE_HOST_DEVICE inline int FirstOfKind(int kind) { return kind == 0 ? 0 : 2 * kind - 1; }
CHUHE_HOST_DEVICE inline int CountOfKind(int kind) { return kind == 0 ? 1 : kind == 6 ? 5 : 2; }

// A rank at a distance of −2 to 2 from the middle of PointSet::OfFiveRanks(); files beyond the
// board are lost.
CHUHE_HOST_DEVICE inline uint64_t RankAt(int distance, uint32_t line) {
  return uint64_t{line & PointSet::kRankMask} << (9 * (distance + 2));
}

// The points of a line up to the first man on either side of `point`, and that man.
CHUHE_HOST_DEVICE inline uint32_t RookLine(uint32_t men, int point) {
  const uint32_t below = (1u << point) - 1;
  const uint32_t above = ~(below << 1 | 1);
  const uint32_t men_above = men & above;
  // Without a man the line ends at its last point: point 0, or the end of the word.
  const uint32_t to_first_above = men_above ^ (men_above - 1);
  const uint32_t from_first_below = ~0u << HighestBit((men & below) | 1);
  return (above & to_first_above) | (below & from_first_below);
}

// The points behind the first man on either side up to the second, and that man.
CHUHE_HOST_DEVICE inline uint32_t CannonLine(uint32_t men, int point) {
  const uint32_t to_screens = RookLine(men, point);
  return RookLine(men & ~to_screens, point) & ~to_screens;
}

CHUHE_HOST_DEVICE inline PointSet SliderAttacks(PointSet men, int file, int rank, bool cannon) {
  const uint32_t on_rank = men.RankLine(rank);
  const uint32_t on_file = men.FileLine(file);
  const uint32_t rank_line = cannon ? CannonLine(on_rank, file) : RookLine(on_rank, file);
  const uint32_t file_line = cannon ? CannonLine(on_file, rank) : RookLine(on_file, rank);
  return PointSet::OfRankLine(rank, rank_line & 0x1ff) |
         PointSet::OfFileLine(file, file_line & 0x3ff);
}

// The points if `square` is free. Beyond the board counts as free; what lies behind is lost anyway.
CHUHE_HOST_DEVICE inline uint32_t IfFree(PointSet men, int square, uint32_t points) {
  return points & ~static_cast<uint32_t>(MaskIf(men.contains(square)));
}

CHUHE_HOST_DEVICE inline PointSet KnightAttacks(PointSet men, int square, int file, int rank) {
  const uint32_t here = 1u << file;
  const uint32_t sides = here >> 1 | here << 1;
  const uint32_t south = IfFree(men, square - 9, sides);
  const uint32_t north = IfFree(men, square + 9, sides);
  const uint32_t west_east =
      IfFree(men, square - 1, here >> 2) | IfFree(men, square + 1, here << 2);
  return PointSet::OfFiveRanks(
      rank, RankAt(-2, south) | RankAt(-1, west_east) | RankAt(1, west_east) | RankAt(2, north));
}

CHUHE_HOST_DEVICE inline PointSet BishopAttacks(PointSet men, int square, int file, int rank,
                                                bool own) {
  const uint32_t here = 1u << file;
  const uint32_t south = IfFree(men, square - 10, here >> 2) | IfFree(men, square - 8, here << 2);
  const uint32_t north = IfFree(men, square + 8, here >> 2) | IfFree(men, square + 10, here << 2);
  const PointSet points = PointSet::OfFiveRanks(rank, RankAt(-2, south) | RankAt(2, north));
  return own ? PointSet{points.own_half, 0} : PointSet{0, points.far_half};
}

// Of a king or an advisor.
CHUHE_HOST_DEVICE inline PointSet PalaceAttacks(int file, int rank, bool advisor) {
  const uint32_t here = 1u << file;
  const uint32_t beside = here >> 1 | here << 1;
  const uint64_t king_steps = RankAt(-1, here) | RankAt(0, beside) | RankAt(1, here);
  const uint64_t advisor_steps = RankAt(-1, beside) | RankAt(1, beside);
  constexpr PointSet kPalaces = {
      uint64_t{0x38} | uint64_t{0x38} << 9 | uint64_t{0x38} << 18,
      uint64_t{0x38} << 18 | uint64_t{0x38} << 27 | uint64_t{0x38} << 36};
  return PointSet::OfFiveRanks(rank, advisor ? advisor_steps : king_steps) & kPalaces;
}

CHUHE_HOST_DEVICE inline PointSet PawnAttacks(int file, int rank, bool own) {
  const uint32_t here = 1u << file;
  const uint64_t forward = own ? RankAt(1, here) : RankAt(-1, here);
  const uint64_t sideways = RankAt(0, here >> 1 | here << 1);
  const bool across = (rank >= 5) == own;
  return PointSet::OfFiveRanks(rank, forward | (sideways & MaskIf(across)));
}

// The points of units first … first + count − 1.
CHUHE_HOST_DEVICE inline PointSet PointsOf(const PackedPosition& packed, int first, int count) {
  PointSet points = {};
  for (int i = 0; i < count; ++i) points = points | PointSet::Of(packed.squares[first + i]);
  return points;
}

// All that units first … first + count − 1 attack.
CHUHE_HOST_DEVICE inline PointSet AttackedBy(const PointSet* attacks, int first, int count) {
  PointSet attacked = {};
  for (int i = 0; i < count; ++i) attacked = attacked | attacks[first + i];
  return attacked;
}

// The points by how many units of a side, which begins at `first`, attack them.
struct AttackerCount {
  PointSet ones;
  PointSet twos;
};

CHUHE_HOST_DEVICE inline AttackerCount CountAttackers(const PointSet* attacks, int first) {
  AttackerCount count = {};
  for (int i = 0; i < kUnitsPerSide; ++i) {
    const PointSet attacked = attacks[first + i];
    const PointSet full = count.ones & count.twos;
    count.twos = count.twos | (count.ones & attacked);
    count.ones = (count.ones ^ attacked) | full;
  }
  return count;
}

CHUHE_HOST_DEVICE inline PointSet Checkers(const PackedPosition& packed, const PointSet* attacks) {
  const PointSet king = PointSet::Of(packed.squares[0]);
  PointSet checkers = {};
  for (int unit = kUnitsPerSide; unit < kUnits; ++unit) {
    const bool gives_check = !(attacks[unit] & king).empty();
    if (gives_check) checkers = checkers | PointSet::Of(packed.squares[unit]);
  }
  return checkers;
}

CHUHE_HOST_DEVICE inline PointSet Screen(const PackedPosition& packed, PointSet men) {
  const int king = packed.squares[0];
  const int other = packed.squares[kUnitsPerSide];
  if (king == kNoSquare || other == kNoSquare || king % 9 != other % 9) return {};
  // The own king is always the lower one.
  const uint32_t between = (1u << other / 9) - (2u << king / 9);
  const uint32_t screens = men.FileLine(king % 9) & between;
  const bool single = screens != 0 && (screens & (screens - 1)) == 0;
  return single ? PointSet::OfFileLine(king % 9, screens) : PointSet{};
}

}  // namespace expansion

// All men on the board.
CHUHE_HOST_DEVICE inline PointSet Men(const PackedPosition& packed) {
  return expansion::PointsOf(packed, 0, kUnits);
}

// What a unit, 0–31, attacks among `men`; nothing if it is captured.
CHUHE_HOST_DEVICE inline PointSet UnitAttacks(const PackedPosition& packed, PointSet men,
                                              int unit) {
  const int square = packed.squares[unit];
  if (square == kNoSquare) return {};
  const int rank = square / 9;
  const int file = square % 9;
  const int number = unit % kUnitsPerSide;
  const bool own = unit < kUnitsPerSide;
  if (number >= expansion::kFirstPawn) {
    return expansion::PawnAttacks(file, rank, own);
  }
  if (number >= expansion::kFirstRook) {
    return expansion::SliderAttacks(men, file, rank, number >= expansion::kFirstCannon);
  }
  if (number >= expansion::kFirstKnight) {
    return expansion::KnightAttacks(men, square, file, rank);
  }
  if (number >= expansion::kFirstBishop) {
    return expansion::BishopAttacks(men, square, file, rank, own);
  }
  return expansion::PalaceAttacks(file, rank, number != 0);
}

// One of the kPlaneSets sets. `attacks` are those of the 32 units.
CHUHE_HOST_DEVICE inline PointSet PlaneSet(const PackedPosition& packed, const PointSet* attacks,
                                           int set) {
  if (set < kPlaneRecent) {
    const int kind = set % kPieceTypes;
    const int first = (set < kPlaneOpponentMen ? 0 : kUnitsPerSide) + expansion::FirstOfKind(kind);
    return expansion::PointsOf(packed, first, expansion::CountOfKind(kind));
  }
  if (set < kPlaneOwnAttacks) {
    const int end = set - kPlaneRecent;
    return PointSet::Of(packed.recent[end / 2][end % 2]);
  }
  if (set < kPlaneOwnAttackCount) {
    const int kind = 3 + (set - kPlaneOwnAttacks) % 4;
    const int first =
        (set < kPlaneOpponentAttacks ? 0 : kUnitsPerSide) + expansion::FirstOfKind(kind);
    return expansion::AttackedBy(attacks, first, expansion::CountOfKind(kind));
  }
  switch (set) {
    case kPlaneOwnAttackCount:
      return expansion::CountAttackers(attacks, 0).ones;
    case kSetOwnAttackTwos:
      return expansion::CountAttackers(attacks, 0).twos;
    case kPlaneOpponentAttackCount:
      return expansion::CountAttackers(attacks, kUnitsPerSide).ones;
    case kSetOpponentAttackTwos:
      return expansion::CountAttackers(attacks, kUnitsPerSide).twos;
    case kPlaneCheckers:
      return expansion::Checkers(packed, attacks);
    case kPlaneOwnHanging:
    case kPlaneOpponentHanging: {
      const int side = set == kPlaneOwnHanging ? 0 : kUnitsPerSide;
      const int other = kUnitsPerSide - side;
      return (expansion::PointsOf(packed, side, kUnitsPerSide) &
              expansion::AttackedBy(attacks, other, kUnitsPerSide)) -
             expansion::AttackedBy(attacks, side, kUnitsPerSide);
    }
    default:  // kPlaneScreen
      return expansion::Screen(packed, Men(packed));
  }
}

// The levels of the last eight planes, from kPlaneSecondOccurrence on, at a point.
CHUHE_HOST_DEVICE inline void BoardLevels(const PackedPosition& packed, int point,
                                          uint8_t* levels) {
  constexpr uint8_t kOne = kLevelOne;
  const int rank = point / 9;
  const int file = point % 9;
  const bool palace = file >= 3 && file <= 5 && (rank <= 2 || rank >= 7);
  levels[0] = packed.occurrences >= 2 ? kOne : 0;
  levels[1] = packed.occurrences >= 3 ? kOne : 0;
  levels[2] = packed.no_capture_plies;
  levels[3] = static_cast<uint8_t>(kLevelOneCheck * packed.own_checks);
  levels[4] = static_cast<uint8_t>(kLevelOneCheck * packed.opponent_checks);
  levels[5] = rank < 5 ? kOne : 0;
  levels[6] = kOne;
  levels[7] = palace ? kOne : 0;
}

// The kPlanes levels of a point. `sets` are all kPlaneSets of them.
CHUHE_HOST_DEVICE inline void ExpandPoint(const PackedPosition& packed, const PointSet* sets,
                                          int point, uint8_t* levels) {
  for (int plane = 0; plane < kPlaneSecondOccurrence; ++plane) {
    levels[plane] = static_cast<uint8_t>(sets[plane].contains(point) ? kLevelOne : 0);
  }
  for (int side = 0; side < 2; ++side) {
    const int attackers = (sets[kPlaneOwnAttackCount + side].contains(point) ? 1 : 0) +
                          (sets[kSetOwnAttackTwos + side].contains(point) ? 2 : 0);
    levels[kPlaneOwnAttackCount + side] = static_cast<uint8_t>(kLevelOneAttacker * attackers);
  }
  BoardLevels(packed, point, levels + kPlaneSecondOccurrence);
}

}  // namespace chuhe
