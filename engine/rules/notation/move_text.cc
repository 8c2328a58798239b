#include "engine/rules/notation/move_text.h"

#include <string>
#include <utility>

#include "engine/board/attacks.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/move_error.h"
#include "engine/rules/notation/move_scanner.h"
#include "engine/rules/notation/schools.h"

namespace chuhe {
namespace {

// One pass over a text with a fixed meaning of ranks.
class Reader {
 public:
  Reader(const Position& start, std::string_view text, RankBase base)
      : text_(text), base_(base), position_(start) {
    reading_.start = start;
  }

  MoveTextReading Read();
  // Squares without a dash were met, and whether one of them has a rank 0 or 10.
  bool has_plain_squares() const { return has_plain_squares_; }

 private:
  void Fail(const MoveToken& token, const std::string& what);
  void ReadToken(const MoveToken& token);
  bool ResolveFirstMover(const MoveToken& token);
  bool IsLegalHere(const MoveToken& token) const;
  void Play(Move move);
  void PlaySymbols(const MoveToken& token);
  void PlayCoordinates(const MoveToken& token);
  // Behind a result only text that is no move may follow, such as an advertisement.
  bool EndsAfterResult(const MoveToken& token);

  std::string_view text_;
  RankBase base_;
  Position position_;
  bool has_plain_squares_ = false;
  bool has_result_ = false;
  MoveTextReading reading_;
};

MoveTextReading Reader::Read() {
  MoveScanner scanner(text_);
  for (;;) {
    const MoveToken token = scanner.Next();
    if (token.kind == MoveTokenKind::kEnd || EndsAfterResult(token)) {
      break;
    }
    ReadToken(token);
    if (!reading_.status.ok()) {
      break;
    }
  }
  return std::move(reading_);
}

bool Reader::EndsAfterResult(const MoveToken& token) {
  return has_result_ && token.kind == MoveTokenKind::kUnreadable;
}

void Reader::Fail(const MoveToken& token, const std::string& what) {
  const std::string_view part = text_.substr(token.begin, token.end - token.begin);
  reading_.status = absl::InvalidArgumentError("move " + std::to_string(reading_.moves.size() + 1) +
                                               " " + QuotedText(part) + " at " +
                                               PlaceInText(text_, token.begin) + " " + what);
}

void Reader::ReadToken(const MoveToken& token) {
  const bool is_move =
      token.kind == MoveTokenKind::kSymbols || token.kind == MoveTokenKind::kCoordinates;
  if (is_move && has_result_) {
    Fail(token, "stands behind the result of the game");
    return;
  }
  if (is_move && !ResolveFirstMover(token)) {
    return;
  }
  switch (token.kind) {
    case MoveTokenKind::kEnd:
      break;
    case MoveTokenKind::kSymbols:
      PlaySymbols(token);
      break;
    case MoveTokenKind::kCoordinates:
      PlayCoordinates(token);
      break;
    case MoveTokenKind::kResult:
      // In front of the moves it is a title: 红先胜.
      has_result_ = !reading_.moves.empty();
      break;
    case MoveTokenKind::kUnreadable:
      Fail(token, "is unreadable: no move in any notation");
      break;
    case MoveTokenKind::kUnclosedComment:
      Fail(token, "is unreadable: a comment starts here and does not end");
      break;
    case MoveTokenKind::kInvalidUtf8:
      Fail(token, "is unreadable: not UTF-8 (texts in GBK or Big5 must be converted first)");
      break;
  }
}

bool Reader::IsLegalHere(const MoveToken& token) const {
  if (token.kind == MoveTokenKind::kSymbols) {
    return MatchSymbols(position_, token.symbols).fault == MoveFault::kNone;
  }
  const std::optional<Move> move = token.coordinates.ToMove(base_);
  return move && IsLegal(position_, *move);
}

// Dots in the place of Red's move say that Black moves next; in front of the first move they decide
// who begins. A blank column says the same, if the move is Black's only.
bool Reader::ResolveFirstMover(const MoveToken& token) {
  if (position_.side_to_move() == Color::kBlack) {
    return true;
  }
  if (!token.has_ellipsis) {
    const bool may_turn = token.has_blank_column && reading_.moves.empty() &&
                          AttackersOfKing(position_, Color::kRed) == 0 && !IsLegalHere(token);
    if (may_turn) {
      position_.SwitchSide();
      if (IsLegalHere(token)) {
        reading_.start = position_;
      } else {
        position_.SwitchSide();
      }
    }
    return true;
  }
  if (!reading_.moves.empty()) {
    Fail(token, "is unreadable: the dots in front of it (" +
                    PlaceInText(text_, token.ellipsis_begin) +
                    ") say that Black moves, but it is Red's turn");
    return false;
  }
  if (AttackersOfKing(position_, Color::kRed) != 0) {
    Fail(token,
         "is illegal: the dots in front of it say that Black moves first, but Red's king "
         "is attacked, so it is Red's turn");
    return false;
  }
  position_.SwitchSide();
  reading_.start = position_;
  return true;
}

void Reader::Play(Move move) {
  position_.Make(move);
  reading_.moves.push_back(move);
}

void Reader::PlaySymbols(const MoveToken& token) {
  SymbolsMatch match = MatchSymbols(position_, token.symbols);
  if (match.fault != MoveFault::kNone && token.symbols.ordinal_may_be_number) {
    MoveToken shorter = token;
    shorter.begin += token.number_bytes;
    shorter.symbols.ordinal_may_be_number = false;
    shorter.symbols.name.which = Which::kNone;
    shorter.symbols.name.ordinal = 0;
    PlaySymbols(shorter);
    return;
  }
  if (match.fault == MoveFault::kNone) {
    Play(match.move);
    return;
  }
  Fail(token, (match.fault == MoveFault::kAmbiguous ? "is ambiguous: " : "is illegal: ") +
                  WhyIllegal(position_, token.symbols, match));
}

void Reader::PlayCoordinates(const MoveToken& token) {
  has_plain_squares_ |= !token.coordinates.dashed;
  const std::optional<Move> move = token.coordinates.ToMove(base_);
  if (!move) {
    const bool from_zero = token.coordinates.dashed || base_ == RankBase::kZero;
    Fail(token, from_zero ? "is unreadable: ranks are 0 to 9 here"
                          : "is unreadable: ranks are 1 to 10 here");
    return;
  }
  if (!IsLegal(position_, *move)) {
    Fail(token, "is illegal: " + WhyIllegal(position_, *move));
    return;
  }
  Play(*move);
}

// The base that a rank of 0 or 10 anywhere in the text tells.
std::optional<RankBase> BaseToldByText(std::string_view text) {
  MoveScanner scanner(text);
  for (;;) {
    const MoveToken token = scanner.Next();
    switch (token.kind) {
      case MoveTokenKind::kCoordinates:
        if (token.coordinates.dashed) {
          break;
        }
        if (token.coordinates.HasRank(0)) {
          return RankBase::kZero;
        }
        if (token.coordinates.HasRank(10)) {
          return RankBase::kOne;
        }
        break;
      case MoveTokenKind::kSymbols:
      case MoveTokenKind::kResult:
        break;
      default:
        return std::nullopt;
    }
  }
}

}  // namespace

MoveTextReading ReadMoveText(const Position& start, std::string_view text,
                             const MoveTextOptions& options) {
  if (options.rank_base) {
    return Reader(start, text, *options.rank_base).Read();
  }
  Reader from_zero(start, text, RankBase::kZero);
  MoveTextReading reading = from_zero.Read();
  if (reading.status.ok() || !from_zero.has_plain_squares()) {
    return reading;
  }
  const std::optional<RankBase> told = BaseToldByText(text);
  if (told == RankBase::kZero) {
    return reading;
  }
  MoveTextReading other = Reader(start, text, RankBase::kOne).Read();
  // Of two faulty readings the one that got further is the one that was meant.
  const bool is_other = told || other.status.ok() || other.moves.size() > reading.moves.size();
  return is_other ? other : reading;
}

absl::StatusOr<Move> ReadMove(const Position& position, std::string_view text,
                              const MoveTextOptions& options) {
  const MoveTextReading reading = ReadMoveText(position, text, options);
  if (!reading.status.ok()) {
    return reading.status;
  }
  if (reading.moves.size() != 1) {
    return absl::InvalidArgumentError(QuotedText(text) + " holds " +
                                      std::to_string(reading.moves.size()) +
                                      " moves, expected one");
  }
  return reading.moves.front();
}

}  // namespace chuhe
