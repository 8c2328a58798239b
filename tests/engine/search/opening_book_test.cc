#include "engine/search/opening_book.h"

#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "engine/board/fen.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/search/book_searcher.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void AppendNumber(uint32_t value, int bytes, std::string* text) {
  for (int i = 0; i < bytes; ++i) text->push_back(static_cast<char>(value >> (8 * i) & 255));
}

// A record of the format: `h2e2` is from row 7 + 3, file 7 + 3 to file 4 + 3.
std::string RecordOf(uint32_t key, const std::string& uci, int weight) {
  const auto square = [&uci](size_t at) {
    return static_cast<uint32_t>((9 - (uci[at + 1] - '0') + 3) * 16 + (uci[at] - 'a') + 3);
  };
  std::string record;
  AppendNumber(key, 4, &record);
  AppendNumber(square(0) | square(2) << 8, 2, &record);
  AppendNumber(static_cast<uint32_t>(weight), 2, &record);
  return record;
}

std::vector<std::string> MovesIn(const OpeningBook& book, const Position& position) {
  std::vector<std::string> moves;
  for (const BookMove& move : book.MovesOf(position)) moves.push_back(FormatUci(move.move));
  return moves;
}

// Not its own mirror image, unlike the start.
Game SecondMove() {
  Game game(Position::Start());
  for (const char* move : {"h2e2", "h9g7"}) game.Make(*ParseUci(move));
  return game;
}

TEST(OpeningBookTest, FindsMovesHeaviestFirst) {
  const Position position = SecondMove().position();
  const uint32_t key = BookKey(position, false);
  const auto book = OpeningBook::Parse(
      RecordOf(key, "g3g4", 5) + RecordOf(key, "h0g2", 9) + RecordOf(key, "b2b9", 2), "small");
  ASSERT_TRUE(book.ok()) << book.status();
  EXPECT_THAT(MovesIn(*book, position), ElementsAre("h0g2", "g3g4", "b2b9"));
}

TEST(OpeningBookTest, MovesOfASymmetricPositionComeWithTheirImages) {
  const Position start = Position::Start();
  const auto book = OpeningBook::Parse(RecordOf(BookKey(start, false), "h2e2", 1), "small");
  ASSERT_TRUE(book.ok());
  EXPECT_THAT(MovesIn(*book, start), ElementsAre("h2e2", "b2e2"));
}

TEST(OpeningBookTest, FindsTheMirrorImageAndTurnsItsMovesBack) {
  Position position = Position::Start();
  position.Make(*ParseUci("h2e2"));
  const uint32_t key = BookKey(position, true);
  ASSERT_NE(key, BookKey(position, false));
  const auto book = OpeningBook::Parse(RecordOf(key, "b9c7", 1), "small");
  ASSERT_TRUE(book.ok());
  EXPECT_THAT(MovesIn(*book, position), ElementsAre("h9g7"));
}

TEST(OpeningBookTest, IllegalMovesAndMovesOffTheBoardAreNotPlayed) {
  const Position position = SecondMove().position();
  const uint32_t key = BookKey(position, false);
  std::string off_board;
  AppendNumber(key, 4, &off_board);
  AppendNumber(0xff00, 2, &off_board);
  AppendNumber(3, 2, &off_board);
  const auto book = OpeningBook::Parse(
      RecordOf(key, "b2b5", 3) + RecordOf(key, "a0a5", 4) + RecordOf(key, "e0e2", 9) + off_board,
      "small");
  ASSERT_TRUE(book.ok());
  EXPECT_THAT(MovesIn(*book, position), ElementsAre("b2b5"));
}

TEST(OpeningBookTest, SideToMoveMatters) {
  Position start = Position::Start();
  const auto book = OpeningBook::Parse(RecordOf(BookKey(start, false), "h2e2", 1), "small");
  start.SwitchSide();
  EXPECT_TRUE(book->MovesOf(start).empty());
}

TEST(OpeningBookTest, DamagedFilesAreRefusedWithTheirName) {
  EXPECT_THAT(OpeningBook::Parse("", "empty.dat").status().message(), HasSubstr("empty.dat"));
  EXPECT_THAT(OpeningBook::Parse("1234567", "cut.dat").status().message(),
              HasSubstr("records of 8 bytes"));
  EXPECT_THAT(OpeningBook::Parse(RecordOf(9, "h2e2", 1) + RecordOf(8, "h2e2", 1), "b.dat")
                  .status()
                  .message(),
              HasSubstr("record 2 is out of order"));
  EXPECT_EQ(OpeningBook::Read("no such file.dat").status().code(), absl::StatusCode::kNotFound);
  EXPECT_NE(std::string(OpeningBook::Read("/").status().message()).find("a folder"),
            std::string::npos);
}

TEST(OpeningBookTest, ReadsARealBook) {
  const char* const shared = std::getenv("CHUHE_SHARED");
  if (shared == nullptr) GTEST_SKIP() << "CHUHE_SHARED is not set";
  const auto book = OpeningBook::Read(std::string(shared) + "/samples/misc/eleeye-book.dat");
  ASSERT_TRUE(book.ok()) << book.status();
  EXPECT_EQ(book->size(), 12081u);
  const std::vector<BookMove> moves = book->MovesOf(Position::Start());
  EXPECT_EQ(moves.size(), 16u);
  std::set<uint16_t> distinct;
  for (const BookMove& move : moves) {
    distinct.insert(move.move.bits());
    const Move image(Mirrored(move.move.from()), Mirrored(move.move.to()));
    const auto is_image = [image](const BookMove& other) { return other.move == image; };
    EXPECT_TRUE(std::any_of(moves.begin(), moves.end(), is_image));
  }
  EXPECT_EQ(distinct.size(), 16u);
}

// Says which search it was asked for, and plays a3a4.
class CountingSearcher : public Searcher {
 public:
  explicit CountingSearcher(int* searches) : searches_(searches) {}
  void SetGame(const Game&) override {}
  void Clear() override {}
  SearchResult Search(const SearchLimits&, const SearchSignal&, const ProgressSink&) override {
    ++*searches_;
    SearchResult result;
    result.best_move = *ParseUci("a3a4");
    return result;
  }

 private:
  int* searches_;
};

class BookSearcherTest : public ::testing::Test {
 protected:
  BookSearcherTest() {
    const uint32_t key = BookKey(SecondMove().position(), false);
    auto book = OpeningBook::Parse(RecordOf(key, "h0g2", 3) + RecordOf(key, "g3g4", 1), "small");
    searcher_ = std::make_unique<BookSearcher>(*std::move(book), 7,
                                               std::make_unique<CountingSearcher>(&searches_));
  }
  std::string MoveOf(const Game& game, const SearchLimits& limits) {
    searcher_->SetGame(game);
    return FormatUci(searcher_->Search(limits, signal_, nullptr).best_move);
  }

  int searches_ = 0;
  SearchSignal signal_;
  std::unique_ptr<BookSearcher> searcher_;
};

TEST_F(BookSearcherTest, DrawsByWeightWithoutSearching) {
  int heavy = 0;
  int light = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string move = MoveOf(SecondMove(), {.depth = 1});
    heavy += move == "h0g2";
    light += move == "g3g4";
  }
  EXPECT_EQ(heavy + light, 400);
  EXPECT_EQ(searches_, 0);
  EXPECT_NEAR(heavy, 300, 45);  // five standard deviations
}

TEST_F(BookSearcherTest, UnknownPositionsAndAnalysisAreSearched) {
  Game game = SecondMove();
  EXPECT_EQ(MoveOf(game, {.infinite = true}), "a3a4");
  EXPECT_EQ(MoveOf(game, {.depth = 1, .multipv = 2}), "a3a4");
  EXPECT_EQ(MoveOf(game, {.depth = 1, .banned_moves = {*ParseUci("h0g2")}}), "a3a4");
  game.Make(*ParseUci("a3a4"));
  MoveOf(game, {.depth = 1});
  EXPECT_EQ(searches_, 4);
}

}  // namespace
}  // namespace chuhe
