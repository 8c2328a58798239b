// Whole games, searched position after position as GUIs do that analyse a recorded game: forwards,
// backwards and by leaps, with the game told from its start or from its last capture.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/random.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/game.h"
#include "engine/rules/notation/coordinates.h"
#include "gtest/gtest.h"
#include "tests/engine/protocol/chat.h"
#include "tests/engine/protocol/tree_factory.h"

namespace chuhe {
namespace {

constexpr int kPlies = 60;
constexpr int kNodes = 400;

// Captures where there are some, so that games begin anew and end.
Game RandomGame(Random* random) {
  Game game(Position::Start());
  while (game.plies() < kPlies && game.Adjudicate().outcome == Outcome::kUndecided) {
    MoveList moves;
    GenerateLegal(game.position(), &moves);
    Move move = moves[static_cast<int>(random->Below(static_cast<uint64_t>(moves.size)))];
    for (int i = 0; i < 3; ++i) {
      if (game.position().unit_at(move.to()) != kNoUnit) break;
      move = moves[static_cast<int>(random->Below(static_cast<uint64_t>(moves.size)))];
    }
    game.Make(move);
  }
  return game;
}

// The `position` command for the game after so many plies; from its last capture on, or all of it.
std::string PositionLine(const Game& game, int plies, bool from_capture) {
  int first = 0;
  for (int ply = 1; from_capture && ply <= plies; ++ply) {
    if (game.was_capture(ply)) first = ply;
  }
  std::string line = absl::StrCat("position fen ", FormatFen(game.PositionAt(first)), " moves");
  for (int ply = first + 1; ply <= plies; ++ply) {
    absl::StrAppend(&line, " ", FormatUci(game.move(ply)));
  }
  return line;
}

class ReplayTest : public ::testing::TestWithParam<size_t> {
 protected:
  // What is said about a position holds there.
  void ExpectSoundAnswer(const Position& position) {
    chat_.Send(absl::StrCat("go nodes ", kNodes));
    std::string last_line;
    std::string best;
    while (best.empty()) {
      const std::string line = chat_.Expect("");
      ASSERT_FALSE(line.empty());
      if (line.starts_with("info depth ")) last_line = line;
      if (line.starts_with("bestmove ")) best = line;
    }
    const std::vector<std::string> info = absl::StrSplit(last_line, ' ');
    const auto behind = [&](const char* word) {
      const auto at = std::find(info.begin(), info.end(), word);
      return at == info.end() ? info.end() : at + 1;
    };
    ASSERT_NE(behind("hashfull"), info.end()) << last_line;
    EXPECT_LE(std::stoi(*behind("hashfull")), 1000) << last_line;
    EXPECT_LE(std::abs(std::stoi(*behind("score"))), 30000) << last_line;
    ASSERT_NE(behind("pv"), info.end()) << last_line;
    Position board = position;
    for (auto word = behind("pv"); word != info.end(); ++word) {
      const auto move = ParseUci(*word);
      ASSERT_TRUE(move.has_value() && IsLegal(board, *move)) << last_line << " at " << *word;
      board.Make(*move);
    }
    EXPECT_TRUE(best.starts_with(absl::StrCat("bestmove ", *behind("pv")))) << best;
  }

  Chat chat_{TreeFactory("one", {.batch_size = 4, .max_tree_bytes = GetParam()})};
};

TEST_P(ReplayTest, EveryPositionOfAGameIsAnsweredSoundly) {
  Random random(21);
  chat_.Send("ucci");
  chat_.Expect("ucciok");
  for (int round = 0; round < 3; ++round) {
    const Game game = RandomGame(&random);
    const bool from_capture = round % 2 == 1;
    std::vector<int> order;
    for (int ply = 0; ply < game.plies(); ++ply) order.push_back(ply);
    for (int ply = game.plies(); ply-- > game.plies() / 2;) order.push_back(ply);
    for (int i = 0; i < 10; ++i) {
      order.push_back(static_cast<int>(random.Below(static_cast<uint64_t>(game.plies()))));
    }
    for (const int ply : order) {
      chat_.Send(PositionLine(game, ply, from_capture));
      ExpectSoundAnswer(game.PositionAt(ply));
      if (HasFatalFailure()) return;
    }
  }
}

// Enough for all of it; and so little that it is recycled all the time.
INSTANTIATE_TEST_SUITE_P(Memory, ReplayTest, ::testing::Values(size_t{64} << 20, Tree::kMinBytes));

}  // namespace
}  // namespace chuhe
