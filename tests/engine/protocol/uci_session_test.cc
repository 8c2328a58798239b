// UCI, in the dialects of Pikafish, Fairy-Stockfish and Cyclone, and both protocols in one session.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/protocol/session_fixture.h"

namespace chuhe {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kBoard[] = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

class UciSessionTest : public SessionTest {
 protected:
  UciSessionTest() : SessionTest("uci") {}
};

TEST_F(UciSessionTest, HandshakeNamesTheEngineAndItsOptions) {
  chat_.Send("quit");
  const std::vector<std::string> lines = chat_.Finish();
  EXPECT_EQ(lines[0], "id name Chuhe 1.2");
  EXPECT_EQ(lines[1], "id author the Chuhe developers");
  EXPECT_THAT(lines, Contains("option name UCI_Variant type combo default xiangqi var xiangqi"));
  EXPECT_EQ(lines.back(), "uciok");
}

TEST_F(UciSessionTest, PlaysInTheSquaresOfPikafish) {
  chat_.Send("position startpos moves h2e2 h9g7");
  EXPECT_EQ(Go("go depth 4"), "bestmove e0e1 ponder e9e8");
  EXPECT_EQ(LastCall().plies, 2);
}

TEST_F(UciSessionTest, PlaysInTheSquaresOfFairyStockfishOnceTheVariantIsSet) {
  chat_.Send("setoption name UCI_Variant value xiangqi\nposition startpos moves h3e3 h10g8");
  EXPECT_EQ(Go("go depth 4"), "bestmove e1e2 ponder e10e9");
  EXPECT_EQ(LastCall().plies, 2);
  EXPECT_THAT(chat_.Finish(), Contains(HasSubstr(" pv e1e2 e10e9")));
}

TEST_F(UciSessionTest, BothWaysToCountRanksAreReadAtAnyTime) {
  chat_.Send("position startpos moves h3e3 h10g8 a1a2 a10a9");
  Go("go depth 4");
  EXPECT_EQ(LastCall().plies, 4);
  const std::string fen = LastCall().fen;
  chat_.Send(
      "setoption name UCI_Variant value xiangqi\nposition startpos moves h2e2 h9g7 a0a1 a9a8");
  Go("go depth 4");
  EXPECT_EQ(LastCall().fen, fen);
}

// uci2wb -c sets UCI_Variant when it is offered and goes on in a0–i9.
TEST_F(UciSessionTest, CycloneKeepsItsSquaresWhateverTheVariantSays) {
  chat_.Send(std::string("setoption name UCI_Variant value xiangqi\nfen ") + kBoard +
             " r moves h2e2");
  EXPECT_EQ(Go("go btime 30000 wtime 20000 movestogo 40"), "bestmove e9e8 ponder e0e1");
  EXPECT_EQ(LastCall().limits.clock->time_ms, 30000);
  EXPECT_EQ(LastCall().limits.clock->moves_to_go, 40);
  chat_.Send("position startpos");
  EXPECT_EQ(Go("go movetime 3"), "bestmove e1e2 ponder e10e9");
}

TEST_F(UciSessionTest, SearchMovesLimitTheRoot) {
  EXPECT_EQ(Go("go searchmoves h2e2 b0c2 depth 3").substr(0, 13), "bestmove b0c2");
  EXPECT_EQ(LastCall().limits.search_moves.size(), 2u);
  EXPECT_EQ(LastCall().limits.depth, 3);
  EXPECT_EQ(Go("go searchmoves a0a9 depth 3").substr(0, 13), "bestmove e0e1");
}

TEST_F(UciSessionTest, MultiPvShowsSeveralLines) {
  chat_.Send("setoption name MultiPV value 3");
  Go("go depth 3");
  const std::vector<std::string> lines = chat_.Finish();
  for (const char* line :
       {"info depth 3 seldepth 5 multipv 1 ", "info depth 3 seldepth 5 multipv 2 ",
        "info depth 3 seldepth 5 multipv 3 "}) {
    EXPECT_EQ(Count(lines, line), 1) << line;
  }
}

TEST_F(UciSessionTest, ChancesAreShownWhenAskedFor) {
  log_->wdl = {{600, 300, 100}};
  Go("go depth 3");
  chat_.Send("setoption name UCI_ShowWDL value true");
  Go("go depth 3");
  const std::vector<std::string> lines = chat_.Finish();
  int count = 0;
  for (const std::string& line : lines) {
    count += line.find(" score cp 40 wdl 600 300 100 nodes") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(count, 1);
}

TEST_F(UciSessionTest, MateHasNoMove) {
  chat_.Send(std::string("position fen ") + kMated + "\ngo depth 3");
  chat_.Expect("info depth 0 score mate 0");
  EXPECT_EQ(chat_.Expect("bestmove"), "bestmove (none)");
}

TEST_F(UciSessionTest, InfiniteIsHeldUntilStopEvenWhereNothingIsToBeSearched) {
  log_->ends_at_once = true;
  chat_.Send("go infinite");
  chat_.Expect("info depth");
  EXPECT_EQ(Count(chat_.Rest(), "bestmove"), 0);
  chat_.Send("stop");
  chat_.Expect("bestmove e0e1");
  chat_.Send(std::string("position fen ") + kMated + "\ngo infinite");
  EXPECT_EQ(Count(chat_.Rest(), "bestmove"), 0);
  chat_.Send("stop");
  chat_.Expect("bestmove (none)");
}

TEST_F(UciSessionTest, StopInIdleHasNoAnswer) {
  chat_.Send("stop\nstop\nponderhit");
  EXPECT_THAT(chat_.Rest(), IsEmpty());
  Go("go depth 2");
  chat_.Send("stop");
  EXPECT_THAT(chat_.Rest(), IsEmpty());
}

TEST_F(UciSessionTest, ClocksGoByColorInEitherOrder) {
  for (const char* go : {"go wtime 1000 btime 900 winc 5 binc 6", "go btime 900 wtime 1000"}) {
    chat_.Send("position startpos moves h2e2");
    Go(go);
    EXPECT_EQ(LastCall().limits.clock->time_ms, 900) << go;
    chat_.Send("position startpos");
    Go(go);
    EXPECT_EQ(LastCall().limits.clock->time_ms, 1000) << go;
  }
  chat_.Send("setoption name Move Overhead value 120");
  Go("go wtime 0 btime 0");
  EXPECT_EQ(LastCall().limits.move_overhead_ms, 120);
}

// The family of BHGui in its UCI-like mode, GGchessGui's source being the witness.
TEST_F(UciSessionTest, TalksWithBhgui) {
  chat_.Send("stop\n\nucinewgame\nsetoption name Hash value 128\nsetoption name Threads value 2\n");
  chat_.Send(std::string("\nfen ") + kBoard +
             " w - - 0 1 moves h2e2\n\n"
             "go wtime 8000 btime 9000 winc 0 binc 0 ponder\n\nponderhit\n");
  EXPECT_EQ(chat_.Expect("bestmove"), "bestmove e9e8 ponder e0e1");
  EXPECT_EQ(LastCall().limits.clock->time_ms, 8000);
  chat_.Send("force\nstop\nstop");
  EXPECT_THAT(chat_.Rest(), IsEmpty());
}

TEST_F(UciSessionTest, OffersAndGivingUpHaveNoWordsHere) {
  chat_.Send("setoption name acceptoffers value true\nsetoption name giveup value 10");
  log_->score = {.centipawns = -5000, .mate_in = {}};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(Go("go draw depth 3"), "bestmove e0e1 ponder e9e8");
  }
}

TEST_F(UciSessionTest, RuleSetGoesWithTheGame) {
  Go("go depth 1");
  EXPECT_EQ(LastCall().rules, RuleSet::kComputer);
  chat_.Send("setoption name Repetition Rule value AsianRule");
  Go("go depth 1");
  EXPECT_EQ(LastCall().rules, RuleSet::kAxf);
}

TEST_F(UciSessionTest, BadFenSaysWhyAndTheProcessLives) {
  chat_.Send("position fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
  EXPECT_THAT(chat_.Expect("info string"), HasSubstr("face each other"));
  Go("go depth 3");
}

TEST(BothProtocolsTest, TheLastHandshakeWins) {
  const auto log = std::make_shared<FakeLog>();
  Chat chat(FakeFactory(log));
  chat.Send("uci\nucci\nposition startpos\ngo depth 3\nstop");
  chat.Expect("uciok");
  chat.Expect("ucciok");
  chat.Expect("info depth 3 seldepth 5 multipv 1 score 10 ");
  chat.Expect("bestmove");
  chat.Send("uci\ngo depth 3");
  chat.Expect("uciok");
  chat.Expect("info depth 3 seldepth 5 multipv 1 score cp 40 ");
  chat.Expect("bestmove");
  EXPECT_EQ(Count(chat.Finish(), "bye"), 0);
}

TEST(BothProtocolsTest, WithoutAHandshakeItIsUci) {
  const auto log = std::make_shared<FakeLog>();
  Chat chat(FakeFactory(log));
  chat.Send("xboard\nprotover 2\nstop\nposition startpos moves h2e2\ngo depth 3");
  chat.Expect("info depth 3 seldepth 5 multipv 1 score cp 40 ");
  chat.Expect("bestmove");
  EXPECT_EQ(chat.Finish().size(), 2u);
}

TEST_F(UciSessionTest, CountsMoveSequencesByFirstMove) {
  chat_.Send("position startpos\ngo perft 2");
  EXPECT_EQ(chat_.Expect("a0a1: "), "a0a1: 44");
  EXPECT_EQ(chat_.Expect("Nodes searched"), "Nodes searched: 1920");
}

TEST_F(UciSessionTest, StopEndsACount) {
  chat_.Send("go perft 12\nstop");
  EXPECT_EQ(chat_.Expect("stopped"), "stopped");
  chat_.Sync();
  EXPECT_EQ(Go("go depth 4"), "bestmove e0e1 ponder e9e8");
}

TEST_F(UciSessionTest, ShowsThePosition) {
  chat_.Send("position startpos moves h2e2\nd");
  EXPECT_EQ(chat_.Expect("2  "), "2  . C . . C . . . . ");
  EXPECT_EQ(chat_.Expect("Fen: "),
            "Fen: rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
}

}  // namespace
}  // namespace chuhe
