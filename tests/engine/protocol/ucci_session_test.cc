// UCCI, as GUIs and match runners speak it.
#include <string>
#include <vector>

#include "engine/rules/notation/coordinates.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/protocol/session_fixture.h"

namespace chuhe {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kStart[] = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
constexpr char kStalemated[] = "3k5/8R/9/9/9/9/9/9/9/4K4 b - - 0 1";

class UcciSessionTest : public SessionTest {
 protected:
  UcciSessionTest() : SessionTest("ucci") {}
};

TEST_F(UcciSessionTest, HandshakeNamesTheEngineAndItsOptions) {
  chat_.Send("quit");
  const std::vector<std::string> lines = chat_.Finish();
  EXPECT_EQ(lines[0], "id name Chuhe 1.2");
  EXPECT_EQ(lines[1], "id version 1.2");
  EXPECT_EQ(lines[2], "id author the Chuhe developers");
  EXPECT_THAT(lines, Contains("option usemillisec type check default false"));
  EXPECT_EQ(Count(lines, "ucciok"), 1);
  EXPECT_EQ(lines.back(), "bye");
}

TEST_F(UcciSessionTest, PlaysFromTheStartAndFromMoves) {
  EXPECT_EQ(Go("go depth 4"), "bestmove e0e1 ponder e9e8");
  chat_.Send("position startpos moves");
  EXPECT_EQ(Go("go depth 4"), "bestmove e0e1 ponder e9e8");
  EXPECT_EQ(LastCall().limits.depth, 4);
  chat_.Send("position startpos moves h2e2 h9g7");
  Go("go depth 4");
  EXPECT_EQ(LastCall().plies, 2);
  EXPECT_THAT(LastCall().fen, HasSubstr("rnbakab1r/9/1c4nc1/"));
}

TEST_F(UcciSessionTest, InfoHasABareScore) {
  Go("go depth 4");
  const std::vector<std::string> lines = chat_.Finish();
  EXPECT_THAT(lines, Contains("info depth 3 seldepth 5 multipv 1 score 10 nodes 4000 nps 2000000 "
                              "hashfull 7 time 2 pv e0e1 e9e8"));
}

TEST_F(UcciSessionTest, FenOfAnyFormIsTaken) {
  const std::string board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
  const std::string letters = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNEAKAEHR";
  for (const std::string& command :
       {"position fen " + board + " w -- 0 1  moves ", "fen " + board + " r moves",
        "position fen " + board, "position fen " + letters + " R - - 0 0 moves \r",
        "FEN\t" + board + "  W  0 1", "position " + board + " w - - 0 1"}) {
    chat_.Send("position fen 4k4/9/9/9/9/9/9/9/4A4/3K5 b\n" + command);
    Go("go depth 1");
    EXPECT_EQ(LastCall().fen, kStart) << command;
  }
}

TEST_F(UcciSessionTest, BadFenKeepsThePositionAndSaysWhy) {
  chat_.Send("position startpos moves h2e2");
  for (const char* fen :
       {"9/9/9/9/9/9/9/9/9/9 w - - 0 1", "4k4/9/9/9/9/9/9/9/9/4K4 w", "4k4/9/9/9/9/9/9/9/9/9 w",
        "4k4/9/9/R8/9/R8/9/R8/9/3K5 w", "rubbish", ""}) {
    chat_.Send(std::string("position fen ") + fen);
    EXPECT_THAT(chat_.Expect("info message"), HasSubstr("the position stays as it was"));
    Go("go depth 1");
    EXPECT_EQ(LastCall().plies, 1) << fen;
  }
}

TEST_F(UcciSessionTest, MovesOfAnotherGameEndTheListAndAreNamed) {
  chat_.Send("position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1 moves e1e4 h7c7 h0g2 h9g7");
  EXPECT_THAT(chat_.Expect("info message"), HasSubstr("move 2 \"h7c7\" is illegal"));
  Go("go depth 2");
  EXPECT_EQ(LastCall().plies, 1);
}

TEST_F(UcciSessionTest, MateAndStalemateHaveNoMove) {
  for (const char* fen : {kMated, kStalemated}) {
    for (const char* go : {"go depth 4", "go time 3", "go infinite", "go depth 0", "go"}) {
      chat_.Send(std::string("position fen ") + fen + "\n" + go);
      chat_.Expect("nobestmove");
    }
  }
  EXPECT_EQ(Count(chat_.Finish(), "bestmove"), 0);
  EXPECT_THAT(log_->calls(), IsEmpty());
}

TEST_F(UcciSessionTest, TimeIsInSecondsUntilToldOtherwise) {
  Go("go time 30 increment 2");
  EXPECT_EQ(LastCall().limits.clock->time_ms, 30000);
  EXPECT_EQ(LastCall().limits.clock->increment_ms, 2000);
  for (const char* value : {"true", "on"}) {
    chat_.Send(std::string("setoption usemillisec ") + value);
    Go("go time 30 increment 2");
    EXPECT_EQ(LastCall().limits.clock->time_ms, 30);
    chat_.Send("setoption usemillisec off");
  }
  Go("go movetime 40");
  EXPECT_EQ(LastCall().limits.movetime_ms, 40);
}

TEST_F(UcciSessionTest, OddClocksAreAnsweredToo) {
  for (const char* go : {"go time 0", "go time -5 increment -1", "go time 1", "go wtime 0 btime 0",
                         "go btime -7 wtime 1", "go movetime 0", "go nodes 0", "go", "go zzz"}) {
    EXPECT_EQ(Go(go), "bestmove e0e1 ponder e9e8") << go;
  }
}

TEST_F(UcciSessionTest, DepthZeroShowsTheValueAndMakesNoMove) {
  chat_.Send("go depth 0");
  chat_.Expect("info depth 0 score 10");
  chat_.Expect("nobestmove");
  EXPECT_EQ(Count(chat_.Finish(), "bestmove"), 0);
}

TEST_F(UcciSessionTest, InfiniteEndsByStopOrByItself) {
  chat_.Send("go depth infinite\nisready");
  chat_.Expect("readyok");
  chat_.Send("stop");
  chat_.Expect("bestmove");
  EXPECT_TRUE(LastCall().limits.infinite);
  EXPECT_TRUE(LastCall().was_stopped);
  log_->ends_at_once = true;
  Go("go infinite");
}

TEST_F(UcciSessionTest, PonderingEndsByTheHitOrByStop) {
  for (const char* go : {"go ponder time 10 increment 0", "go time 10 ponder",
                         "go ponder movetime 20 depth 5", "go wtime 10 btime 20 ponder"}) {
    chat_.Send(go);
    chat_.Sync();
    EXPECT_EQ(Count(chat_.Rest(), "bestmove"), 0) << go;
    chat_.Send("ponderhit");
    chat_.Expect("bestmove");
    EXPECT_TRUE(LastCall().was_hit);
    EXPECT_FALSE(LastCall().was_stopped);
  }
}

TEST_F(UcciSessionTest, PonderMissIsFollowedAtOnceByTheNextMove) {
  chat_.Send(
      "position startpos moves h2e2\ngo ponder time 10\nstop\n"
      "position startpos moves h2e2 h9g7\ngo time 10");
  chat_.Expect("bestmove");
  chat_.Expect("bestmove");
  const std::vector<FakeLog::Call> calls = log_->calls();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].plies, 1);
  EXPECT_EQ(calls[1].plies, 2);
  EXPECT_FALSE(calls[1].was_stopped);
}

TEST_F(UcciSessionTest, SearchThatEndsWhilePonderingIsHeldBack) {
  log_->ends_at_once = true;
  chat_.Send("go ponder time 10");
  chat_.Expect("info depth");
  chat_.Sync();
  EXPECT_EQ(Count(chat_.Rest(), "bestmove"), 0);
  chat_.Send("ponderhit");
  chat_.Expect("bestmove");
  chat_.Send(std::string("position fen ") + kMated + "\ngo ponder time 3\nstop");
  chat_.Expect("nobestmove");
}

TEST_F(UcciSessionTest, BannedMovesAreLeftOutUntilTheNextPosition) {
  chat_.Send("position startpos\nbanmoves e0e1 a0a1 rubbish");
  EXPECT_EQ(Go("go depth 3").substr(0, 13), "bestmove d0e1");
  Go("go depth 3");
  EXPECT_THAT(LastCall().limits.banned_moves.size(), 2u);
  chat_.Send("position startpos");
  EXPECT_EQ(Go("go depth 3").substr(0, 13), "bestmove e0e1");
}

TEST_F(UcciSessionTest, NoMoveIsLeftWhenAllAreBanned) {
  chat_.Send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w\nbanmoves e0e1 e0f0\ngo depth 3");
  chat_.Expect("nobestmove");
  chat_.Send("position fen 3k5/9/9/9/9/9/9/9/9/4K4 w");
  Go("go depth 3");
}

TEST_F(UcciSessionTest, StopInIdleIsAnsweredAndRepeatsOfAStopAreNot) {
  chat_.Send("stop");
  chat_.Expect("nobestmove");
  Go("go depth 3");
  chat_.Send("stop");
  chat_.Expect("nobestmove");
  chat_.Send("go infinite");
  chat_.Sync();
  for (int i = 0; i < 10; ++i) {
    chat_.Send("stop");
  }
  chat_.Expect("bestmove");
  EXPECT_THAT(chat_.Rest(), IsEmpty());
  chat_.Send("stop");
  chat_.Expect("nobestmove");
}

TEST_F(UcciSessionTest, OffersAreAcceptedOnlyWhenAllowedAndNotBetter) {
  log_->score = {.centipawns = 0, .mate_in = {}};
  EXPECT_THAT(Go("go draw time 30"), Not(HasSubstr("draw")));
  EXPECT_TRUE(LastCall().limits.draw_offered);
  chat_.Send("setoption acceptoffers true");
  EXPECT_EQ(Go("go draw time 30"), "bestmove e0e1 ponder e9e8 draw");
  EXPECT_THAT(Go("go time 30"), Not(HasSubstr("draw")));
  chat_.Send("go ponder time 30\nponderhit draw");
  EXPECT_THAT(chat_.Expect("bestmove"), HasSubstr(" draw"));
  log_->score = {.centipawns = 200, .mate_in = {}};
  EXPECT_THAT(Go("go draw time 30"), Not(HasSubstr("draw")));
}

TEST_F(UcciSessionTest, GivesUpWhenLostForThreeMovesAndAllowed) {
  log_->score = {.centipawns = -4000, .mate_in = {}};
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT(Go("go time 30"), Not(HasSubstr("resign")));
  }
  chat_.Send("setoption giveup 900");
  EXPECT_THAT(Go("go time 30"), Not(HasSubstr("resign")));
  EXPECT_THAT(Go("go time 30"), Not(HasSubstr("resign")));
  EXPECT_EQ(Go("go time 30"), "bestmove e0e1 ponder e9e8 resign");
  chat_.Send("setoption newgame");
  EXPECT_THAT(Go("go time 30"), Not(HasSubstr("resign")));
}

TEST_F(UcciSessionTest, ProbeIsAnsweredInAnyState) {
  chat_.Send("probe startpos moves h2e2");
  EXPECT_EQ(chat_.Expect("pophash"), "pophash");
  chat_.Send("go infinite\nprobe fen rubbish");
  EXPECT_EQ(chat_.Expect("pophash"), "pophash");
  chat_.Send("probe startpos moves h2e2 h2e2");
  EXPECT_EQ(chat_.Expect("pophash"), "pophash");
  // The search goes on: it is asked meanwhile.
  chat_.Send("probe startpos");
  EXPECT_EQ(chat_.Expect("pophash"), "pophash");
  EXPECT_TRUE(log_->calls().empty());
  chat_.Send("stop");
  chat_.Expect("bestmove");
}

TEST_F(UcciSessionTest, ProbeShowsWhatIsStored) {
  log_->stored = {.best_move = ParseUci("h2e2").value(), .score = {.centipawns = 48}, .depth = 7};
  chat_.Send("go infinite\nprobe startpos");
  EXPECT_EQ(chat_.Expect("pophash"),
            "pophash bestmove h2e2 lowerbound 12 depth 7 upperbound 12 depth 7");
  chat_.Send("stop");
  chat_.Expect("bestmove");
}

TEST_F(UcciSessionTest, BatchReadsNothingWhileThinking) {
  chat_.Send(
      "setoption batch true\nposition startpos\ngo depth 3\n"
      "position startpos moves h2e2\ngo depth 3\ngo infinite\nquit");
  const std::vector<std::string> lines = chat_.Finish();
  EXPECT_EQ(Count(lines, "bestmove"), 3);
  EXPECT_EQ(lines.back(), "bye");
  const std::vector<FakeLog::Call> calls = log_->calls();
  ASSERT_EQ(calls.size(), 3u);
  for (const FakeLog::Call& call : calls) {
    EXPECT_FALSE(call.was_stopped);
    EXPECT_FALSE(call.limits.infinite);
  }
}

TEST_F(UcciSessionTest, SquaresStayThoseOfUcci) {
  chat_.Send("setoption UCI_Variant xiangqi\nposition startpos moves h2e2");
  EXPECT_EQ(Go("go depth 3"), "bestmove e9e8 ponder e0e1");
}

TEST_F(UcciSessionTest, NewGameForgets) {
  chat_.Send("setoption newgame\nuccinewgame\nsetoption clearhash");
  chat_.Sync();
  EXPECT_EQ(log_->clears(), 3);
}

TEST_F(UcciSessionTest, UnknownWordsAndOptionsAreQuietUnlessDebugging) {
  chat_.Send("foo bar\nforce\ndraw\nresign\nsetoption loadbook true\nsetoption nonsense 3\n\n  ");
  EXPECT_THAT(chat_.Rest(), IsEmpty());
  chat_.Send("setoption debug on\ndraw\nsetoption hashsiez 3");
  EXPECT_EQ(chat_.Expect("info message"), "info message unknown command '****'");
  EXPECT_THAT(chat_.Expect("info message"), HasSubstr("the nearest is hashsize"));
  chat_.Send("setoption debug off\nsetoption hashsize much");
  EXPECT_THAT(chat_.Expect("info message"), HasSubstr("Hash is a whole number"));
}

TEST_F(UcciSessionTest, GoWithoutStopWaitsForOrEndsTheOneBefore) {
  chat_.Send("go infinite\nposition startpos moves h2e2\ngo depth 3");
  chat_.Expect("bestmove e0e1");
  chat_.Expect("bestmove e9e8");
  EXPECT_EQ(Count(chat_.Finish(), "bestmove"), 2);
}

// The other side of samples/logs/uci2wb-drives-ucci.txt and of the league's match runner.
TEST_F(UcciSessionTest, PlaysWithAMatchRunner) {
  chat_.Send(
      "setoption promotion false\nsetoption ponder false\nsetoption newgame\n"
      "setoption usemillisec true\nsetoption usebook false");
  EXPECT_THAT(chat_.Rest(), IsEmpty());
  chat_.Send(std::string("position fen ") + kStart +
             " moves h2e2\nbanmoves h7h3 b7b3\n"
             "go draw time 300000 increment 0 opptime 290000 oppincrement 0");
  chat_.Expect("bestmove");
  const SearchLimits limits = LastCall().limits;
  EXPECT_EQ(limits.clock->time_ms, 300000);
  EXPECT_EQ(limits.opponent_clock->time_ms, 290000);
  EXPECT_EQ(limits.banned_moves.size(), 2u);
  chat_.Send("quit");
  EXPECT_EQ(chat_.Finish().back(), "bye");
}

}  // namespace
}  // namespace chuhe
