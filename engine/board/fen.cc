#include "engine/board/fen.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/board/attacks.h"
#include "engine/board/names.h"
#include "engine/board/tables.h"

namespace chuhe {
namespace {

constexpr absl::string_view kLetters = "KABNRCP";
std::string ManName(Color color, PieceType type) {
  return absl::StrCat(color == Color::kRed ? "red " : "black ", NameOf(type));
}

// Quotes a piece of input for a message: cut short, all but printable ASCII escaped.
std::string Quoted(absl::string_view text) {
  constexpr size_t kLongest = 40;
  const bool cut = text.size() > kLongest;
  return absl::StrCat("'", absl::CHexEscape(text.substr(0, kLongest)), cut ? "...'" : "'");
}

template <typename... Args>
absl::Status FenError(absl::string_view field, const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("FEN ", field, ": ", args...));
}

// Whether a man of that kind can ever stand there.
bool IsPossiblePoint(Color color, PieceType type, Square square) {
  const int file = FileOf(square);
  const int rank = color == Color::kRed ? RankOf(square) : kRanks - 1 - RankOf(square);
  const bool in_palace = file >= 3 && file <= 5 && rank <= 2;
  switch (type) {
    case PieceType::kKing:
      return in_palace;
    case PieceType::kAdvisor:
      return in_palace && (file == 4) == (rank == 1);
    case PieceType::kBishop:
      return (rank == 2 && file % 4 == 0) || ((rank == 0 || rank == 4) && file % 4 == 2);
    case PieceType::kPawn:
      return rank >= 5 || (rank >= 3 && file % 2 == 0);
    default:
      return true;
  }
}

absl::Status PlaceMan(char letter, Square square, Position* position) {
  const std::optional<PieceType> type = PieceTypeOfLetter(letter);
  if (!type.has_value()) {
    return FenError("board", "unknown letter ", Quoted({&letter, 1}), " at ", SquareName(square),
                    ", expected one of ", kLetters, " in either case or a digit 1-9");
  }
  const Color color =
      absl::ascii_isupper(static_cast<unsigned char>(letter)) ? Color::kRed : Color::kBlack;
  if (!IsPossiblePoint(color, *type, square)) {
    return FenError("board", "a ", ManName(color, *type), " cannot stand at ", SquareName(square));
  }
  if (!position->PlaceUnit(color, *type, square)) {
    return FenError("board", "one ", ManName(color, *type), " too many at ", SquareName(square),
                    ", a set has ", UnitCount(*type));
  }
  return absl::OkStatus();
}

absl::Status ReadRow(absl::string_view row, int rank, Position* position) {
  int file = 0;
  for (const char letter : row) {
    const bool is_gap = letter >= '1' && letter <= '9';
    if (!is_gap && file < kFiles) {
      CHUHE_RETURN_IF_ERROR(PlaceMan(letter, MakeSquare(file, rank), position));
    }
    file += is_gap ? letter - '0' : 1;
  }
  if (file != kFiles) {
    return FenError("board", "the row of rank ", rank, " ", Quoted(row), " is ", file,
                    " points wide, expected ", kFiles);
  }
  return absl::OkStatus();
}

absl::Status ReadBoard(absl::string_view board, Position* position) {
  const std::vector<absl::string_view> rows = absl::StrSplit(board, '/');
  if (rows.size() != kRanks) {
    return FenError("board", rows.size(), " rows in ", Quoted(board), ", expected ", kRanks);
  }
  for (int i = 0; i < kRanks; ++i) {
    CHUHE_RETURN_IF_ERROR(ReadRow(rows[i], kRanks - 1 - i, position));
  }
  for (const Color color : {Color::kRed, Color::kBlack}) {
    if (position->king_square(color) == kNoSquare) {
      return FenError("board", "no ", ManName(color, PieceType::kKing));
    }
  }
  return absl::OkStatus();
}

absl::Status ReadSide(absl::string_view field, Position* position) {
  if (field == "w" || field == "W" || field == "r" || field == "R") return absl::OkStatus();
  if (field == "b" || field == "B") {
    position->set_side_to_move(Color::kBlack);
    return absl::OkStatus();
  }
  return FenError("side to move", Quoted(field), ", expected w (or r) or b");
}

absl::Status ReadCounter(absl::string_view field, absl::string_view name, int* counter) {
  constexpr int kLargest = 1'000'000;
  int value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error == std::errc() && end == field.data() + field.size() && value >= 0 &&
      value <= kLargest) {
    *counter = value;
    return absl::OkStatus();
  }
  return FenError(name, Quoted(field), ", expected a number from 0 to ", kLargest);
}

bool IsDashes(absl::string_view field) {
  return field.size() <= 2 &&
         std::all_of(field.begin(), field.end(), [](char c) { return c == '-'; });
}

absl::Status ReadFields(const std::vector<absl::string_view>& fields, FenRecord* record) {
  size_t next = 0;
  CHUHE_RETURN_IF_ERROR(ReadBoard(fields[next++], &record->position));
  const bool has_side = next < fields.size() && !IsDashes(fields[next]) &&
                        !absl::ascii_isdigit(static_cast<unsigned char>(fields[next].front()));
  if (has_side) {
    CHUHE_RETURN_IF_ERROR(ReadSide(fields[next++], &record->position));
  }
  // Castling and en passant of chess: dashes, one by one or joined, or left out.
  for (int dashes = 0; next < fields.size() && dashes < 2 && IsDashes(fields[next]); ++next) {
    dashes += static_cast<int>(fields[next].size());
  }
  if (next < fields.size()) {
    CHUHE_RETURN_IF_ERROR(ReadCounter(fields[next++], "halfmove counter", &record->halfmove));
  }
  if (next < fields.size()) {
    CHUHE_RETURN_IF_ERROR(ReadCounter(fields[next++], "fullmove number", &record->fullmove));
  }
  if (next < fields.size()) {
    return FenError("end", "unexpected ", Quoted(fields[next]), " after the move number");
  }
  return absl::OkStatus();
}

absl::Status CheckKings(const Position& position) {
  const Color waiting = Opponent(position.side_to_move());
  const UnitSet attackers = AttackersOfKing(position, waiting);
  if (attackers == 0) return absl::OkStatus();
  const Unit attacker = static_cast<Unit>(std::countr_zero(attackers));
  const std::string king = absl::StrCat(ManName(waiting, PieceType::kKing), " at ",
                                        SquareName(position.king_square(waiting)));
  const Square from = position.square_of(attacker);
  if (TypeOf(attacker) == PieceType::kKing) {
    return FenError("board", "the ", king, " and the ",
                    ManName(Opponent(waiting), PieceType::kKing), " at ", SquareName(from),
                    " face each other on an open file");
  }
  return FenError("side to move", "the ", king, " is in check by the ",
                  ManName(ColorOf(attacker), TypeOf(attacker)), " at ", SquareName(from),
                  " while the other side is to move");
}

}  // namespace

absl::StatusOr<FenRecord> ParseFen(absl::string_view text) {
  const std::vector<absl::string_view> fields =
      absl::StrSplit(text, absl::ByAnyChar(" \t\r\n\f\v"), absl::SkipEmpty());
  if (fields.empty()) return FenError("board", "the text is empty");
  if (fields.size() == 1 && fields.front() == "startpos") return ParseFen(kStartFen);
  FenRecord record;
  CHUHE_RETURN_IF_ERROR(ReadFields(fields, &record));
  CHUHE_RETURN_IF_ERROR(CheckKings(record.position));
  return record;
}

std::string FormatFen(const Position& position, int halfmove, int fullmove) {
  std::string fen;
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file <= kFiles; ++file) {
      const Unit unit = file < kFiles ? position.unit_at(MakeSquare(file, rank)) : kNoUnit;
      if (file < kFiles && unit == kNoUnit) {
        ++empty;
        continue;
      }
      if (empty > 0) fen += static_cast<char>('0' + empty);
      empty = 0;
      if (unit == kNoUnit) break;
      const char letter = kLetters[Index(TypeOf(unit))];
      fen += ColorOf(unit) == Color::kRed ? letter
                                          : absl::ascii_tolower(static_cast<unsigned char>(letter));
    }
    if (rank > 0) fen += '/';
  }
  return absl::StrCat(fen, position.side_to_move() == Color::kRed ? " w" : " b", " - - ", halfmove,
                      " ", fullmove);
}

}  // namespace chuhe
