#include "nets/features/planes.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "engine/board/tables.h"
#include "nets/features/expand.h"

namespace chuhe {
namespace {

using expansion::AttackedBy;
using expansion::AttackerCount;

// Eight levels are written as one word, the first in the lowest byte.
static_assert(std::endian::native == std::endian::little);

// The bits of a byte as eight bytes 0 or 1.
constexpr auto kBytesOfBits = [] {
  std::array<uint64_t, 256> bytes{};
  for (unsigned bits = 0; bits < 256; ++bits) {
    for (unsigned i = 0; i < 8; ++i) bytes[bits] |= uint64_t{bits >> i & 1} << (8 * i);
  }
  return bytes;
}();

// Levels of both planes of attackers' counts, the own in the low byte. The index has the bits own
// ones, opponent's ones, own twos, opponent's twos.
constexpr auto kCountLevels = [] {
  std::array<uint16_t, 16> levels{};
  for (int bits = 0; bits < 16; ++bits) {
    const int own = (bits & 1) + (bits >> 2 & 1) * 2;
    const int opponent = (bits >> 1 & 1) + (bits >> 3 & 1) * 2;
    levels[bits] = static_cast<uint16_t>(kLevelOneAttacker * (own | opponent << 8));
  }
  return levels;
}();

void Store(uint64_t eight_levels, uint8_t* levels) {
  std::memcpy(levels, &eight_levels, sizeof(eight_levels));
}

// One half of the sets that are not mostly empty.
struct HalfAttacks {
  uint64_t kinds[8];   // attacked by own N R C P, by the opponent's
  uint64_t counts[4];  // the bits of kCountLevels
};

// Turns sets into a byte a point, the first set in the lowest bit.
template <size_t... kSets>
void GatherBits(const uint64_t* sets, std::index_sequence<kSets...>, uint8_t* bits_of_points) {
  for (int first = 0; first < PointSet::kHalf; first += 8) {
    Store(((kBytesOfBits[sets[kSets] >> first & 0xff] << kSets) | ...), bits_of_points + first);
  }
}

// Writes planes from kPlaneOwnAttacks to the end of half a board; kPlaneCheckers and what follows
// up to kPlaneSecondOccurrence as zeros.
void WriteHalf(const HalfAttacks& attacks, uint64_t board_levels, uint8_t* levels) {
  constexpr int kRoom = PointSet::kHalf + 8;
  uint8_t kinds[kRoom];
  uint8_t counts[kRoom];
  GatherBits(attacks.kinds, std::make_index_sequence<8>(), kinds);
  GatherBits(attacks.counts, std::make_index_sequence<4>(), counts);
  for (int point = 0; point < PointSet::kHalf; ++point, levels += kPlanes) {
    Store(kLevelOne * kBytesOfBits[kinds[point]], levels + kPlaneOwnAttacks);
    Store(kCountLevels[counts[point]], levels + kPlaneOwnAttackCount);
    Store(board_levels, levels + kPlaneSecondOccurrence);
  }
}

uint64_t BoardLevelsWord(const PackedPosition& packed, int point) {
  uint8_t levels[kPlanes - kPlaneSecondOccurrence];
  BoardLevels(packed, point, levels);
  uint64_t word;
  static_assert(sizeof(word) == sizeof(levels));
  std::memcpy(&word, levels, sizeof(word));
  return word;
}

void MarkPalaces(uint8_t* levels) {
  constexpr auto kOffsets = [] {
    std::array<uint16_t, 18> offsets{};
    int count = 0;
    for (const int rank : {0, 1, 2, 7, 8, 9}) {
      for (const int file : {3, 4, 5}) {
        offsets[count++] = static_cast<uint16_t>(MakeSquare(file, rank) * kPlanes + kPlanePalaces);
      }
    }
    return offsets;
  }();
  for (const uint16_t offset : kOffsets) levels[offset] = kLevelOne;
}

// Writes planes from kPlaneOwnAttacks to the end, as WriteHalf() does.
void WriteAttacksAndBoard(const PackedPosition& packed, const PointSet* attacks,
                          const AttackerCount& own, const AttackerCount& opponent,
                          uint8_t* levels) {
  HalfAttacks own_half;
  HalfAttacks far_half;
  for (int side = 0; side < 2; ++side) {
    for (int kind = 0; kind < 4; ++kind) {
      const int first = side * kUnitsPerSide + expansion::kFirstKnight + 2 * kind;
      const PointSet attacked = AttackedBy(attacks, first, kind == 3 ? 5 : 2);
      own_half.kinds[4 * side + kind] = attacked.own_half;
      far_half.kinds[4 * side + kind] = attacked.far_half;
    }
  }
  const PointSet counts[4] = {own.ones, opponent.ones, own.twos, opponent.twos};
  for (int i = 0; i < 4; ++i) {
    own_half.counts[i] = counts[i].own_half;
    far_half.counts[i] = counts[i].far_half;
  }
  // The first point of either half is in no palace.
  WriteHalf(own_half, BoardLevelsWord(packed, 0), levels);
  WriteHalf(far_half, BoardLevelsWord(packed, PointSet::kHalf), levels + PointSet::kHalf * kPlanes);
  MarkPalaces(levels);
}

void MarkOne(Square square, int plane, uint8_t* levels) {
  if (square != kNoSquare) levels[square * kPlanes + plane] = kLevelOne;
}

void MarkMen(const PackedPosition& packed, uint8_t* levels) {
  for (int unit = 0; unit < kUnits; ++unit) {
    MarkOne(packed.squares[unit], kKindOfUnit[unit], levels);
  }
}

void MarkRecent(const PackedPosition& packed, uint8_t* levels) {
  for (int ply = 0; ply < kRecentPlies; ++ply) {
    MarkOne(packed.recent[ply][0], kPlaneRecent + 2 * ply, levels);
    MarkOne(packed.recent[ply][1], kPlaneRecent + 2 * ply + 1, levels);
  }
}

// For sets that are mostly small.
void MarkSet(PointSet points, int plane, uint8_t* levels) {
  uint8_t* const own_half = levels + plane;
  for (uint64_t word = points.own_half; word != 0; word &= word - 1) {
    own_half[std::countr_zero(word) * kPlanes] = kLevelOne;
  }
  uint8_t* const far_half = own_half + PointSet::kHalf * kPlanes;
  for (uint64_t word = points.far_half; word != 0; word &= word - 1) {
    far_half[std::countr_zero(word) * kPlanes] = kLevelOne;
  }
}

// level / kLevelOne without a division, yet rounded as one: the reciprocal in two parts, of which
// the first has so few bits that its product is exact.
float ToFloat(uint8_t level) {
  constexpr double kReciprocal = 1.0 / kLevelOne;
  constexpr int kScale = 1 << 22;
  constexpr float kFirst = static_cast<float>(kScale / kLevelOne) / kScale;
  constexpr auto kSecond = static_cast<float>(kReciprocal - double{kFirst});
  return static_cast<float>(level) * kFirst + static_cast<float>(level) * kSecond;
}

}  // namespace

void ExpandPlanes(const PackedPosition& position, uint8_t* levels) {
  // A copy, as the compiler must believe that writing levels changes any byte elsewhere.
  const PackedPosition packed = position;
  const PointSet own_men = expansion::PointsOf(packed, 0, kUnitsPerSide);
  const PointSet opponent_men = expansion::PointsOf(packed, kUnitsPerSide, kUnitsPerSide);
  const PointSet men = own_men | opponent_men;
  PointSet attacks[kUnits];
  for (int unit = 0; unit < kUnits; ++unit) attacks[unit] = UnitAttacks(packed, men, unit);

  const AttackerCount own = expansion::CountAttackers(attacks, 0);
  const AttackerCount opponent = expansion::CountAttackers(attacks, kUnitsPerSide);

  std::memset(levels, 0, kSquares * kPlanes);
  WriteAttacksAndBoard(packed, attacks, own, opponent, levels);
  MarkMen(packed, levels);
  MarkRecent(packed, levels);

  const PointSet own_attacked = own.ones | own.twos;
  const PointSet opponent_attacked = opponent.ones | opponent.twos;
  if (opponent_attacked.contains(packed.squares[0])) {
    MarkSet(expansion::Checkers(packed, attacks), kPlaneCheckers, levels);
  }
  MarkSet((own_men & opponent_attacked) - own_attacked, kPlaneOwnHanging, levels);
  MarkSet((opponent_men & own_attacked) - opponent_attacked, kPlaneOpponentHanging, levels);
  MarkSet(expansion::Screen(packed, men), kPlaneScreen, levels);
}

void LevelsToFloats(std::span<const uint8_t> levels, float* floats) {
  constexpr size_t kBlock = 16;
  size_t i = 0;
  for (; i + kBlock <= levels.size(); i += kBlock) {
    // Blocks of fixed size, taken out of memory first, become vector instructions.
    uint8_t block[kBlock];
    std::memcpy(block, &levels[i], kBlock);
    for (size_t j = 0; j < kBlock; ++j) floats[i + j] = ToFloat(block[j]);
  }
  for (; i < levels.size(); ++i) floats[i] = ToFloat(levels[i]);
}

}  // namespace chuhe
