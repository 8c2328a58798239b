#include "tests/engine/board/movegen_comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/attacks.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "tests/engine/board/drawn_board.h"
#include "tests/reference/reference_board.h"

namespace chuhe {
namespace {

int Below(int bound, Random* random) {
  return static_cast<int>(random->Below(static_cast<uint64_t>(bound)));
}
bool OneIn(int n, Random* random) { return Below(n, random) == 0; }

std::vector<Move> MovesOf(const Position& position) {
  MoveList list;
  GenerateLegal(position, &list);
  return {list.begin(), list.end()};
}

std::string TextOfAll(const std::vector<ReferenceMove>& moves) {
  std::string text;
  for (const ReferenceMove& move : moves) {
    text += TextOf(
        Move(MakeSquare(move.from.file, move.from.rank), MakeSquare(move.to.file, move.to.rank)));
    text += ' ';
  }
  return text;
}

std::vector<ReferenceMove> Sorted(const std::vector<Move>& moves) {
  std::vector<ReferenceMove> sorted;
  sorted.reserve(moves.size());
  for (const Move move : moves) sorted.push_back(ReferenceOf(move));
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::vector<ReferenceMove> SortedBy(Move (*map)(Move), const std::vector<Move>& moves) {
  std::vector<Move> mapped;
  mapped.reserve(moves.size());
  for (const Move move : moves) mapped.push_back(map(move));
  return Sorted(mapped);
}

// Squares as text, in the order of ReferencePoint.
std::string TextOfPoints(std::vector<ReferencePoint> points) {
  std::sort(points.begin(), points.end());
  std::string text;
  for (const ReferencePoint point : points) {
    text += TextOf(MakeSquare(point.file, point.rank)) + ' ';
  }
  return text;
}

std::string TextOfUnits(const Position& position, UnitSet units) {
  std::vector<ReferencePoint> points;
  for (int unit = 0; unit < kUnits; ++unit) {
    if ((units & UnitBit(static_cast<Unit>(unit))) == 0) continue;
    const Square square = position.square_of(static_cast<Unit>(unit));
    points.push_back({FileOf(square), RankOf(square)});
  }
  return TextOfPoints(points);
}

ReferencePoint PointOf(int square) { return {square % kFiles, square / kFiles}; }

// What the search asks at every node. Returns whether all of it was right.
bool CompareBasics(const Position& position, const ReferenceBoard& reference,
                   const std::vector<Move>& moves) {
  const std::string fen = WriteReferenceFen(reference);
  EXPECT_EQ(WriteReferenceFen(ReferenceOf(position)), fen) << "after make";
  const std::vector<ReferenceMove> expected = ReferenceLegalMoves(reference);
  if (const std::vector<ReferenceMove> sorted = Sorted(moves); sorted != expected) {
    ADD_FAILURE() << "moves in " << fen << "\nfast:      " << TextOfAll(sorted)
                  << "\nreference: " << TextOfAll(expected);
  }
  EXPECT_EQ(CountLegal(position), static_cast<int>(expected.size())) << fen;
  EXPECT_EQ(HasLegalMove(position), !expected.empty()) << fen;
  EXPECT_EQ(InCheck(position), ReferenceInCheck(reference)) << fen;
  EXPECT_EQ(TextOfUnits(position, AttackersOfKing(position, position.side_to_move())),
            TextOfPoints(ReferenceKingAttackers(reference, reference.red_to_move)))
      << fen;
  EXPECT_EQ(AttackersOfKing(position, Opponent(position.side_to_move())), 0u) << fen;
  return !testing::Test::HasFailure();
}

void CompareIsLegal(const Position& position, const std::vector<Move>& moves,
                    const std::string& fen) {
  std::vector<Move> legal;
  for (int from = 0; from < kSquares; ++from) {
    for (int to = 0; to < kSquares; ++to) {
      const Move move(static_cast<Square>(from), static_cast<Square>(to));
      if (IsLegal(position, move)) legal.push_back(move);
    }
  }
  EXPECT_EQ(Sorted(legal), Sorted(moves)) << "IsLegal in " << fen;
}

void CompareAttacks(const Position& position, const ReferenceBoard& reference,
                    const std::string& fen) {
  for (int square = 0; square < kSquares; ++square) {
    const Unit unit = position.unit_at(static_cast<Square>(square));
    if (unit == kNoUnit) continue;
    std::vector<ReferencePoint> targets;
    std::vector<ReferencePoint> attackers;
    for (int other = 0; other < kSquares; ++other) {
      if (ReferenceCanMove(reference, PointOf(square), PointOf(other))) {
        targets.push_back(PointOf(other));
      }
      if (ReferenceCanMove(reference, PointOf(other), PointOf(square))) {
        attackers.push_back(PointOf(other));
      }
    }
    std::vector<ReferencePoint> fast_targets;
    ForEachSquare(PseudoLegalTargets(position, unit),
                  [&](Square target) { fast_targets.push_back(PointOf(target)); });
    const std::string name = TextOf(static_cast<Square>(square));
    EXPECT_EQ(TextOfPoints(fast_targets), TextOfPoints(targets))
        << "targets of " << name << " in " << fen;
    const UnitSet fast_attackers =
        AttackersOf(position, static_cast<Square>(square), Opponent(ColorOf(unit)));
    EXPECT_EQ(TextOfUnits(position, fast_attackers), TextOfPoints(attackers))
        << "attackers of " << name << " in " << fen;
  }
}

void CompareSymmetries(const Position& position, const ReferenceBoard& reference,
                       const std::vector<Move>& moves, const std::string& fen) {
  EXPECT_EQ(Sorted(MovesOf(PositionOf(MirroredBoard(reference)))), SortedBy(MirroredMove, moves))
      << "mirror image of " << fen;
  EXPECT_EQ(Sorted(MovesOf(PositionOf(TurnedBoard(reference)))), SortedBy(TurnedMove, moves))
      << "turned board of " << fen;
  for (const bool from_black : {false, true}) {
    const Position same = PositionOf(reference, from_black);
    EXPECT_TRUE(same == position) << fen;
    EXPECT_EQ(same.key(), position.key()) << fen;
    EXPECT_TRUE(MovesOf(same) == moves) << "order of the list depends on the way to " << fen;
  }
}

void CompareUnmake(Position position, const std::vector<Move>& moves, const std::string& fen) {
  const Position before = position;
  for (const Move move : moves) {
    const Undo undo = position.Make(move);
    EXPECT_EQ(position.key(), position.ComputeKey()) << TextOf(move) << " in " << fen;
    position.Unmake(move, undo);
    EXPECT_TRUE(position == before) << TextOf(move) << " in " << fen;
    EXPECT_EQ(position.key(), before.key()) << TextOf(move) << " in " << fen;
  }
  EXPECT_TRUE(MovesOf(position) == moves) << "after make and unmake in " << fen;
}

bool IsCapture(const Position& position, Move move) { return !position.is_empty(move.to()); }

bool GivesCheck(Position position, Move move) {
  position.Make(move);
  return InCheck(position);
}

Move Choose(const Position& position, const std::vector<Move>& moves, PlayStyle style,
            Random* random) {
  if (style == PlayStyle::kMixed) style = static_cast<PlayStyle>(Below(3, random));
  std::vector<Move> wanted;
  if (style != PlayStyle::kUniform && !OneIn(10, random)) {
    for (const Move move : moves) {
      const bool wants = style == PlayStyle::kCaptureHunter ? IsCapture(position, move)
                                                            : GivesCheck(position, move);
      if (wants) wanted.push_back(move);
    }
  }
  const std::vector<Move>& choice = wanted.empty() ? moves : wanted;
  return choice[static_cast<size_t>(Below(static_cast<int>(choice.size()), random))];
}

// Whether a man of the kind (an upper-case letter) can ever stand on the point, seen from Red.
bool CanStandOn(char man, ReferencePoint point) {
  const bool palace = 3 <= point.file && point.file <= 5 && point.rank <= 2;
  switch (man) {
    case 'K':
      return palace;
    case 'A':
      return palace && (point.file + point.rank) % 2 == 1;
    case 'B':
      return point.rank <= 4 && point.rank % 2 == 0 && point.file % 2 == 0 &&
             (point.file + point.rank) % 4 == 2;
    case 'P':
      return point.rank >= 5 || (point.rank >= 3 && point.file % 2 == 0);
    default:
      return true;
  }
}

// Puts a man on a random empty point where he can stand; with `crowd` usually near a king. Nothing
// happens when there is none.
void PlaceSomewhere(char man, bool red, bool crowd, Random* random, ReferenceBoard* board) {
  std::vector<ReferencePoint> choice;
  const bool near = crowd && !OneIn(8, random);
  for (int i = 0; i < kSquares; ++i) {
    const ReferencePoint point = PointOf(i);
    const ReferencePoint seen_by_owner = PointOf(red ? i : kSquares - 1 - i);
    const bool is_near = std::abs(point.file - 4) <= 2 && (point.rank <= 3 || point.rank >= 6);
    if ((*board)[point] != '.' || !CanStandOn(man, seen_by_owner) || (near && !is_near)) continue;
    choice.push_back(point);
  }
  if (choice.empty()) return;
  (*board)[choice[static_cast<size_t>(Below(static_cast<int>(choice.size()), random))]] =
      red ? man : static_cast<char>(std::tolower(man));
}

// Random men on random points, without the king of the side that is not to move being attacked.
ReferenceBoard ComposedBoard(Random* random) {
  constexpr std::string_view kMen = "AABBNNRRCCPPPPP";
  while (true) {
    ReferenceBoard board;
    const bool crowd = !OneIn(4, random);
    const bool heavy = !OneIn(3, random);
    const int keep_percent = 10 + Below(90, random);
    PlaceSomewhere('K', true, false, random, &board);
    PlaceSomewhere('K', false, false, random, &board);
    for (const bool red : {true, false}) {
      for (const char man : kMen) {
        const bool attacker = man == 'N' || man == 'R' || man == 'C';
        const int percent = heavy && attacker ? 85 : keep_percent;
        if (Below(100, random) < percent) PlaceSomewhere(man, red, crowd, random, &board);
      }
    }
    board.red_to_move = OneIn(2, random);
    if (ReferenceKingAttacked(board, !board.red_to_move)) board.red_to_move = !board.red_to_move;
    if (!ReferenceKingAttacked(board, !board.red_to_move)) return board;
  }
}

}  // namespace

void CompareWithReference(const ComparisonPlan& plan) {
  Random random(plan.seed);
  const int longest_game = plan.composed ? 8 : 150;
  int compared = 0;
  while (compared < plan.positions) {
    ReferenceBoard reference =
        plan.composed ? ComposedBoard(&random) : ReferenceOf(Position::Start());
    Position position = PositionOf(reference);
    for (int ply = 0; ply < longest_game && compared < plan.positions; ++ply, ++compared) {
      const std::vector<Move> moves = MovesOf(position);
      if (!CompareBasics(position, reference, moves)) return;
      if (compared % 32 == 0) {
        const std::string fen = WriteReferenceFen(reference);
        CompareIsLegal(position, moves, fen);
        CompareAttacks(position, reference, fen);
        CompareSymmetries(position, reference, moves, fen);
        CompareUnmake(position, moves, fen);
        if (testing::Test::HasFailure()) return;
      }
      if (moves.empty()) break;
      const Move move = Choose(position, moves, plan.style, &random);
      position.Make(move);
      reference = ReferenceAfter(reference, ReferenceOf(move));
    }
  }
}

}  // namespace chuhe
