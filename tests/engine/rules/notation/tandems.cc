#include "tests/engine/rules/notation/tandems.h"

#include "engine/rules/notation/coordinates.h"
#include "tests/engine/rules/notation/reading.h"

namespace chuhe {

Position TurnedPosition(const Position& position) {
  Position turned;
  for (Unit unit = 0; unit < kUnits; ++unit) {
    if (position.square_of(unit) != kNoSquare) {
      turned.PlaceUnit(Opponent(ColorOf(unit)), TypeOf(unit), Turned(position.square_of(unit)));
    }
  }
  turned.set_side_to_move(Opponent(position.side_to_move()));
  return turned;
}

std::string TurnedMove(std::string_view squares) {
  const Move move = MoveOf(squares);
  return FormatUci(Move(Turned(move.from()), Turned(move.to())));
}

}  // namespace chuhe
