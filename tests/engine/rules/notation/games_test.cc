// Real games and moves as their records write them.
#include <string>
#include <string_view>

#include "engine/board/fen.h"
#include "engine/rules/notation/move_text.h"
#include "engine/rules/notation/notation.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/notation/reading.h"
#include "tests/engine/rules/notation/shared_files.h"

namespace chuhe {
namespace {

// The data set's own writing of moves, in traditional characters: what we read, and what we write.
TEST(GamesTest, AgreesWithMovesOfRecords) {
  if (!SharedFolder()) {
    GTEST_SKIP() << "CHUHE_SHARED is not set";
  }
  const std::string file =
      ReadSharedFile(*SharedFolder() + "/samples/misc/ccpd-chinese-to-iccs.tsv");
  std::string_view text = file;
  NextLine(&text);
  int rows = 0;
  for (; !text.empty(); ++rows) {
    const std::vector<std::string_view> fields = Fields(NextLine(&text));
    ASSERT_EQ(fields.size(), 3u);
    const std::string fen(fields[0]);
    EXPECT_EQ(Read(fen, fields[1]), fields[2]) << fen << ": " << fields[1];
    EXPECT_EQ(Written(fen, fields[2], Notation::kTraditional), fields[1]) << fen;
  }
  EXPECT_EQ(rows, 323);
}

// Source, result, FEN, moves.
TEST(GamesTest, AgreesWithGamesOfRecords) {
  if (!SharedFolder()) {
    GTEST_SKIP() << "CHUHE_SHARED is not set";
  }
  const std::string file = ReadSharedFile(*SharedFolder() + "/samples/misc/ccpd-games-iccs.tsv");
  std::string_view text = file;
  NextLine(&text);
  int rows = 0;
  for (; !text.empty(); ++rows) {
    const std::vector<std::string_view> fields = Fields(NextLine(&text));
    ASSERT_EQ(fields.size(), 4u);
    const std::string fen(fields[2]);
    EXPECT_EQ(Read(fen, fields[3]), fields[3]);
    const MoveTextReading game = ReadMoveText(PositionOf(fen), fields[3]);
    const std::string chinese = WriteMoves(game.start, game.moves, Notation::kChinese);
    EXPECT_EQ(Read(fen, chinese), fields[3]);
  }
  EXPECT_EQ(rows, 290);
}

}  // namespace
}  // namespace chuhe
