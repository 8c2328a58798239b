#include "tests/nets/features/random_games.h"

#include <array>
#include <string_view>
#include <vector>

#include "engine/board/attacks.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/eval/evaluator.h"
#include "tests/engine/board/drawn_board.h"

namespace chuhe {
namespace {

constexpr int kLongestGame = 150;

// Where Red's men may stand, by PieceType; Black's are the same turned.
std::vector<Square> PointsFor(PieceType type) {
  constexpr std::array<std::string_view, 3> kPoints = {"d0 e0 f0 d1 e1 f1 d2 e2 f2",
                                                       "d0 f0 e1 d2 f2", "c0 g0 a2 e2 i2 c4 g4"};
  std::vector<Square> points;
  if (Index(type) < 3) {
    const std::string_view text = kPoints[static_cast<size_t>(Index(type))];
    for (size_t i = 0; i < text.size(); i += 3) points.push_back(SquareOf(text.substr(i, 2)));
    return points;
  }
  for (int square = 0; square < kSquares; ++square) {
    const bool pawn_can =
        square >= kSquares / 2 || (square / kFiles >= 3 && square % kFiles % 2 == 0);
    if (type != PieceType::kPawn || pawn_can) points.push_back(static_cast<Square>(square));
  }
  return points;
}

bool Chance(Random* random, uint64_t one_in) { return random->Below(one_in) == 0; }

// Kings and each other man with a chance of one in `sparseness`, on random points; may be illegal.
Position RandomMen(Random* random, uint64_t sparseness) {
  Position position;
  for (int unit = 0; unit < kUnits; ++unit) {
    const Color color = ColorOf(static_cast<Unit>(unit));
    const PieceType type = TypeOf(static_cast<Unit>(unit));
    if (type != PieceType::kKing && !Chance(random, sparseness)) continue;
    const std::vector<Square> points = PointsFor(type);
    for (int attempt = 0; attempt < 20; ++attempt) {
      const Square square = points[random->Below(points.size())];
      const Square seen = color == Color::kRed ? square : Turned(square);
      if (!position.is_empty(seen)) continue;
      position.PlaceUnit(color, type, seen);
      break;
    }
  }
  if (Chance(random, 2)) position.set_side_to_move(Color::kBlack);
  return position;
}

bool IsLegalPosition(const Position& position) {
  if (position.king_square(Color::kRed) == kNoSquare ||
      position.king_square(Color::kBlack) == kNoSquare) {
    return false;
  }
  return AttackersOfKing(position, Opponent(position.side_to_move())) == 0 &&
         ParseFen(FormatFen(position)).ok();
}

}  // namespace

RandomGames::RandomGames(uint64_t seed)
    : random_(seed, StreamId("random games")), game_(RandomStart()) {}

Game RandomGames::RandomStart() {
  GameOptions options;
  if (Chance(&random_, 3)) options.no_capture_plies = static_cast<int>(80 + random_.Below(50));
  if (Chance(&random_, 2)) return Game(Position::Start(), options);
  Position position;
  do {
    position = RandomMen(&random_, 1 + random_.Below(4));
  } while (!IsLegalPosition(position));
  return Game(position, options);
}

Move RandomGames::RandomMove(const MoveList& moves) {
  const int plies = game_.plies();
  if (plies >= 2 && Chance(&random_, 3)) {
    const Move back(game_.move(plies - 1).to(), game_.move(plies - 1).from());
    if (IsLegal(game_.position(), back)) return back;
  }
  const int first = static_cast<int>(random_.Below(static_cast<uint64_t>(moves.size)));
  if (Chance(&random_, 2)) {
    for (int i = 0; i < moves.size; ++i) {
      const Move move = moves[(first + i) % moves.size];
      Position after = game_.position();
      after.Make(move);
      if (InCheck(after)) return move;
    }
  }
  return moves[first];
}

Move RandomGames::Next() {
  MoveList moves;
  GenerateLegal(game_.position(), &moves);
  if (moves.size == 0 || game_.plies() >= kLongestGame) {
    game_ = RandomStart();
    return Move();
  }
  const Move move = RandomMove(moves);
  game_.Make(move);
  return move;
}

EvaluationRequest RandomGames::Question() const {
  EvaluationRequest request;
  request.SetPosition(game_);
  GenerateLegal(game_.position(), &request.moves);
  return request;
}

Position MirroredPosition(const Position& position) {
  return PositionOf(MirroredBoard(ReferenceOf(position)));
}

Position TurnedPosition(const Position& position) {
  return PositionOf(TurnedBoard(ReferenceOf(position)));
}

}  // namespace chuhe
