#include "tests/engine/board/drawn_board.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "engine/board/attacks.h"
#include "engine/board/movegen.h"

namespace chuhe {
namespace {

constexpr std::string_view kLetters = "KABNRCP";  // in the order of PieceType

char LetterOf(Unit unit) {
  const char letter = kLetters[static_cast<size_t>(Index(TypeOf(unit)))];
  return ColorOf(unit) == Color::kRed ? letter : static_cast<char>(std::tolower(letter));
}

bool PlaceLetter(char letter, Square square, Position* position) {
  const auto upper = static_cast<char>(std::toupper(letter));
  const size_t type = kLetters.find(upper);
  if (type == std::string_view::npos) return false;
  return position->PlaceUnit(letter == upper ? Color::kRed : Color::kBlack,
                             static_cast<PieceType>(type), square);
}

Position CheckedBoard(std::string_view drawing, Color side_to_move) {
  const Position position = DrawnBoard(drawing, side_to_move);
  const ReferenceBoard reference = ReferenceOf(position);
  std::vector<std::string> expected;
  for (const ReferenceMove& move : ReferenceLegalMoves(reference)) {
    expected.push_back(TextOf(
        Move(MakeSquare(move.from.file, move.from.rank), MakeSquare(move.to.file, move.to.rank))));
  }
  EXPECT_EQ(LegalMoveTexts(position), expected) << drawing;
  EXPECT_EQ(CountLegal(position), static_cast<int>(expected.size())) << drawing;
  EXPECT_EQ(HasLegalMove(position), !expected.empty()) << drawing;
  EXPECT_EQ(InCheck(position), ReferenceInCheck(reference)) << drawing;
  std::vector<std::string> legal_pairs;
  for (int from = 0; from < kSquares; ++from) {
    for (int to = 0; to < kSquares; ++to) {
      const Move move(static_cast<Square>(from), static_cast<Square>(to));
      if (IsLegal(position, move)) legal_pairs.push_back(TextOf(move));
    }
  }
  std::sort(legal_pairs.begin(), legal_pairs.end());
  EXPECT_EQ(legal_pairs, expected) << drawing;
  return position;
}

}  // namespace

Position DrawnBoard(std::string_view drawing, Color side_to_move) {
  ReferenceBoard board;
  int points = 0;
  for (const char letter : drawing) {
    if (letter == ' ' || letter == '\n') continue;
    if (points < kSquares) board.at[kRanks - 1 - points / kFiles][points % kFiles] = letter;
    ++points;
  }
  board.red_to_move = side_to_move == Color::kRed;
  EXPECT_EQ(points, kSquares) << "points in the drawing\n" << drawing;
  return points == kSquares ? PositionOf(board) : Position();
}

Square SquareOf(std::string_view text) {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'i' || text[1] < '0' || text[1] > '9') {
    ADD_FAILURE() << "no square: " << text;
    return kNoSquare;
  }
  return MakeSquare(text[0] - 'a', text[1] - '0');
}

Move MoveOf(std::string_view text) {
  if (text.size() != 4) {
    ADD_FAILURE() << "no move: " << text;
    return Move();
  }
  return Move(SquareOf(text.substr(0, 2)), SquareOf(text.substr(2)));
}

std::string TextOf(Square square) {
  return {static_cast<char>('a' + FileOf(square)), static_cast<char>('0' + RankOf(square))};
}

std::string TextOf(Move move) { return TextOf(move.from()) + TextOf(move.to()); }

std::vector<std::string> LegalMoveTexts(const Position& position) {
  MoveList list;
  GenerateLegal(position, &list);
  std::vector<std::string> texts;
  for (const Move move : list) texts.push_back(TextOf(move));
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::vector<std::string> TargetsFrom(const Position& position, std::string_view square) {
  std::vector<std::string> targets;
  for (const std::string& move : LegalMoveTexts(position)) {
    if (move.substr(0, 2) == square) targets.push_back(move.substr(2));
  }
  return targets;
}

Position RedToMove(std::string_view drawing) { return CheckedBoard(drawing, Color::kRed); }
Position BlackToMove(std::string_view drawing) { return CheckedBoard(drawing, Color::kBlack); }

ReferenceBoard ReferenceOf(const Position& position) {
  ReferenceBoard board;
  for (int square = 0; square < kSquares; ++square) {
    const Unit unit = position.unit_at(static_cast<Square>(square));
    if (unit != kNoUnit) board.at[square / kFiles][square % kFiles] = LetterOf(unit);
  }
  board.red_to_move = position.side_to_move() == Color::kRed;
  return board;
}

Position PositionOf(const ReferenceBoard& board, bool from_black) {
  Position position;
  for (int i = 0; i < kSquares; ++i) {
    const int square = from_black ? kSquares - 1 - i : i;
    const char letter = board.at[square / kFiles][square % kFiles];
    if (letter == '.') continue;
    EXPECT_TRUE(PlaceLetter(letter, static_cast<Square>(square), &position))
        << "no such man: " << letter << " in " << WriteReferenceFen(board);
  }
  position.set_side_to_move(board.red_to_move ? Color::kRed : Color::kBlack);
  return position;
}

ReferenceMove ReferenceOf(Move move) {
  return {{FileOf(move.from()), RankOf(move.from())}, {FileOf(move.to()), RankOf(move.to())}};
}

ReferenceBoard MirroredBoard(const ReferenceBoard& board) {
  ReferenceBoard mirrored = board;
  for (int rank = 0; rank < kRanks; ++rank) {
    for (int file = 0; file < kFiles; ++file) {
      mirrored.at[rank][file] = board.at[rank][kFiles - 1 - file];
    }
  }
  return mirrored;
}

ReferenceBoard TurnedBoard(const ReferenceBoard& board) {
  ReferenceBoard turned;
  for (int rank = 0; rank < kRanks; ++rank) {
    for (int file = 0; file < kFiles; ++file) {
      const char letter = board.at[kRanks - 1 - rank][kFiles - 1 - file];
      turned.at[rank][file] = static_cast<char>(std::isupper(letter) != 0 ? std::tolower(letter)
                                                                          : std::toupper(letter));
    }
  }
  turned.red_to_move = !board.red_to_move;
  return turned;
}

Move MirroredMove(Move move) { return Move(Mirrored(move.from()), Mirrored(move.to())); }
Move TurnedMove(Move move) { return Move(Turned(move.from()), Turned(move.to())); }

}  // namespace chuhe
