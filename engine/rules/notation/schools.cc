#include "engine/rules/notation/schools.h"

#include <cstdlib>

#include "engine/board/attacks.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/chinese.h"
#include "engine/rules/notation/formation.h"
#include "engine/rules/notation/wxf.h"

namespace chuhe {
namespace {

enum class School : uint8_t { kOurs, kXqWizard, kAnyOther };

// 一兵 … 五兵 and Pa … Pe over all tandem pawns.
bool IsXqWizardName(const ManName& name, const Standing& man) {
  return name.which == Which::kOrdinal && name.file == 0 && name.has_piece &&
         name.type == PieceType::kPawn && man.tandem_order == name.ordinal;
}

// Every usage that counts within one file, the file named or not: 前 and 后 in tandems of any size,
// ordinals from the front, index and file as digits (15+1), `++` and `--`; and a tandem man by its
// file alone, where just one man of the file can go there.
bool IsNameWithinFile(const ManName& name, const Standing& man) {
  if (name.file != 0 && name.file != man.file) {
    return false;
  }
  if (name.which == Which::kNone) {
    return name.file != 0;
  }
  if (man.on_file < 2) {
    return false;
  }
  switch (name.which) {
    case Which::kFront:
    case Which::kForemost:
      return man.from_front == 1;
    case Which::kRear:
    case Which::kRearmost:
      return man.from_front == man.on_file;
    case Which::kMiddle:
      return 2 * man.from_front == man.on_file + 1;
    default:
      return man.from_front == name.ordinal;
  }
}

bool IsNameOf(School school, SymbolStyle style, const ManName& name, const Formation& formation,
              const Standing& man) {
  switch (school) {
    case School::kOurs:
      return name ==
             (style == SymbolStyle::kWxf ? WxfName(formation, man) : ChineseName(formation, man));
    case School::kXqWizard:
      return IsXqWizardName(name, man);
    default:
      return IsNameWithinFile(name, man);
  }
}

bool IsInPalace(Color side, Square square) {
  const int rank = RankOf(side == Color::kRed ? square : Turned(square));
  return FileOf(square) >= 3 && FileOf(square) <= 5 && rank <= 2;
}

// Whether the man could make the move if it were alone on the board.
bool IsMoveOnEmptyBoard(Unit unit, Move move) {
  const Color side = ColorOf(unit);
  const int files = std::abs(FileOf(move.to()) - FileOf(move.from()));
  const int ranks = std::abs(RankOf(move.to()) - RankOf(move.from()));
  const bool is_forward = (move.to() > move.from()) == (side == Color::kRed);
  switch (TypeOf(unit)) {
    case PieceType::kKing:
      return files + ranks == 1 && IsInPalace(side, move.to());
    case PieceType::kAdvisor:
      return files == 1 && ranks == 1 && IsInPalace(side, move.to());
    case PieceType::kBishop:
      return files == 2 && ranks == 2 && !IsAcrossRiver(side, move.to());
    case PieceType::kKnight:
      return files * ranks == 2;
    case PieceType::kRook:
    case PieceType::kCannon:
      return (files == 0) != (ranks == 0);
    default:
      return files + ranks == 1 && (files == 0 ? is_forward : IsAcrossRiver(side, move.from()));
  }
}

}  // namespace

MoveFault FaultOf(const Position& position, Move move) {
  if (IsLegal(position, move)) {
    return MoveFault::kNone;
  }
  const Unit unit = position.unit_at(move.from());
  if (unit == kNoUnit || ColorOf(unit) != position.side_to_move()) {
    return MoveFault::kNoSuchMan;
  }
  if (PseudoLegalTargets(position, unit).contains(move.to())) {
    return MoveFault::kLeavesKing;
  }
  return IsMoveOnEmptyBoard(unit, move) ? MoveFault::kBlocked : MoveFault::kNotItsMove;
}

SymbolsMatch MatchSymbols(const Position& position, const MoveSymbols& symbols) {
  const ManName& name = symbols.name;
  const Formation formation = FormationOf(position, name.type);
  SymbolsMatch match;
  for (const School school : {School::kOurs, School::kXqWizard, School::kAnyOther}) {
    for (const Standing& man : formation) {
      if (!IsNameOf(school, symbols.style, name, formation, man)) {
        continue;
      }
      const Square target = TargetOf(position, man, symbols.motion);
      const Move move(position.square_of(man.unit), target);
      const MoveFault fault =
          target == kNoSquare ? MoveFault::kNotItsMove : FaultOf(position, move);
      if (fault == MoveFault::kNone) {
        match.candidates[match.candidate_count++] = move;
      } else if (fault > match.fault) {
        match.fault = fault;
        match.move = move;
      }
    }
    if (match.candidate_count > 0) {
      match.move = match.candidates[0];
      match.fault = match.candidate_count == 1 ? MoveFault::kNone : MoveFault::kAmbiguous;
      break;
    }
  }
  return match;
}

}  // namespace chuhe
