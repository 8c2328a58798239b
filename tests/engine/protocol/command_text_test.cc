#include "engine/protocol/command_text.h"

#include <string>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kBoard[] = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

template <typename T>
T Read(const std::string& line) {
  const GuiCommand command = ReadCommand(line);
  const T* read = std::get_if<T>(&command);
  EXPECT_NE(read, nullptr) << line << " is read as alternative " << command.index();
  return read != nullptr ? *read : T();
}

TEST(CommandTextTest, TakesEmptyLinesOfAnyBlanks) {
  for (const char* line : {"", "\r", " \t \r", "   "}) {
    Read<BlankLine>(line);
  }
}

TEST(CommandTextTest, KnowsTheWordsInAnyCaseWithBlanksAroundThem) {
  EXPECT_EQ(Read<HandshakeCommand>("ucci").dialect, Dialect::kUcci);
  EXPECT_EQ(Read<HandshakeCommand>(" \tUCI\r").dialect, Dialect::kUci);
  Read<IsReadyCommand>("IsReady\r");
  Read<StopCommand>("stop ");
  Read<QuitCommand>("QUIT");
  const auto probe = Read<ProbeCommand>("probe startpos moves h2e2");
  EXPECT_EQ(probe.position.fen, std::nullopt);
  EXPECT_EQ(probe.position.moves, std::vector<std::string>{"h2e2"});
  for (const char* line : {"ucinewgame", "uccinewgame", "NEWGAME"}) {
    Read<NewGameCommand>(line);
  }
  EXPECT_TRUE(Read<DebugCommand>("debug").on);
  EXPECT_TRUE(Read<DebugCommand>("debug on").on);
  EXPECT_FALSE(Read<DebugCommand>("debug off").on);
  EXPECT_FALSE(Read<PonderHitCommand>("ponderhit").draw_offered);
  EXPECT_TRUE(Read<PonderHitCommand>("ponderhit  Draw").draw_offered);
}

TEST(CommandTextTest, NamesWhatItDoesNotKnow) {
  EXPECT_EQ(Read<UnknownCommand>("cmd bookmove i0h0").word, "cmd");
  EXPECT_EQ(Read<UnknownCommand>("force").word, "force");
  EXPECT_EQ(Read<UnknownCommand>("\x80\xff\x01").word, "\x80\xff\x01");
}

TEST(CommandTextTest, ReadsOptionsOfUci) {
  SetOptionCommand command = Read<SetOptionCommand>("setoption name Hash value 32");
  EXPECT_EQ(command.name, "Hash");
  EXPECT_EQ(command.value, "32");
  EXPECT_FALSE(command.is_bare);
  command = Read<SetOptionCommand>("setoption  NAME  Repetition \t Rule  VALUE  Asian  Rule \r");
  EXPECT_EQ(command.name, "Repetition Rule");
  EXPECT_EQ(command.value, "Asian  Rule");
  command = Read<SetOptionCommand>("setoption name Clear Hash ");
  EXPECT_EQ(command.name, "Clear Hash");
  EXPECT_EQ(command.value, "");
  command = Read<SetOptionCommand>("setoption name EvalFile value D:\\象棋 引擎\\网络 1.bin");
  EXPECT_EQ(command.value, "D:\\象棋 引擎\\网络 1.bin");
}

TEST(CommandTextTest, ReadsOptionsOfUcci) {
  SetOptionCommand command = Read<SetOptionCommand>("setoption usemillisec true");
  EXPECT_EQ(command.name, "usemillisec");
  EXPECT_EQ(command.value, "true");
  EXPECT_TRUE(command.is_bare);
  command = Read<SetOptionCommand>("setoption  bookfiles  C:\\象棋 库\\a b.dat;值.dat");
  EXPECT_EQ(command.name, "bookfiles");
  EXPECT_EQ(command.value, "C:\\象棋 库\\a b.dat;值.dat");
  EXPECT_EQ(Read<SetOptionCommand>("setoption newgame").value, "");
  EXPECT_EQ(Read<SetOptionCommand>("setoption").name, "");
}

TEST(CommandTextTest, ReadsPositionsOfEveryForm) {
  PositionCommand command = Read<PositionCommand>("position startpos");
  EXPECT_FALSE(command.fen.has_value());
  EXPECT_THAT(command.moves, IsEmpty());
  EXPECT_FALSE(command.is_bare);
  command = Read<PositionCommand>("position startpos moves");
  EXPECT_FALSE(command.fen.has_value());
  EXPECT_THAT(command.moves, IsEmpty());
  command = Read<PositionCommand>("Position StartPos Moves h2e2  h9g7\r");
  EXPECT_THAT(command.moves, ElementsAre("h2e2", "h9g7"));
  command = Read<PositionCommand>("startpos moves h2e2");
  EXPECT_FALSE(command.fen.has_value());
  EXPECT_TRUE(command.is_bare);
  command = Read<PositionCommand>(std::string("fen ") + kBoard + " r moves h2e2");
  EXPECT_EQ(command.fen, std::string(kBoard) + " r");
  EXPECT_TRUE(command.is_bare);
  EXPECT_THAT(command.moves, ElementsAre("h2e2"));
  command = Read<PositionCommand>(std::string("position fen ") + kBoard + " w -- 0 1  moves ");
  EXPECT_EQ(command.fen, std::string(kBoard) + " w -- 0 1");
  EXPECT_FALSE(command.is_bare);
  EXPECT_EQ(Read<PositionCommand>(std::string("position ") + kBoard).fen, kBoard);
  EXPECT_EQ(Read<PositionCommand>("position").fen, "");
  EXPECT_EQ(Read<PositionCommand>("position fen").fen, "");
}

TEST(CommandTextTest, ReadsLongMoveLists) {
  std::string line = "position startpos moves";
  for (int i = 0; i < 5000; ++i) {
    line += " h2e2";
  }
  EXPECT_EQ(Read<PositionCommand>(line).moves.size(), 5000u);
}

TEST(CommandTextTest, ReadsGoOfUcci) {
  GoCommand go = Read<GoCommand>("go draw time 300 increment 2 opptime 250 oppincrement 3");
  EXPECT_TRUE(go.draw_offered);
  EXPECT_FALSE(go.ponder);
  EXPECT_EQ(go.time, 300);
  EXPECT_EQ(go.increment, 2);
  EXPECT_EQ(go.opptime, 250);
  EXPECT_EQ(go.oppincrement, 3);
  go = Read<GoCommand>("go ponder time 30 movestogo 10 opptime 31 oppmovestogo 11");
  EXPECT_TRUE(go.ponder);
  EXPECT_EQ(go.movestogo, 10);
  EXPECT_EQ(go.oppmovestogo, 11);
  EXPECT_TRUE(Read<GoCommand>("go infinite").infinite);
  go = Read<GoCommand>("go depth infinite");
  EXPECT_TRUE(go.infinite);
  EXPECT_FALSE(go.depth.has_value());
  EXPECT_EQ(Read<GoCommand>("go depth 7 ").depth, 7);
  EXPECT_EQ(Read<GoCommand>("go depth 0").depth, 0);
  EXPECT_EQ(Read<GoCommand>("go nodes 20000000000").nodes, 20000000000);
}

TEST(CommandTextTest, ReadsGoOfUciInAnyOrder) {
  GoCommand go = Read<GoCommand>("go wtime 1000 btime 900 winc 5 binc 6 movestogo 3 ponder");
  EXPECT_TRUE(go.ponder);
  EXPECT_EQ(go.wtime, 1000);
  EXPECT_EQ(go.btime, 900);
  EXPECT_EQ(go.winc, 5);
  EXPECT_EQ(go.binc, 6);
  EXPECT_EQ(go.movestogo, 3);
  EXPECT_TRUE(go.wtime_before_btime);
  go = Read<GoCommand>("go btime 900 wtime 1000");
  EXPECT_FALSE(go.wtime_before_btime);
  EXPECT_EQ(go.wtime, 1000);
  go = Read<GoCommand>("go searchmoves h2e2 a10a9 depth 3 mate 2");
  EXPECT_THAT(go.search_moves, ElementsAre("h2e2", "a10a9"));
  EXPECT_EQ(go.depth, 3);
  EXPECT_EQ(go.mate, 2);
  EXPECT_EQ(Read<GoCommand>("go ponder movetime 500 depth 20").movetime, 500);
}

TEST(CommandTextTest, PassesOverWhatIsNoNumber) {
  const GoCommand go =
      Read<GoCommand>("go depth five nodes movetime -3 wtime 1e99 btime nan zzz 3");
  EXPECT_FALSE(go.depth.has_value());
  EXPECT_FALSE(go.nodes.has_value());
  EXPECT_EQ(go.movetime, -3);
  EXPECT_TRUE(go.wtime.has_value());
  EXPECT_FALSE(go.btime.has_value());
  EXPECT_GT(Read<GoCommand>("go nodes 99999999999999999999999").nodes, 1000000000000);
}

TEST(CommandTextTest, NamesOfTreeFilesAreTheRestOfTheLine) {
  const auto save = Read<TreeFileCommand>("savetree  my long  analysis.tree ");
  EXPECT_FALSE(save.is_load);
  EXPECT_EQ(save.path, "my long  analysis.tree");
  EXPECT_TRUE(Read<TreeFileCommand>("loadtree a").is_load);
}

TEST(CommandTextTest, PerftIsNoSearch) {
  EXPECT_EQ(Read<PerftCommand>("go perft 5").depth, 5);
  EXPECT_EQ(Read<PerftCommand>("go perft").depth, 1);
  EXPECT_EQ(Read<PerftCommand>("go perft -3").depth, 0);
}

}  // namespace
}  // namespace chuhe
