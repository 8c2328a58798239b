#include "selfplay/records/pgn_writer.h"

#include <array>
#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/board/fen.h"

namespace chuhe {
namespace {

constexpr size_t kWidth = 80;

void AddTag(absl::string_view name, absl::string_view value, std::string* pgn) {
  const std::string quoted =
      absl::StrReplaceAll(value, {{"\"", "'"}, {"\\", "\\\\"}, {"\n", " "}, {"\r", " "}});
  absl::StrAppend(pgn, "[", name, " \"", quoted, "\"]\n");
}

absl::string_view FormatName(Notation notation) {
  if (notation == Notation::kIccs) return "ICCS";
  return notation == Notation::kWxf ? "WXF" : "Chinese";
}

bool IsDecidedByGame(absl::string_view tag) {
  constexpr std::array<absl::string_view, 5> kTags = {"Game", "Result", "FEN", "Format",
                                                      "PlyCount"};
  for (const absl::string_view decided : kTags) {
    if (absl::EqualsIgnoreCase(tag, decided)) return true;
  }
  return false;
}

// Breaks lines between words.
class Wrapped {
 public:
  void Add(absl::string_view word) {
    if (column_ > 0 && column_ + 1 + word.size() > kWidth) {
      text_.push_back('\n');
      column_ = 0;
    } else if (column_ > 0) {
      text_.push_back(' ');
      ++column_;
    }
    text_.append(word.data(), word.size());
    column_ += word.size();
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  size_t column_ = 0;
};

// A brace inside would end the comment early.
std::string Commented(absl::string_view comment) {
  return absl::StrCat("{", absl::StrReplaceAll(comment, {{"{", "("}, {"}", ")"}, {"\n", " "}}),
                      "}");
}

std::string MoveText(const PgnGame& game, Notation notation) {
  Position position = game.start;
  Wrapped text;
  int number = 1;
  bool needs_number = true;
  for (size_t i = 0; i < game.moves.size(); ++i) {
    const bool is_red = position.side_to_move() == Color::kRed;
    if (is_red) text.Add(absl::StrCat(number, "."));
    if (!is_red && needs_number) text.Add(absl::StrCat(number, "..."));
    text.Add(WriteMove(position, game.moves[i], notation));
    const bool has_comment = i < game.comments.size() && !game.comments[i].empty();
    if (has_comment) text.Add(Commented(game.comments[i]));
    needs_number = is_red && has_comment;
    if (!is_red) ++number;
    position.Make(game.moves[i]);
  }
  text.Add(ResultText(game.outcome));
  return text.text();
}

}  // namespace

std::string WritePgn(const PgnGame& game, Notation notation) {
  std::string pgn;
  AddTag("Game", "Chinese Chess", &pgn);
  for (const auto& [name, value] : game.tags) {
    if (!IsDecidedByGame(name)) AddTag(name, value, &pgn);
  }
  AddTag("Result", ResultText(game.outcome), &pgn);
  if (!(game.start == Position::Start()) || game.start_no_capture_plies != 0) {
    AddTag("FEN", FormatFen(game.start, game.start_no_capture_plies), &pgn);
  }
  AddTag("Format", FormatName(notation), &pgn);
  AddTag("PlyCount", absl::StrCat(game.moves.size()), &pgn);
  return absl::StrCat(pgn, "\n", MoveText(game, notation), "\n\n");
}

}  // namespace chuhe
