// All real games, read and written in every notation.
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/notation/move_text.h"
#include "engine/rules/notation/notation.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/notation/reading.h"
#include "tests/engine/rules/notation/shared_files.h"

namespace chuhe {
namespace {

// id, result, start, moves, category.
TEST(GamesSlowTest, EveryGameReadsAndReadsBackInEveryNotation) {
  if (!SharedFolder()) {
    GTEST_SKIP() << "CHUHE_SHARED is not set";
  }
  const std::string file = ReadSharedFile(*SharedFolder() + "/data/ccpd-games.tsv.zst");
  std::string_view text = file;
  NextLine(&text);
  int games = 0;
  size_t plies = 0;
  while (!text.empty()) {
    const std::vector<std::string_view> fields = Fields(NextLine(&text));
    ASSERT_EQ(fields.size(), 5u);
    const Position start =
        fields[2] == "startpos" ? Position::Start() : PositionOf(std::string(fields[2]));
    const MoveTextReading game = ReadMoveText(start, fields[3]);
    ASSERT_TRUE(game.status.ok()) << fields[0] << ": " << game.status;
    for (const Notation notation : {Notation::kIccs, Notation::kUci, Notation::kFairy,
                                    Notation::kWxf, Notation::kChinese, Notation::kTraditional}) {
      const std::string written = WriteMoves(start, game.moves, notation);
      // A few games stay legal to their end in both countings of ranks, so ours must be said.
      const MoveTextOptions options = {.rank_base = notation == Notation::kFairy ? RankBase::kOne
                                                                                 : RankBase::kZero};
      const MoveTextReading again = ReadMoveText(start, written, options);
      ASSERT_TRUE(again.status.ok()) << fields[0] << ": " << again.status;
      ASSERT_EQ(again.moves, game.moves) << fields[0] << ": " << written;
    }
    ++games;
    plies += game.moves.size();
  }
  EXPECT_EQ(games, 27958);
  EXPECT_EQ(plies, 2264623u);
}

}  // namespace
}  // namespace chuhe
