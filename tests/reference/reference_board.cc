#include "tests/reference/reference_board.h"

#include <cctype>
#include <cstdlib>
#include <cstring>

namespace chuhe {
namespace {

bool IsEmpty(char letter) { return letter == '.'; }
bool IsRed(char letter) { return 'A' <= letter && letter <= 'Z'; }
bool IsBlack(char letter) { return 'a' <= letter && letter <= 'z'; }
bool IsOf(char letter, bool red) { return red ? IsRed(letter) : IsBlack(letter); }

bool IsInPalace(ReferencePoint point, bool red) {
  const bool rank_fits = red ? point.rank <= 2 : point.rank >= 7;
  return 3 <= point.file && point.file <= 5 && rank_fits;
}

bool IsOnOwnSide(ReferencePoint point, bool red) { return red ? point.rank <= 4 : point.rank >= 5; }

int Sign(int number) { return number > 0 ? 1 : number < 0 ? -1 : 0; }

// How many men stand between two points of one rank or file.
int MenBetween(const ReferenceBoard& board, ReferencePoint from, ReferencePoint to) {
  const int file_step = Sign(to.file - from.file);
  const int rank_step = Sign(to.rank - from.rank);
  int men = 0;
  ReferencePoint point = {from.file + file_step, from.rank + rank_step};
  while (point != to) {
    if (!IsEmpty(board[point])) ++men;
    point.file += file_step;
    point.rank += rank_step;
  }
  return men;
}

// The point in the middle of two points that lie an even way apart.
ReferencePoint Middle(ReferencePoint a, ReferencePoint b) {
  return {(a.file + b.file) / 2, (a.rank + b.rank) / 2};
}

}  // namespace

ReferenceBoard::ReferenceBoard() { std::memset(at, '.', sizeof(at)); }

bool ReferenceCanMove(const ReferenceBoard& board, ReferencePoint from, ReferencePoint to) {
  const char man = board[from];
  const char target = board[to];
  if (IsEmpty(man)) return false;
  const bool red = IsRed(man);
  if (IsOf(target, red)) return false;

  const int files = std::abs(to.file - from.file);
  const int ranks = std::abs(to.rank - from.rank);
  const bool straight = files == 0 || ranks == 0;
  switch (red ? man : std::toupper(man)) {
    case 'K':
      if (target == (red ? 'k' : 'K')) return files == 0 && MenBetween(board, from, to) == 0;
      return files + ranks == 1 && IsInPalace(to, red);
    case 'A':
      return files == 1 && ranks == 1 && IsInPalace(to, red);
    case 'B':
      return files == 2 && ranks == 2 && IsOnOwnSide(to, red) && IsEmpty(board[Middle(from, to)]);
    case 'N':
      if (files == 1 && ranks == 2) {
        return IsEmpty(board[{from.file, (from.rank + to.rank) / 2}]);
      }
      if (files == 2 && ranks == 1) {
        return IsEmpty(board[{(from.file + to.file) / 2, from.rank}]);
      }
      return false;
    case 'R':
      return straight && MenBetween(board, from, to) == 0;
    case 'C':
      return straight && MenBetween(board, from, to) == (IsEmpty(target) ? 0 : 1);
    case 'P': {
      const int forward = red ? to.rank - from.rank : from.rank - to.rank;
      if (files == 0) return forward == 1;
      return files == 1 && ranks == 0 && !IsOnOwnSide(from, red);
    }
    default:
      return false;
  }
}

std::vector<ReferencePoint> ReferenceKingAttackers(const ReferenceBoard& board, bool red_king) {
  std::optional<ReferencePoint> king;
  for (int rank = 0; rank < 10; ++rank) {
    for (int file = 0; file < 9; ++file) {
      if (board.at[rank][file] == (red_king ? 'K' : 'k')) king = ReferencePoint{file, rank};
    }
  }
  std::vector<ReferencePoint> attackers;
  if (!king.has_value()) return attackers;
  for (int file = 0; file < 9; ++file) {
    for (int rank = 0; rank < 10; ++rank) {
      const ReferencePoint from = {file, rank};
      if (IsOf(board[from], !red_king) && ReferenceCanMove(board, from, *king)) {
        attackers.push_back(from);
      }
    }
  }
  return attackers;
}

bool ReferenceKingAttacked(const ReferenceBoard& board, bool red_king) {
  return !ReferenceKingAttackers(board, red_king).empty();
}

ReferenceBoard ReferenceAfter(const ReferenceBoard& board, ReferenceMove move) {
  ReferenceBoard after = board;
  after[move.to] = board[move.from];
  after[move.from] = '.';
  after.red_to_move = !board.red_to_move;
  return after;
}

std::vector<ReferenceMove> ReferenceLegalMoves(const ReferenceBoard& board) {
  std::vector<ReferenceMove> moves;
  for (int from = 0; from < 90; ++from) {
    const ReferencePoint from_point = {from / 10, from % 10};
    if (!IsOf(board[from_point], board.red_to_move)) continue;
    for (int to = 0; to < 90; ++to) {
      const ReferencePoint to_point = {to / 10, to % 10};
      if (!ReferenceCanMove(board, from_point, to_point)) continue;
      const ReferenceMove move = {from_point, to_point};
      if (ReferenceKingAttacked(ReferenceAfter(board, move), board.red_to_move)) continue;
      moves.push_back(move);
    }
  }
  return moves;
}

bool ReferenceInCheck(const ReferenceBoard& board) {
  return ReferenceKingAttacked(board, board.red_to_move);
}

bool ReferenceIsMate(const ReferenceBoard& board) {
  return ReferenceInCheck(board) && ReferenceLegalMoves(board).empty();
}

bool ReferenceIsStalemate(const ReferenceBoard& board) {
  return !ReferenceInCheck(board) && ReferenceLegalMoves(board).empty();
}

uint64_t ReferencePerft(const ReferenceBoard& board, int depth) {
  if (depth == 0) return 1;
  uint64_t nodes = 0;
  for (const ReferenceMove move : ReferenceLegalMoves(board)) {
    nodes += ReferencePerft(ReferenceAfter(board, move), depth - 1);
  }
  return nodes;
}

std::optional<ReferenceBoard> ReadReferenceFen(std::string_view fen) {
  constexpr std::string_view kLetters = "KABNRCPkabnrcp";
  ReferenceBoard board;
  int file = 0;
  int rank = 9;
  size_t i = 0;
  for (; i < fen.size() && fen[i] != ' '; ++i) {
    const char letter = fen[i];
    if (letter == '/') {
      if (file != 9 || rank == 0) return std::nullopt;
      file = 0;
      --rank;
    } else if ('1' <= letter && letter <= '9') {
      file += letter - '0';
    } else if (kLetters.find(letter) != std::string_view::npos && file < 9) {
      board.at[rank][file] = letter;
      ++file;
    } else {
      return std::nullopt;
    }
    if (file > 9) return std::nullopt;
  }
  if (file != 9 || rank != 0) return std::nullopt;
  if (i + 1 >= fen.size() || (fen[i + 1] != 'w' && fen[i + 1] != 'b')) return std::nullopt;
  board.red_to_move = fen[i + 1] == 'w';
  return board;
}

std::string WriteReferenceFen(const ReferenceBoard& board) {
  std::string fen;
  for (int rank = 9; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < 9; ++file) {
      if (IsEmpty(board.at[rank][file])) {
        ++empty;
        continue;
      }
      if (empty > 0) fen += std::to_string(empty);
      empty = 0;
      fen += board.at[rank][file];
    }
    if (empty > 0) fen += std::to_string(empty);
    if (rank > 0) fen += '/';
  }
  return fen + (board.red_to_move ? " w" : " b");
}

}  // namespace chuhe
