#include "engine/protocol/reply_text.h"

#include <string>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

constexpr Move kCannonMiddle(MakeSquare(7, 2), MakeSquare(4, 2));  // h2e2
constexpr Move kRookDown(MakeSquare(0, 9), MakeSquare(0, 8));      // a9a8
constexpr ReplyStyle kUci = {.dialect = Dialect::kUci};
constexpr ReplyStyle kFairy = {.dialect = Dialect::kUci, .squares = RankBase::kOne};
constexpr ReplyStyle kUcci = {.dialect = Dialect::kUcci};

SearchProgress Progress(const Score& score) {
  SearchLine line{.depth = 4,
                  .selective_depth = 9,
                  .score = score,
                  .wdl = {{500, 300, 200}},
                  .moves = {kCannonMiddle, kRookDown}};
  return {.lines = {line}, .nodes = 3000, .time_ms = 2, .hash_permille = 11};
}

TEST(ReplyTextTest, InfoOfUciHasScoreWithItsKind) {
  EXPECT_EQ(InfoLines(kUci, Progress({.centipawns = -35, .mate_in = {}})),
            "info depth 4 seldepth 9 multipv 1 score cp -35 nodes 3000 nps 1500000 hashfull 11 "
            "time 2 pv h2e2 a9a8");
  EXPECT_NE(
      InfoLines(kFairy, Progress({.centipawns = 0, .mate_in = -2})).find(" score mate -2 nodes"),
      std::string::npos);
}

TEST(ReplyTextTest, ChancesAreShownWhenAskedFor) {
  ReplyStyle style = kUci;
  style.show_wdl = true;
  EXPECT_NE(InfoLines(style, Progress({.centipawns = 80, .mate_in = {}}))
                .find(" score cp 80 wdl 500 300 200 nodes"),
            std::string::npos);
}

TEST(ReplyTextTest, InfoOfUcciHasABareNumber) {
  EXPECT_NE(InfoLines(kUcci, Progress({.centipawns = 400, .mate_in = {}}))
                .find(" score 100 nodes 3000 nps 1500000"),
            std::string::npos);
}

TEST(ReplyTextTest, SquaresAreThoseOfTheDialect) {
  EXPECT_TRUE(InfoLines(kFairy, Progress({})).ends_with(" pv h3e3 a10a9"));
  EXPECT_EQ(BestMoveLine(kFairy, kRookDown, kCannonMiddle, MoveRemark::kNone),
            "bestmove a10a9 ponder h3e3");
}

TEST(ReplyTextTest, EachLineHasItsNumber) {
  SearchProgress progress = Progress({});
  progress.lines.push_back(progress.lines[0]);
  progress.time_ms = 0;
  const std::string lines = InfoLines(kUci, progress);
  EXPECT_NE(lines.find("\ninfo depth 4 seldepth 9 multipv 2 "), std::string::npos) << lines;
  EXPECT_NE(lines.find(" nps 3000000 "), std::string::npos) << lines;
}

TEST(ReplyTextTest, PointsOfUcciPutMatesBeyondEverything) {
  EXPECT_EQ(UcciPoints({.centipawns = 900, .mate_in = {}}), 225);
  EXPECT_EQ(UcciPoints({.centipawns = 0, .mate_in = 1}), 29999);
  EXPECT_EQ(UcciPoints({.centipawns = 0, .mate_in = 3}), 29995);
  EXPECT_EQ(UcciPoints({.centipawns = 0, .mate_in = -1}), -29998);
}

TEST(ReplyTextTest, WhatIsStoredIsAValueOrAProvenBound) {
  EXPECT_EQ(StoredLine(kUcci, std::nullopt), "pophash");
  const struct {
    StoredPosition stored;
    const char* line;
  } kCases[] = {
      {{.best_move = kCannonMiddle, .score = {.centipawns = -400, .mate_in = {}}, .depth = 5},
       "pophash bestmove h2e2 lowerbound -100 depth 5 upperbound -100 depth 5"},
      {{.best_move = Move(), .score = {.centipawns = 8, .mate_in = {}}, .depth = 0},
       "pophash lowerbound 2 depth 0 upperbound 2 depth 0"},
      // A quicker mate is not excluded, a slower one is.
      {{.best_move = kCannonMiddle, .score = {.centipawns = 9000, .mate_in = 3}, .depth = 5},
       "pophash bestmove h2e2 lowerbound 29995 depth 5"},
      {{.best_move = kRookDown, .score = {.centipawns = -9000, .mate_in = -2}, .depth = 4},
       "pophash bestmove a9a8 upperbound -29996 depth 4"},
      {{.best_move = Move(), .score = {.centipawns = -9000, .mate_in = 0}, .depth = 0},
       "pophash upperbound -30000 depth 0"},
  };
  for (const auto& c : kCases) EXPECT_EQ(StoredLine(kUcci, c.stored), c.line);
}

TEST(ReplyTextTest, RemarksAreForUcciAlone) {
  EXPECT_EQ(BestMoveLine(kUcci, kCannonMiddle, Move(), MoveRemark::kAcceptDraw),
            "bestmove h2e2 draw");
  EXPECT_EQ(BestMoveLine(kUcci, kCannonMiddle, kRookDown, MoveRemark::kResign),
            "bestmove h2e2 ponder a9a8 resign");
  EXPECT_EQ(BestMoveLine(kUci, kCannonMiddle, Move(), MoveRemark::kAcceptDraw), "bestmove h2e2");
  EXPECT_EQ(NoMoveLine(Dialect::kUci), "bestmove (none)");
  EXPECT_EQ(NoMoveLine(Dialect::kUcci), "nobestmove");
}

TEST(ReplyTextTest, MessagesAreAsciiOnOneLineWithoutTheWordsThatGuisLookFor) {
  EXPECT_EQ(MessageLine(Dialect::kUci, "all\nis\twell"), "info string all is well");
  EXPECT_EQ(MessageLine(Dialect::kUcci, "file 象棋.dat\x01\xff"), "info message file ??.dat??");
  EXPECT_EQ(MessageLine(Dialect::kUcci, "Withdraw? RESIGN! nobestmove Drawn"),
            "info message With****? ******! no******** ****n");
}

}  // namespace
}  // namespace chuhe
