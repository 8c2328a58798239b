#include "engine/board/movegen.h"

#include <algorithm>
#include <bit>

#include "engine/board/attacks.h"
#include "engine/board/bitboard.h"
#include "engine/board/king_safety.h"
#include "engine/board/tables.h"

namespace chuhe {
namespace {

// A step forward of all pawns at once, as targets.
Bitboard ForwardTargets(Color us, const Bitboard& pawns) {
  return us == Color::kRed ? pawns.Up(kFiles) : pawns.Down(kFiles);
}

constexpr Bitboard FileMask(int file) {
  Bitboard mask;
  for (int rank = 0; rank < kRanks; ++rank) mask |= Bitboard::Of(MakeSquare(file, rank));
  return mask;
}
constexpr Bitboard AcrossRiver(Color us) {
  Bitboard mask;
  for (int s = 0; s < kSquares; ++s) {
    if (IsAcrossRiver(us, static_cast<Square>(s))) mask |= Bitboard::Of(static_cast<Square>(s));
  }
  return mask;
}
constexpr Bitboard kAcross[2] = {AcrossRiver(Color::kRed), AcrossRiver(Color::kBlack)};
constexpr Bitboard kNotFileA = ~FileMask(0);
constexpr Bitboard kNotFileI = ~FileMask(kFiles - 1);

Bitboard WestTargets(Color us, const Bitboard& pawns) {
  return (pawns & kAcross[Index(us)] & kNotFileA).Down(1);
}
Bitboard EastTargets(Color us, const Bitboard& pawns) {
  return (pawns & kAcross[Index(us)] & kNotFileI).Up(1);
}

// Takes moves one set of targets at a time and writes them to a list.
class Writer {
 public:
  explicit Writer(Move* out) : out_(out) {}
  Move* out() const { return out_; }

  void AddTargets(Square from, const Bitboard& targets) {
    ForEachSquare(targets, [&](Square to) { *out_++ = Move(from, to); });
  }
  // Targets given by bits of a line that begins at `origin` and goes on by `stride`.
  void AddLine(Square from, unsigned bits, int origin, int stride) {
    const uint8_t* const points = kTables.line_bits[bits];
    const int base = Move(from, static_cast<Square>(origin)).bits();
    // A fixed count makes vector instructions of this; the next moves overwrite the surplus.
    for (int i = 0; i < 16; ++i) {
      out_[i] = Move::FromBits(static_cast<uint16_t>(base + points[i] * stride));
    }
    out_ += std::popcount(bits);
  }
  // Targets of men who all come from `to - step`.
  void AddSteps(const Bitboard& targets, int step) {
    ForEachSquare(targets, [&](Square to) { *out_++ = Move(static_cast<Square>(to - step), to); });
  }

 private:
  Move* out_;
};

// Takes the same sets and counts them.
class Counter {
 public:
  int count() const { return count_; }
  void AddTargets(Square, const Bitboard& targets) { count_ += targets.count(); }
  void AddLine(Square, unsigned bits, int, int) { count_ += std::popcount(bits); }
  void AddSteps(const Bitboard& targets, int) { count_ += targets.count(); }

 private:
  int count_ = 0;
};

// The legal moves of the men but the king's, handed to a Writer or Counter.
template <typename Sink>
class MenMoves {
 public:
  MenMoves(const Position& position, Color us, Sink* sink)
      : position_(position),
        us_(us),
        men_(position.occupied()),
        not_own_(~position.occupied(us)),
        safety_(position),
        free_(safety_.targets() & not_own_),
        sink_(sink) {}

  void Add() {
    if (free_.empty() && safety_.special_men().empty()) return;
    ForEachOf(PieceType::kAdvisor, [&](Square from) { AddTargets(from, kTables.advisor[from]); });
    ForEachOf(PieceType::kBishop, [&](Square from) {
      AddTargets(from, kTables.bishop[from][FreeEyes(position_, from)]);
    });
    ForEachOf(PieceType::kKnight, [&](Square from) {
      AddTargets(from, kTables.knight[from][FreeLegs(position_, from)]);
    });
    ForEachOf(PieceType::kRook, [&](Square from) { AddSlider</*kCannon=*/false>(from); });
    ForEachOf(PieceType::kCannon, [&](Square from) { AddSlider</*kCannon=*/true>(from); });
    AddPawns();
  }

 private:
  // Both men of a kind, in the order of their squares, so that the order of moves does not depend
  // on which unit stands where. kNoSquare is the highest.
  template <typename F>
  void ForEachOf(PieceType type, F f) {
    const Unit unit = FirstUnit(us_, type);
    const Square a = position_.square_of(unit);
    const Square b = position_.square_of(static_cast<Unit>(unit + 1));
    const Square second = std::max(a, b);
    if (const Square first = std::min(a, b); first != kNoSquare) f(first);
    if (second != kNoSquare) f(second);
  }

  Bitboard FreeFor(Square from) const {
    return safety_.special_men().contains(from) ? safety_.TargetsOf(from) & not_own_ : free_;
  }

  void AddTargets(Square from, const Bitboard& targets) {
    sink_->AddTargets(from, targets & FreeFor(from));
  }

  template <bool kCannon>
  void AddSlider(Square from) {
    const Point point = kPoints[from];
    const Bitboard free = FreeFor(from);
    const unsigned file_men = men_.FileLine(point.file);
    const unsigned rank_men = men_.RankLine(point.rank);
    const LineReach file = kTables.line[point.rank][file_men];
    const LineReach rank = kTables.line[point.file][rank_men];
    const unsigned on_file = kCannon ? (file.rook & ~file_men) | file.cannon : file.rook;
    const unsigned on_rank = kCannon ? (rank.rook & ~rank_men) | rank.cannon : rank.rook;
    sink_->AddLine(from, on_file & free.FileLine(point.file), point.file, kFiles);
    sink_->AddLine(from, on_rank & free.RankLine(point.rank), point.rank * kFiles, 1);
  }

  void AddPawns() {
    const Bitboard pawns = position_.pawns(us_);
    const Bitboard special = pawns & safety_.special_men();
    const Bitboard others = pawns ^ special;
    sink_->AddSteps(ForwardTargets(us_, others) & free_, us_ == Color::kRed ? kFiles : -kFiles);
    sink_->AddSteps(WestTargets(us_, others) & free_, -1);
    sink_->AddSteps(EastTargets(us_, others) & free_, 1);
    ForEachSquare(special, [&](Square from) { AddTargets(from, kTables.pawn[Index(us_)][from]); });
  }

  const Position& position_;
  const Color us_;
  const Bitboard men_;
  const Bitboard not_own_;
  const KingSafety safety_;
  const Bitboard free_;  // targets of men who have no special part in the king's safety
  Sink* const sink_;
};

Bitboard KingTargets(const Position& position, Color us) {
  const Square king = position.king_square(us);
  const Bitboard men = position.occupied() ^ kSquareBits[king];
  Bitboard targets;
  ForEachSquare(kTables.king[king] & ~position.occupied(us), [&](Square to) {
    if (!IsAttackedKing(position, to, Opponent(us), men)) targets |= kSquareBits[to];
  });
  return targets;
}

}  // namespace

void GenerateLegal(const Position& position, MoveList* list) {
  const Color us = position.side_to_move();
  Writer writer(list->moves);
  writer.AddTargets(position.king_square(us), KingTargets(position, us));
  MenMoves(position, us, &writer).Add();
  list->size = static_cast<int>(writer.out() - list->moves);
}

int CountLegal(const Position& position) {
  const Color us = position.side_to_move();
  Counter counter;
  MenMoves(position, us, &counter).Add();
  return counter.count() + KingTargets(position, us).count();
}

bool HasLegalMove(const Position& position) { return CountLegal(position) != 0; }

bool IsLegal(const Position& position, Move move) {
  if (move.from() >= kSquares || move.to() >= kSquares) return false;
  const Unit unit = position.unit_at(move.from());
  const Color us = position.side_to_move();
  if (unit == kNoUnit || ColorOf(unit) != us) return false;
  if (!PseudoLegalTargets(position, unit).contains(move.to())) return false;
  Position after = position;
  after.Make(move);
  return AttackersOfKing(after, us) == 0;
}

}  // namespace chuhe
