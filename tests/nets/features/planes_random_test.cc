// Planes of random positions: against the reference, in pieces as a kernel makes them, and under
// the symmetries of the board.
#include <gtest/gtest.h>

#include <vector>

#include "engine/board/fen.h"
#include "nets/features/expand.h"
#include "nets/features/packed_position.h"
#include "nets/features/planes.h"
#include "tests/engine/board/drawn_board.h"
#include "tests/nets/features/random_games.h"
#include "tests/nets/features/reference_planes.h"

namespace chuhe {
namespace {

using Levels = std::vector<uint8_t>;

Levels Expanded(const PackedPosition& packed) {
  // Not zeros, so that a level that is never written shows.
  Levels levels(kSquares * kPlanes, 77);
  ExpandPlanes(packed, levels.data());
  return levels;
}

// The first difference as text; empty if there is none.
std::string Difference(const Levels& a, const Levels& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    return "plane " + std::to_string(i % kPlanes) + " at " +
           TextOf(static_cast<Square>(i / kPlanes)) + ": " + std::to_string(a[i]) + " and " +
           std::to_string(b[i]);
  }
  return "";
}

TEST(PlanesRandomTest, EqualTheReference) {
  RandomGames games(1);
  for (int i = 0; i < CHUHE_REFERENCE_POSITIONS; ++i, games.Next()) {
    const EvaluationRequest request = games.Question();
    ASSERT_EQ(Difference(Expanded(Pack(request)), ReferencePlanes(request)), "")
        << FormatFen(request.position);
  }
}

// The lanes of a warp, in an order that no warp would choose.
Levels ExpandedInPieces(const PackedPosition& packed) {
  PointSet attacks[kUnits];
  for (int unit = kUnits - 1; unit >= 0; --unit) {
    attacks[unit] = UnitAttacks(packed, Men(packed), unit);
  }
  PointSet sets[kPlaneSets];
  for (int set = kPlaneSets - 1; set >= 0; --set) sets[set] = PlaneSet(packed, attacks, set);
  Levels levels(kSquares * kPlanes, 77);
  for (int point = kSquares - 1; point >= 0; --point) {
    ExpandPoint(packed, sets, point, &levels[static_cast<size_t>(point * kPlanes)]);
  }
  return levels;
}

TEST(PlanesRandomTest, AreTheSameInPieces) {
  RandomGames games(2);
  for (int i = 0; i < CHUHE_POSITIONS; ++i, games.Next()) {
    const PackedPosition packed = Pack(games.Question());
    ASSERT_EQ(Difference(ExpandedInPieces(packed), Expanded(packed)), "")
        << FormatFen(games.game().position());
  }
}

// The files of all planes reversed.
Levels FilesReversed(const Levels& levels) {
  Levels reversed(levels.size());
  for (size_t i = 0; i < levels.size(); ++i) {
    const auto square = static_cast<Square>(i / kPlanes);
    reversed[Mirrored(square) * kPlanes + i % kPlanes] = levels[i];
  }
  return reversed;
}

// Plays the games of RandomGames beside the same games changed by a symmetry, and compares.
template <typename ChangePosition, typename ChangeMove, typename Compare>
void PlayBeside(uint64_t seed, ChangePosition change_position, ChangeMove change_move,
                Compare compare) {
  RandomGames games(seed);
  Game changed(Position::Start());
  const auto start = [&] {
    changed = Game(change_position(games.game().position()), games.game().options());
  };
  start();
  for (int i = 0; i < CHUHE_POSITIONS; ++i) {
    EvaluationRequest request;
    request.SetPosition(changed);
    compare(Pack(games.Question()), Pack(request));
    if (testing::Test::HasFatalFailure()) return;
    const Move move = games.Next();
    if (move) {
      changed.Make(change_move(move));
    } else {
      start();
    }
  }
}

TEST(PackRandomTest, TurnedGamesWithChangedColoursAreEqualBytes) {
  PlayBeside(3, TurnedPosition, TurnedMove,
             [](const PackedPosition& packed, const PackedPosition& turned) {
               ASSERT_EQ(packed, turned);
             });
}

TEST(PackRandomTest, MirroredGamesAreMirroredBytes) {
  PlayBeside(4, MirroredPosition, MirroredMove,
             [](const PackedPosition& packed, const PackedPosition& mirrored) {
               ASSERT_EQ(Mirror(packed), mirrored);
               ASSERT_EQ(Mirror(mirrored), packed);
             });
}

TEST(PlanesRandomTest, OfMirroredPositionsAreMirrored) {
  RandomGames games(5);
  for (int i = 0; i < CHUHE_POSITIONS; ++i, games.Next()) {
    const PackedPosition packed = Pack(games.Question());
    ASSERT_EQ(Difference(Expanded(Mirror(packed)), FilesReversed(Expanded(packed))), "")
        << FormatFen(games.game().position());
  }
}

// Otherwise the tests above would not see what they are for.
TEST(RandomGamesTest, HaveAllKindsOfHistory) {
  RandomGames games(6);
  int third_occurrences = 0;
  int full_counters = 0;
  int long_checks = 0;
  int double_checks = 0;
  int screens = 0;
  for (int i = 0; i < 10'000; ++i, games.Next()) {
    const PackedPosition packed = Pack(games.Question());
    third_occurrences += packed.occurrences == 3;
    full_counters += packed.no_capture_plies == kMaxNoCapturePlies;
    long_checks += packed.own_checks == kMaxChecksInARow;
    const Levels levels = Expanded(packed);
    int checkers = 0;
    for (size_t square = 0; square < kSquares; ++square) {
      checkers += levels[square * kPlanes + kPlaneCheckers] != 0;
      screens += levels[square * kPlanes + kPlaneScreen] != 0;
    }
    double_checks += checkers >= 2;
  }
  EXPECT_GT(third_occurrences, 10);
  EXPECT_GT(full_counters, 10);
  EXPECT_GT(long_checks, 10);
  EXPECT_GT(double_checks, 10);
  EXPECT_GT(screens, 100);
}

}  // namespace
}  // namespace chuhe
