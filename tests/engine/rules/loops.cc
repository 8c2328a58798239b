#include "tests/engine/rules/loops.h"

#include <algorithm>
#include <utility>

#include "engine/board/attacks.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/chase.h"

namespace chuhe {
namespace {

// A move of a man that can go back: no capture, no pawn.
bool IsReversible(const Position& position, Move move) {
  return position.is_empty(move.to()) && TypeOf(position.unit_at(move.from())) != PieceType::kPawn;
}

// Chooses moves that are worth a loop: checks, new threats, and flights from a threat.
class Interests {
 public:
  explicit Interests(const Position& position)
      : position_(position),
        us_(position.side_to_move()),
        attacked_(FindThreats(position, us_).chases.victims()),
        threatened_(FindThreats(position, Opponent(us_)).chases.victims()) {}

  int Of(Move move) {
    const bool flees = (threatened_ & UnitBit(position_.unit_at(move.from()))) != 0;
    const Undo undo = position_.Make(move);
    const bool checks = InCheck(position_);
    const bool attacks = (FindThreats(position_, us_).chases.victims() & ~attacked_) != 0;
    position_.Unmake(move, undo);
    return (checks ? 2 : 0) + (attacks ? 3 : 0) + (flees ? 3 : 0);
  }

 private:
  Position position_;
  const Color us_;
  const UnitSet attacked_;
  const UnitSet threatened_;
};

Move ChooseMove(const Position& position, Random& random) {
  Interests interests(position);
  MoveList list;
  GenerateLegal(position, &list);
  Move best;
  int best_interest = -1;
  for (const Move move : list) {
    if (!IsReversible(position, move)) continue;
    const int interest = interests.Of(move) * 4 + static_cast<int>(random.Below(8));
    if (interest > best_interest) {
      best = move;
      best_interest = interest;
    }
  }
  return best;
}

// Plays `move` if it is legal and reversible.
bool TryMove(Position& position, Move move, std::vector<Move>& moves) {
  if (!IsLegal(position, move) || !IsReversible(position, move)) return false;
  position.Make(move);
  moves.push_back(move);
  return true;
}

Move Back(Move move) { return Move(move.to(), move.from()); }

template <typename F>
LoopGame Transformed(const LoopGame& loop, bool turn_colors, F square) {
  LoopGame result;
  Position position;
  for (int u = 0; u < kUnits; ++u) {
    const Unit unit = static_cast<Unit>(u);
    if (loop.start.square_of(unit) == kNoSquare) continue;
    const Color color = turn_colors ? Opponent(ColorOf(unit)) : ColorOf(unit);
    position.PlaceUnit(color, TypeOf(unit), square(loop.start.square_of(unit)));
  }
  const Color side = loop.start.side_to_move();
  position.set_side_to_move(turn_colors ? Opponent(side) : side);
  result.start = position;
  for (const Move move : loop.moves) {
    result.moves.push_back(Move(square(move.from()), square(move.to())));
  }
  return result;
}

}  // namespace

Position RandomPlacement(Random& random) {
  while (true) {
    Position position;
    for (const Color color : {Color::kRed, Color::kBlack}) {
      const auto home = [&](int file, int rank) {
        return MakeSquare(file, color == Color::kRed ? rank : kRanks - 1 - rank);
      };
      position.PlaceUnit(
          color, PieceType::kKing,
          home(3 + static_cast<int>(random.Below(3)), static_cast<int>(random.Below(3))));
      for (int i = 0; i < 12; ++i) {
        const PieceType type = static_cast<PieceType>(1 + random.Below(kPieceTypes - 1));
        if (random.Below(3) == 0) continue;
        position.PlaceUnit(color, type, static_cast<Square>(random.Below(kSquares)));
      }
    }
    if (random.Below(2) == 0) position.SwitchSide();
    if (const auto record = ParseFen(FormatFen(position)); record.ok()) return record->position;
  }
}

std::optional<LoopGame> RandomLoop(Random& random) {
  LoopGame loop{RandomPlacement(random), {}};
  Position position = loop.start;
  const int moves_a_side = 1 + static_cast<int>(random.Below(2));
  for (int i = 0; i < 2 * moves_a_side; ++i) {
    if (!TryMove(position, ChooseMove(position, random), loop.moves)) return std::nullopt;
  }
  // Back the way they came, each side its latest move first; or the first one first.
  const bool latest_first = random.Below(2) == 0;
  for (int i = 0; i < 2 * moves_a_side; ++i) {
    const int pair = latest_first ? moves_a_side - 1 - i / 2 : i / 2;
    if (!TryMove(position, Back(loop.moves[pair * 2 + i % 2]), loop.moves)) return std::nullopt;
  }
  if (!(position == loop.start)) return std::nullopt;
  const std::vector<Move> once = loop.moves;
  loop.moves.insert(loop.moves.end(), once.begin(), once.end());
  return loop;
}

Verdict JudgeGame(const LoopGame& loop, RuleSet rules) {
  Game game(loop.start, {.rules = rules});
  for (const Move move : loop.moves) game.Make(move);
  return game.Adjudicate();
}

LoopGame TurnedGame(const LoopGame& loop) { return Transformed(loop, true, Turned); }
LoopGame MirroredGame(const LoopGame& loop) { return Transformed(loop, false, Mirrored); }

std::optional<LoopGame> WithCaptureBefore(const LoopGame& loop, Random& random) {
  const Color mover = Opponent(loop.start.side_to_move());
  for (int tries = 0; tries < 200; ++tries) {
    // A man of the mover goes back to where it came from; its victim is one that is missing.
    const Unit unit = static_cast<Unit>(Index(mover) * kUnitsPerSide + random.Below(kUnitsPerSide));
    const Square to = loop.start.square_of(unit);
    const Square from = static_cast<Square>(random.Below(kSquares));
    if (to == kNoSquare || !loop.start.is_empty(from)) continue;
    Position before;
    for (int u = 0; u < kUnits; ++u) {
      const Unit other = static_cast<Unit>(u);
      const Square square = other == unit ? from : loop.start.square_of(other);
      if (square != kNoSquare) before.PlaceUnit(ColorOf(other), TypeOf(other), square);
    }
    const PieceType victim = static_cast<PieceType>(1 + random.Below(kPieceTypes - 1));
    before.PlaceUnit(Opponent(mover), victim, to);
    before.set_side_to_move(mover);
    const auto record = ParseFen(FormatFen(before));
    const Move capture(from, to);
    if (!record.ok() || record->position.is_empty(to) || !IsLegal(record->position, capture)) {
      continue;
    }
    LoopGame longer{record->position, {capture}};
    longer.moves.insert(longer.moves.end(), loop.moves.begin(), loop.moves.end());
    return longer;
  }
  return std::nullopt;
}

Outcome TurnedOutcome(Outcome outcome) {
  if (outcome == Outcome::kRedLoses) return Outcome::kBlackLoses;
  if (outcome == Outcome::kBlackLoses) return Outcome::kRedLoses;
  return outcome;
}

std::string TurnedText(const std::string& text) {
  const std::pair<std::string, std::string> kWords[] = {
      {"Red", "Black"}, {"Black", "Red"}, {"red", "black"}, {"black", "red"}};
  std::string turned;
  for (size_t i = 0; i < text.size();) {
    const auto word = std::find_if(std::begin(kWords), std::end(kWords), [&](const auto& pair) {
      return text.compare(i, pair.first.size(), pair.first) == 0;
    });
    if (word != std::end(kWords)) {
      turned += word->second;
      i += word->first.size();
    } else if (i + 1 < text.size() && text[i] >= 'a' && text[i] <= 'i' && text[i + 1] >= '0' &&
               text[i + 1] <= '9') {
      const Square square = Turned(MakeSquare(text[i] - 'a', text[i + 1] - '0'));
      turned += static_cast<char>('a' + FileOf(square));
      turned += static_cast<char>('0' + RankOf(square));
      i += 2;
    } else {
      turned += text[i++];
    }
  }
  return turned;
}

}  // namespace chuhe
