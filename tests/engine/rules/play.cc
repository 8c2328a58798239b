#include "tests/engine/rules/play.h"

#include <optional>
#include <sstream>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/coordinates.h"
#include "gtest/gtest.h"

namespace chuhe {

Game PlayGame(std::string_view fen, std::string_view moves, RuleSet rules) {
  const auto record = ParseFen({fen.data(), fen.size()});
  EXPECT_TRUE(record.ok()) << record.status();
  if (!record.ok()) return Game(Position::Start());
  Game game(record->position, {.rules = rules, .no_capture_plies = record->halfmove});
  std::istringstream words{std::string(moves)};
  for (std::string word; words >> word;) {
    const std::optional<Move> move = ParseUci(word);
    const bool is_legal = move.has_value() && IsLegal(game.position(), *move);
    EXPECT_TRUE(is_legal) << word << " in " << FormatFen(game.position());
    if (!is_legal) break;
    game.Make(*move);
  }
  return game;
}

std::string JudgedText(const Game& game) { return Describe(game.Adjudicate(), game.position()); }

}  // namespace chuhe
