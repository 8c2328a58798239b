#include "engine/search/alphabeta_eval.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "engine/board/attacks.h"
#include "engine/board/tables.h"
#include "engine/search/alphabeta_score.h"

namespace chuhe {
namespace {

// Tables are by rank seen from the own side (0 = home) and by distance from the edge of the board
// (0 = files a and i, 4 = the middle file), so that they are symmetrical by construction.
constexpr int kFileKinds = 5;
using SquareTable = std::array<std::array<int16_t, kFileKinds>, kRanks>;

// The whole value of a pawn. It is worth two once it has crossed, more the nearer it comes to the
// palace; on the last rank it is old and of little use.
constexpr SquareTable kPawn = {{{},
                                {},
                                {},
                                {{92, 0, 100, 0, 112}},
                                {{96, 0, 112, 0, 122}},
                                {{165, 185, 200, 205, 210}},
                                {{178, 205, 228, 240, 245}},
                                {{180, 212, 245, 268, 262}},
                                {{165, 195, 238, 266, 272}},
                                {{70, 76, 84, 96, 100}}}};

// What the others gain by their place.
constexpr SquareTable kKnight = {{{{-24, -18, -14, -14, -20}},
                                  {{-20, -8, -4, -6, -44}},
                                  {{-14, -2, 6, 4, 0}},
                                  {{-10, 2, 8, 8, 8}},
                                  {{-6, 6, 14, 14, 14}},
                                  {{-2, 14, 22, 24, 26}},
                                  {{2, 18, 28, 32, 30}},
                                  {{2, 20, 32, 34, 28}},
                                  {{-2, 16, 34, 24, 10}},
                                  {{-14, -2, 6, 2, -8}}}};
constexpr SquareTable kRook = {{{{-16, -8, -6, 4, 0}},
                                {{-8, 0, 0, 8, 0}},
                                {{-8, 2, 2, 10, 4}},
                                {{-4, 4, 4, 10, 6}},
                                {{2, 8, 8, 14, 10}},
                                {{4, 10, 10, 16, 12}},
                                {{4, 10, 12, 18, 16}},
                                {{4, 10, 12, 20, 20}},
                                {{4, 10, 12, 22, 24}},
                                {{0, 6, 8, 16, 16}}}};
constexpr SquareTable kCannon = {{{{-4, -2, 0, 2, 6}},
                                  {{-4, 0, 2, 4, 6}},
                                  {{-2, 2, 4, 6, 18}},
                                  {{-2, 0, 2, 4, 12}},
                                  {{0, 2, 4, 4, 14}},
                                  {{2, 2, 4, 4, 12}},
                                  {{2, 2, 2, 2, 10}},
                                  {{2, 2, 0, -4, -6}},
                                  {{6, 4, 0, -8, -14}},
                                  {{12, 10, 4, -8, -14}}}};

constexpr int kAdvisorValue = 200;
constexpr int kBishopValue = 200;
constexpr int kTempo = 6;

// By free legs, 0 to 8 points that the knight reaches.
constexpr int kKnightMobility[9] = {-40, -24, -14, -6, 0, 5, 9, 12, 15};

constexpr int kHollowCannon = 90;    // an open line from the cannon to the king in the middle
constexpr int kScreenedCannon = 12;  // two men between: either may be pinned
constexpr int kRookKnightPair = 16;
constexpr int kRookCannonPair = 8;
constexpr int kCannonPairEarly = 20;
constexpr int kNoRook = 40;  // against a side that has one

// Men of a side by kind, and the phase.
struct Side {
  int count[kPieceTypes] = {};
  int Of(PieceType type) const { return count[Index(type)]; }
  int attackers() const {
    return Of(PieceType::kRook) + Of(PieceType::kKnight) + Of(PieceType::kCannon);
  }
};

Side CountMen(const Position& position, Color color) {
  Side side;
  const int first = Index(color) * kUnitsPerSide;
  for (int i = 0; i < kUnitsPerSide; ++i) {
    const Unit unit = static_cast<Unit>(first + i);
    side.count[Index(TypeOf(unit))] += position.square_of(unit) != kNoSquare ? 1 : 0;
  }
  return side;
}

// 0 with all men on the board, 256 with twelve or fewer.
int LatenessOf(int men) { return std::clamp((kUnits - men) * 256 / 20, 0, 256); }

class SideEvaluation {
 public:
  SideEvaluation(const Position& position, Color us, const Side& own, const Side& their,
                 int lateness)
      : position_(position),
        us_(us),
        own_(own),
        their_(their),
        lateness_(lateness),
        advisors_gone_(2 - their.Of(PieceType::kAdvisor)),
        bishops_gone_(2 - their.Of(PieceType::kBishop)) {}

  int Total() {
    int total = Pairs() + King();
    ForEach(PieceType::kRook, [&](Square s) { total += Rook(s); });
    ForEach(PieceType::kKnight, [&](Square s) { total += Knight(s); });
    ForEach(PieceType::kCannon, [&](Square s) { total += Cannon(s); });
    ForEach(PieceType::kPawn, [&](Square s) { total += Pawn(s); });
    ForEach(PieceType::kAdvisor, [&](Square s) { total += Advisor(s); });
    ForEach(PieceType::kBishop, [&](Square s) { total += Bishop(s); });
    return total + Attack();
  }

 private:
  template <typename F>
  void ForEach(PieceType type, F f) const {
    const Unit first = FirstUnit(us_, type);
    for (int i = 0; i < UnitCount(type); ++i) {
      const Square square = position_.square_of(static_cast<Unit>(first + i));
      if (square != kNoSquare) f(square);
    }
  }
  int RankFromHome(Square square) const {
    return us_ == Color::kRed ? kPoints[square].rank : kRanks - 1 - kPoints[square].rank;
  }
  static int FromEdge(Square square) {
    return std::min<int>(kPoints[square].file, kFiles - 1 - kPoints[square].file);
  }
  int At(const SquareTable& table, Square square) const {
    return table[RankFromHome(square)][FromEdge(square)];
  }
  bool IsAcross(Square square) const { return IsAcrossRiver(us_, square); }
  // The value with all men on the board and with few, blended.
  int ByPhase(int early, int late) const { return early + (late - early) * lateness_ / 256; }

  int Rook(Square square) {
    const Bitboard men = position_.occupied();
    const Point point = kPoints[square];
    const LineReach on_file = kTables.line[point.rank][men.FileLine(point.file)];
    const LineReach on_rank = kTables.line[point.file][men.RankLine(point.rank)];
    const int reach =
        std::popcount(unsigned{on_file.rook}) + std::popcount(on_rank.rook & kRankMask);
    if (IsAcross(square)) attack_ += 3;
    // Two rooks need a palace without advisors.
    return 900 + At(kRook, square) + 3 * (reach - 8) + 16 * advisors_gone_;
  }

  int Knight(Square square) {
    const int reach =
        (kTables.knight[square][FreeLegs(position_, square)] & ~position_.occupied(us_)).count();
    if (IsAcross(square)) attack_ += 2;
    return ByPhase(395, 430) + At(kKnight, square) + kKnightMobility[reach] + 14 * advisors_gone_;
  }

  int Cannon(Square square) {
    int value = ByPhase(455, 420) + At(kCannon, square) + 22 * bishops_gone_;
    // With few men left the own defenders are its screens.
    const int screens = own_.Of(PieceType::kAdvisor) + own_.Of(PieceType::kBishop);
    value += ByPhase(0, 9) * (screens - 2);
    if (IsAcross(square)) attack_ += 2;

    const Square king = position_.king_square(Opponent(us_));
    if (kPoints[square].file == kPoints[king].file) {
      const int between = (kTables.between[square][king] & position_.occupied()).count();
      const bool in_the_middle = FromEdge(king) == kFileKinds - 1;
      if (between == 0) {
        const int helpers = std::min(own_.attackers() - 1, 3);
        value += kHollowCannon * helpers / (in_the_middle ? 3 : 6);
        attack_ += 2;
      } else if (between == 2 && in_the_middle) {
        value += kScreenedCannon;
      }
    }
    return value;
  }

  int Pawn(Square square) {
    if (IsAcross(square)) {
      const int rank = RankFromHome(square);
      if (rank >= 6 && rank < kRanks - 1) attack_ += 1;
      return At(kPawn, square) + 5 * (advisors_gone_ + bishops_gone_) + ByPhase(0, 15);
    }
    return At(kPawn, square);
  }

  int Advisor(Square square) {
    const int rank = RankFromHome(square);
    return kAdvisorValue + (rank == 1 ? 6 : rank == 2 ? -8 : 0);
  }

  int Bishop(Square square) {
    const int from_edge = FromEdge(square);
    return kBishopValue + (from_edge == kFileKinds - 1 ? 10 : from_edge == 0 ? -10 : 0);
  }

  int King() const {
    const Square king = position_.king_square(us_);
    const int exposed = 14 * RankFromHome(king) + (FromEdge(king) != kFileKinds - 1 ? 6 : 0);
    return -exposed * std::min(their_.attackers(), 4) / 3;
  }

  int Pairs() const {
    const int rooks = own_.Of(PieceType::kRook);
    const int knights = own_.Of(PieceType::kKnight);
    const int cannons = own_.Of(PieceType::kCannon);
    int value =
        kRookKnightPair * std::min(rooks, knights) + kRookCannonPair * std::min(rooks, cannons);
    if (cannons == 2) value += ByPhase(kCannonPairEarly, 0);
    if (cannons > 0 && knights > 0) value += ByPhase(0, 16);
    if (rooks == 0 && their_.Of(PieceType::kRook) > 0) value -= kNoRook;
    return value;
  }

  // Grows with the square of the men that have crossed, more so the fewer defend the palace.
  int Attack() const {
    const int gone = advisors_gone_ + bishops_gone_;
    return attack_ * attack_ * (2 + gone) / 5;
  }

  const Position& position_;
  const Color us_;
  const Side& own_;
  const Side& their_;
  const int lateness_;
  const int advisors_gone_;  // of the other side
  const int bishops_gone_;
  int attack_ = 0;  // weight of the men that bear on the other side's camp
};

bool CanWin(const Side& side) { return side.attackers() + side.Of(PieceType::kPawn) > 0; }

}  // namespace

int Evaluate(const Position& position) {
  const Color us = position.side_to_move();
  const Color them = Opponent(us);
  const Side own = CountMen(position, us);
  const Side their = CountMen(position, them);
  const int lateness = LatenessOf(position.occupied().count());
  int score = SideEvaluation(position, us, own, their, lateness).Total() -
              SideEvaluation(position, them, their, own, lateness).Total() + kTempo;
  // A side that only defends may hope for a draw at most.
  if (!CanWin(score > 0 ? own : their)) score /= 16;
  return std::clamp(score, -kMaxEvaluation, kMaxEvaluation);
}

int ClassicValue(const Position& position, Unit unit) {
  constexpr int kValues[kPieceTypes] = {10000, 200, 200, 400, 900, 450, 100};
  if (unit == kNoUnit) return 0;
  const PieceType type = TypeOf(unit);
  if (type == PieceType::kPawn && IsAcrossRiver(ColorOf(unit), position.square_of(unit))) {
    return 200;
  }
  return kValues[Index(type)];
}

}  // namespace chuhe
