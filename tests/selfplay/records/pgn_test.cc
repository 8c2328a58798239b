#include <iconv.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/board/fen.h"
#include "engine/rules/notation/notation.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/records/pgn_reader.h"
#include "selfplay/records/pgn_writer.h"
#include "selfplay/records/text_encoding.h"
#include "tests/selfplay/records/random_records.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

std::string Encoded(std::string text, const char* encoding) {
  const iconv_t converter = iconv_open(encoding, "UTF-8");
  std::string bytes(2 * text.size(), '\0');
  char* from = text.data();
  size_t left = text.size();
  char* to = bytes.data();
  size_t room = bytes.size();
  EXPECT_EQ(iconv(converter, &from, &left, &to, &room), 0u) << encoding;
  iconv_close(converter);
  bytes.resize(bytes.size() - room);
  return bytes;
}

std::string Uci(const PgnGame& game) { return WriteMoves(game.start, game.moves, Notation::kUci); }

TEST(TextEncodingTest, TellsEncodingsApart) {
  const std::string simplified = "[Red \"许银川\"]\n1. 炮二平五 马８进７ 2. 马二进三 车９平８\n";
  const std::string traditional = "[Red \"許銀川\"]\n1. 炮二平五 馬８進７ 2. 馬二進三 車９平８\n";
  EXPECT_EQ(ToUtf8(simplified), simplified);
  EXPECT_EQ(ToUtf8("\xef\xbb\xbf" + simplified), simplified);
  EXPECT_EQ(ToUtf8(Encoded(simplified, "GB18030")), simplified);
  EXPECT_EQ(ToUtf8(Encoded(traditional, "BIG5")), traditional);
  EXPECT_EQ(ToUtf8("\xff\xfe" + Encoded(traditional, "UTF-16LE")), traditional);
  EXPECT_EQ(ToUtf8(""), "");
}

TEST(TextEncodingTest, MarksBytesThatMeanNothing) {
  EXPECT_THAT(ToUtf8("a\xff"
                     "b"),
              HasSubstr("\xef\xbf\xbd"));
}

struct PgnCase {
  const char* what;
  std::string text;
  std::string moves;
  Outcome outcome;
};

TEST(PgnReaderTest, ReadsGamesAsTheyAreFound) {
  const std::vector<PgnCase> cases = {
      {"ICCS", "[Result \"1-0\"]\n\n1. H2-E2 H9-G7\n1-0\n", "h2e2 h9g7", Outcome::kBlackLoses},
      {"WXF, no tags", "1. C2.5 H8+7 2. H2+3 *", "h2e2 h9g7 h0g2", Outcome::kUndecided},
      {"Chinese result", "[Result \"红胜\"]\n1.炮二平五 马8进7", "h2e2 h9g7", Outcome::kBlackLoses},
      {"result of the moves alone", "1.炮二平五 马8进7 和棋", "h2e2 h9g7", Outcome::kDraw},
      {"advertisement behind", "[Event \"x\"]\n1. H2-E2\n0-1\n=====\nwww.example.org 炮\n", "h2e2",
       Outcome::kRedLoses},
      {"line ends of all kinds", "[Event \"x\"]\r\r\n1. H2-E2\r\r\n\f H9-G7\r\r\n", "h2e2 h9g7",
       Outcome::kUndecided},
      {"CR alone", "[Event \"x\"]\r1. H2-E2\rH9-G7\r", "h2e2 h9g7", Outcome::kUndecided},
      {"comments", "1. H2-E2 {[Red \"x\"] good} H9-G7 (bad)", "h2e2 h9g7", Outcome::kUndecided},
      {"Black first", "1. ... 炮８平５ 2. 马二进三", "h7e7 h0g2", Outcome::kUndecided},
      {"wrong side in the FEN",
       "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1\"]\n"
       "1. H2-E2 H9-G7",
       "h2e2 h9g7", Outcome::kUndecided},
  };
  for (const PgnCase& one : cases) {
    const std::vector<PgnGame> games = ParsePgn(one.text);
    ASSERT_EQ(games.size(), 1u) << one.what;
    EXPECT_TRUE(games[0].status.ok()) << one.what << ": " << games[0].status;
    EXPECT_EQ(Uci(games[0]), one.moves) << one.what;
    EXPECT_EQ(games[0].outcome, one.outcome) << one.what;
  }
}

TEST(PgnReaderTest, SaysWhatIsWrongAndKeepsTheMovesBeforeIt) {
  const std::vector<PgnGame> games = ParsePgn(
      "[Event \"one\"]\n1. H2-E2 H2-H9 2. H0-G2\n\n"
      "[Event \"two\"]\n[FEN \"9/9/9/9/9/9/9/9/9/4K4 w - - 0 1\"]\n1. H2-E2\n\n"
      "[Event \"three\"]\n\n*\n\n"
      "[Event \"four\"]\n1. H2-E2\n");
  ASSERT_EQ(games.size(), 4u);
  EXPECT_EQ(Uci(games[0]), "h2e2");
  EXPECT_THAT(std::string(games[0].status.message()), HasSubstr("H2-H9"));
  EXPECT_THAT(std::string(games[1].status.message()), HasSubstr("no black king"));
  EXPECT_EQ(games[1].line, 4);
  EXPECT_TRUE(games[2].status.ok());
  EXPECT_TRUE(games[2].moves.empty());
  EXPECT_EQ(games[3].Tag("EVENT"), "four");
}

TEST(PgnReaderTest, RecordsSkipBadGamesAndNameTheFirst) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("a.pgn");
  std::ofstream(path) << "[Event \"one\"]\n1. A0-A9\n[Event \"two\"]\n1. H2-E2 1-0\n"
                         "[Event \"three\"]\n*\n";
  const auto collection = ReadPgnRecords(path);
  ASSERT_TRUE(collection.ok()) << collection.status();
  ASSERT_EQ(collection->games.size(), 1u);
  EXPECT_EQ(collection->games[0].outcome, Outcome::kBlackLoses);
  EXPECT_EQ(collection->skipped, 2);
  EXPECT_THAT(collection->first_problem, HasSubstr("a.pgn:1: "));
}

TEST(PgnWriterTest, WhatIsWrittenIsReadBack) {
  for (const Notation notation :
       {Notation::kIccs, Notation::kWxf, Notation::kChinese, Notation::kTraditional}) {
    std::string text;
    for (uint64_t seed = 0; seed < 5; ++seed) {
      text += WritePgn(PgnOf(testing::RandomRecord(seed)), notation);
    }
    const std::vector<PgnGame> games = ParsePgn(text);
    ASSERT_EQ(games.size(), 5u);
    for (uint64_t seed = 0; seed < 5; ++seed) {
      const GameRecord record = testing::RandomRecord(seed);
      EXPECT_TRUE(games[seed].status.ok()) << games[seed].status;
      EXPECT_EQ(games[seed].moves, PgnOf(record).moves);
      EXPECT_EQ(games[seed].outcome, record.outcome);
      EXPECT_EQ(games[seed].Tag("Round"), std::to_string(seed));
    }
  }
}

TEST(PgnWriterTest, KeepsTheStartAndMakesCommentsHarmless) {
  PgnGame game;
  const auto fen = ParseFen("3k5/9/9/9/9/9/9/4R4/4A4/4K4 b - - 7 1");
  ASSERT_TRUE(fen.ok()) << fen.status();
  game.start = fen->position;
  game.start_no_capture_plies = fen->halfmove;
  game.tags = {{"Event", "a \"quoted\" one\n[Red \"x\"]"}, {"Result", "1-0"}, {"Black", "B\\"}};
  game.moves = {Move(84, 75)};
  game.comments = {"a } b { c"};
  const std::vector<PgnGame> again = ParsePgn(WritePgn(game, Notation::kIccs));
  ASSERT_EQ(again.size(), 1u);
  EXPECT_TRUE(again[0].status.ok()) << again[0].status;
  EXPECT_EQ(again[0].start, game.start);
  EXPECT_EQ(again[0].start_no_capture_plies, 7);
  EXPECT_EQ(again[0].moves, game.moves);
  EXPECT_EQ(again[0].Tag("Result"), "*");
  EXPECT_EQ(again[0].Tag("Red"), "");
  EXPECT_EQ(again[0].Tag("Black"), "B\\");
}

TEST(PgnReaderTest, ReadsTheSharedSamples) {
  const char* const shared = std::getenv("CHUHE_SHARED");
  if (shared == nullptr) GTEST_SKIP() << "CHUHE_SHARED is not set";
  const std::string folder = std::string(shared) + "/samples/pgn/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  const struct {
    const char* name;
    size_t moves;
    const char* fault;  // empty: none
  } kSamples[] = {
      {"ccgc-01-gbk.pgn", 26, ""},
      {"ccpd-no-black-king-big5.pgn", 0, "king"},
      {"ccpd-no-red-king-big5.pgn", 0, "king"},
      {"ccpd-normal-big5.pgn", 211, ""},
      {"ccpd-self-check-move-big5.pgn", 71, "attack"},
      {"ccpd-three-pawns-rear-big5.pgn", 186, ""},
      {"walker-cannon-opening.pgn", 23, ""},
      {"walker-endgame.pgn", 25, ""},
      {"walker-test2.pgn", 102, ""},
      {"wukong-fullwidth-wxf.pgn", 95, ""},
      {"xqtools-sample-gbk.pgn", 75, ""},
  };
  for (const auto& sample : kSamples) {
    const auto games = ReadPgn(folder + sample.name);
    ASSERT_TRUE(games.ok()) << games.status();
    ASSERT_FALSE(games->empty()) << sample.name;
    const PgnGame& game = games->front();
    EXPECT_EQ(games->size(), 1u) << sample.name;
    EXPECT_EQ(game.moves.size(), sample.moves) << sample.name << ": " << game.status;
    EXPECT_EQ(game.status.ok(), *sample.fault == '\0') << sample.name << ": " << game.status;
    EXPECT_THAT(std::string(game.status.message()), HasSubstr(sample.fault)) << sample.name;
  }
}

}  // namespace
}  // namespace chuhe
