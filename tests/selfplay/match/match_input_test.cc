// What a match reads: engines, clocks, openings; and what it writes that others read.

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "engine/board/fen.h"
#include "engine/rules/notation/move_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/match/command_words.h"
#include "selfplay/match/engine_program.h"
#include "selfplay/match/engine_spec.h"
#include "selfplay/match/openings.h"
#include "selfplay/match/pgn_writer.h"
#include "selfplay/match/rating_store.h"
#include "selfplay/match/time_control.h"
#include "selfplay/records/pgn_reader.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using testing::TemporaryFolder;

std::string Write(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  std::ofstream(folder.path(name)) << text;
  return folder.path(name);
}

TEST(CommandWordsTest, SplitsAsAShellDoesWithoutExpanding) {
  EXPECT_THAT(*SplitCommand("  a 'b c'  \"d \\\" e\" f\\ g '' $HOME "),
              ElementsAre("a", "b c", "d \" e", "f g", "", "$HOME"));
  EXPECT_FALSE(SplitCommand("a 'b").ok());
}

TEST(EngineProgramTest, IsLookedUpAsItWillBeStarted) {
  const TemporaryFolder folder;
  Write(folder, "text", "no program");
  Write(folder, "program", "#!/bin/sh\n");
  std::filesystem::permissions(folder.path("program"), std::filesystem::perms::owner_all);
  struct Case {
    std::string command;
    std::string directory;
    std::string error;  // empty: it is there
  };
  const Case cases[] = {
      {"sh -c 'exit 1'", "", ""},
      {folder.path("program") + " --argument", "", ""},
      {"./program", folder.path(""), ""},
      {"./program", "", "./program is no program that can be started"},
      {folder.path("text"), "", "is no program that can be started"},
      {folder.path(""), "", "is no program that can be started"},
      {"chuhe-no-such-engine -x", "", "no program chuhe-no-such-engine in the folders of PATH"},
      {"sh", folder.path("gone"), "no such directory: " + folder.path("gone")},
      {"''  ", "", "PATH"},
      {"  ", "", "no program to start"},
      {"'sh", "", "quote"},
  };
  for (const Case& c : cases) {
    EngineSpec engine;
    engine.name = "E";
    engine.command = c.command;
    engine.directory = c.directory;
    const absl::Status status = CheckEngineProgram(engine);
    EXPECT_EQ(status.ok(), c.error.empty()) << c.command << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.error));
    engine.protocol = EngineProtocol::kBuiltin;
    EXPECT_TRUE(CheckEngineProgram(engine).ok());
  }
}

TEST(TimeControlTest, ReadsPeriods) {
  const auto periods = ParsePeriods("40/5400:20/1800+0.5");
  ASSERT_TRUE(periods.ok());
  ASSERT_EQ(periods->size(), 2);
  EXPECT_EQ((*periods)[0].moves, 40);
  EXPECT_EQ((*periods)[0].time_ms, 5'400'000);
  EXPECT_EQ((*periods)[1].increment_ms, 500);
  EXPECT_EQ(FormatPeriods(*periods), "40/5400:20/1800+0.5");
  EXPECT_EQ((*ParsePeriods("60+0.6"))[0].increment_ms, 600);
  for (const char* text : {"", "60:40", "0/60", "x", "60+", "-1", "0", "40/", "1e99"}) {
    EXPECT_FALSE(ParsePeriods(text).ok()) << text;
  }
}

TEST(TimeControlTest, LastPeriodRepeatsAndRestIsKept) {
  GameClock clock({.periods = *ParsePeriods("2/10:1/5")});
  for (int move = 0; move < 2; ++move) {
    EXPECT_TRUE(clock.Spend(1'000'000, 0));
    clock.CountMove();
  }
  EXPECT_EQ(clock.Told().time_ms, 8000 + 5000);
  EXPECT_EQ(clock.Told().moves_to_go, 1);
  EXPECT_TRUE(clock.Spend(0, 0));
  clock.CountMove();
  EXPECT_EQ(clock.Told().time_ms, 18'000);
  EXPECT_FALSE(clock.Spend(18'000'001, 0));
}

TEST(TimeControlTest, OnlyMovesEarnTheIncrement) {
  GameClock clock({.periods = *ParsePeriods("2/10+1")});
  EXPECT_TRUE(clock.Spend(3'000'000, 0));
  EXPECT_EQ(clock.Told().time_ms, 7000);
  EXPECT_EQ(clock.Told().moves_to_go, 2);
  clock.CountMove();
  EXPECT_EQ(clock.Told().time_ms, 8000);
  EXPECT_EQ(clock.Told().moves_to_go, 1);
}

TEST(TimeControlTest, ScalesAllTimes) {
  const TimeControl scaled =
      Scaled({.periods = *ParsePeriods("40/60+2"), .movetime_ms = 100, .nodes = 7}, 0.5);
  EXPECT_EQ(FormatPeriods(scaled.periods), "40/30+1");
  EXPECT_EQ(scaled.movetime_ms, 50);
  EXPECT_EQ(scaled.nodes, 7);
}

TEST(EngineSpecTest, ReadsTheCommandLineForm) {
  const auto spec = ParseEngineSpec(
      "name=X,cmd=\"prog -a 1,2\",proto=uci,option.Hash=16,env.LANG=C,tc=60+1,anchor=1500");
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->command, "prog -a 1,2");
  EXPECT_EQ(spec->protocol, EngineProtocol::kUci);
  EXPECT_THAT(spec->options, ElementsAre(Pair("Hash", "16")));
  EXPECT_THAT(spec->environment, ElementsAre(Pair("LANG", "C")));
  EXPECT_EQ(spec->control.periods[0].increment_ms, 1000);
  EXPECT_EQ(spec->anchor, 1500);
}

TEST(EngineSpecTest, IdentityHasAllThatCanChangeAGame) {
  std::set<std::string> identities;
  const std::vector<std::string> changes = {"",
                                            ",name=Y",
                                            ",option.Hash=16",
                                            ",env.LANG=C",
                                            ",dir=/tmp",
                                            ",tc=60+1",
                                            ",movetime=5",
                                            ",nodes=5",
                                            ",depth=5",
                                            ",accept_draw=0",
                                            ",squares=a0",
                                            ",squares=a1",
                                            ",time_unit=s",
                                            ",time_unit=ms",
                                            ",offer_draw=1:2:3"};
  for (const std::string& change : changes) {
    const auto spec = ParseEngineSpec("cmd=x,proto=uci" + change);
    ASSERT_TRUE(spec.ok()) << spec.status();
    EXPECT_TRUE(identities.insert(spec->Identity()).second) << change;
  }
  EngineSpec with_file = *ParseEngineSpec("cmd=x,proto=uci");
  with_file.file_hash = "0123";
  EXPECT_TRUE(identities.insert(with_file.Identity()).second);
  // What is as it would be without the key is no change.
  const auto spec = ParseEngineSpec("cmd=x,proto=uci,squares=auto,time_unit=auto");
  EXPECT_TRUE(identities.contains(spec->Identity()));
}

TEST(EngineSpecTest, ReadsRulesOfDraws) {
  const auto spec = ParseEngineSpec("cmd=x,proto=uci,offer_draw=10:6:80,accept_draw=-5:40");
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->draw_rule.Text(), "offer 10:6:80 accept -5:40");
  EXPECT_THAT(spec->Identity(), HasSubstr("offer 10:6:80"));
  EXPECT_FALSE(ParseEngineSpec("cmd=x,proto=uci")->draw_rule.is_set());
  for (const char* text : {"offer_draw=10", "offer_draw=10:0:0", "offer_draw=-1:2:3",
                           "offer_draw=1:2:x", "accept_draw=1:2:3", "accept_draw=x"}) {
    const auto status = ParseEngineSpec(std::string("cmd=x,proto=uci,") + text).status();
    EXPECT_THAT(std::string(status.message()), HasSubstr("expected SCORE")) << text;
  }
}

TEST(EngineSpecTest, ErrorsNameTheKeyAndTheNearest) {
  const auto message = [](const std::string& text) {
    return std::string(ParseEngineSpec(text).status().message());
  };
  EXPECT_THAT(message("cmd=a,protoo=uci"), HasSubstr("proto"));
  EXPECT_THAT(message("cmd=a"), HasSubstr("needs a proto"));
  EXPECT_THAT(message("proto=uci"), HasSubstr("needs a cmd"));
  EXPECT_THAT(message("cmd=a,proto=chess"), HasSubstr("chess"));
  EXPECT_THAT(message("cmd=a,proto"), HasSubstr("'proto'"));
  EXPECT_THAT(message("cmd=a,proto=uci,nodes=1,nodes=2"), HasSubstr("nodes is given twice"));
}

TEST(EngineSpecTest, ReadsAFileAndErrorsNameItsLine) {
  const TemporaryFolder folder;
  const std::string good = Write(folder, "good.yaml",
                                 "engines:\n"
                                 "  - name: A\n    cmd: prog --x\n    proto: ucci\n"
                                 "    options: {Hash: 16, Clear: }\n    env: {LANG: C}\n"
                                 "    dir: /tmp\n"
                                 "  - {cmd: 'alphabeta:2', proto: builtin}\n");
  const auto engines = ReadEngineFile(good);
  ASSERT_TRUE(engines.ok()) << engines.status();
  ASSERT_EQ(engines->size(), 2);
  EXPECT_THAT((*engines)[0].options, ElementsAre(Pair("Hash", "16"), Pair("Clear", "")));
  EXPECT_EQ((*engines)[1].name, "alphabeta:2");
  const std::string bad = Write(folder, "bad.yaml", "- cmd: a\n  proto: uci\n  nods: 3\n");
  EXPECT_THAT(std::string(ReadEngineFile(bad).status().message()),
              AllOf(HasSubstr("bad.yaml:3"), HasSubstr("nodes")));
  const std::string twice =
      Write(folder, "twice.yaml", "- cmd: a\n  proto: uci\n  options: {Hash: 1,\n    Hash: 2}\n");
  EXPECT_THAT(std::string(ReadEngineFile(twice).status().message()),
              AllOf(HasSubstr("twice.yaml:4"), HasSubstr("option.Hash is given twice")));
  const std::string broken = Write(folder, "broken.yaml", "- cmd: [a\n");
  EXPECT_THAT(std::string(ReadEngineFile(broken).status().message()), HasSubstr("broken.yaml:"));
  EXPECT_EQ(ReadEngineFile(folder.path("none")).status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(ReadEngineFile(folder.path("")).status().message()),
              HasSubstr("a folder, expected a file"));
}

TEST(EngineSpecTest, NamesAreOneLineOfText) {
  EngineSpec spec;
  spec.name = "A\nB";
  EXPECT_THAT(std::string(CheckEngineNames({spec}).message()), HasSubstr("control characters"));
  spec.name = "许银川";
  EXPECT_TRUE(CheckEngineNames({spec}).ok());
}

TEST(OpeningsTest, ReadsLinesOfPositionsAndMoves) {
  const TemporaryFolder folder;
  const std::string path = Write(folder, "book.txt",
                                 "# a comment\n\nstartpos moves h2e2 h9g7\n"
                                 "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 3 1\n");
  const auto openings = ReadOpenings(path, 0);
  ASSERT_TRUE(openings.ok()) << openings.status();
  ASSERT_EQ(openings->size(), 2);
  EXPECT_EQ(FormatOpening((*openings)[0]), "startpos moves h2e2 h9g7");
  EXPECT_EQ((*openings)[1].halfmove, 3);
  for (const auto& [text, words] :
       {std::pair("startpos moves h2e9\n", ":1:"), std::pair("\n\nnonsense\n", ":3:"),
        std::pair("3k5/8R/3R5/9/9/9/9/9/9/4K4 b\n", "over"),
        std::pair("# nothing\n", "no openings")}) {
    const auto bad = ReadOpenings(Write(folder, "bad.txt", text), 0);
    EXPECT_THAT(std::string(bad.status().message()), HasSubstr(words)) << text;
  }
  EXPECT_THAT(std::string(ReadOpenings(folder.path(""), 0).status().message()),
              HasSubstr("a folder"));
}

TEST(OpeningsTest, RandomOnesAreLevelAndRepeat) {
  const RandomOpeningOptions options = {.plies = 6, .depth = 2, .max_cp = 40};
  for (uint64_t number = 0; number < 5; ++number) {
    const Opening opening = RandomOpening(options, 3, number);
    EXPECT_EQ(opening.moves.size(), 6);
    EXPECT_LE(std::abs(OpeningScore(opening, 2)), 40);
    EXPECT_EQ(FormatOpening(RandomOpening(options, 3, number)), FormatOpening(opening));
  }
  EXPECT_NE(FormatOpening(RandomOpening(options, 3, 0)),
            FormatOpening(RandomOpening(options, 3, 1)));
}

TEST(OpeningsTest, BuiltinOnesAreManyDifferentAndFarFromDecided) {
  const std::vector<Opening> openings = BuiltinOpenings();
  EXPECT_GT(openings.size(), 100);
  std::set<uint64_t> keys;
  for (const Opening& opening : openings) {
    EXPECT_EQ(opening.moves.size(), 8);
    const Game game = opening.MakeGame(RuleSet::kComputer);
    EXPECT_TRUE(keys.insert(game.position().key()).second) << FormatOpening(opening);
    // Not the depth that they were chosen at, which would take too long here.
    EXPECT_LE(std::abs(OpeningScore(opening, 3)), 200) << FormatOpening(opening);
  }
}

PlayedGame SomeGame() {
  PlayedGame played;
  played.game = {.index = 4, .round = 1, .pair = 2, .opening = 2, .red = 1, .black = 0};
  played.opening = *ParseOpening("startpos moves h2e2 h9g7");
  played.result.outcome = GameOutcome::kDraw;
  played.result.reason = "agreement";
  played.result.detail = "two \"quotes\"";
  played.result.plies = {{.move = Move(1, 20), .elapsed_us = 1500, .score_cp = 25, .depth = 3},
                         {.move = Move(81, 72), .elapsed_us = 10}};
  played.result.reported_us[1] = 1000;
  played.result.reported_plies[1] = 1;
  played.result.audited = GameOutcome::kRedWins;
  played.result.audited_ply = 3;
  return played;
}

TEST(PlayedGameTest, SurvivesTheJournal) {
  const std::string line = ToJsonLine(SomeGame());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = FromJsonLine(line);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToJsonLine(*read), line);
  // As journals were before: each ply counts.
  std::string older = line;
  const std::string key = "\"reported_plies\":[0,1],";
  ASSERT_NE(older.find(key), std::string::npos) << older;
  older.erase(older.find(key), key.size());
  EXPECT_EQ(ToJsonLine(*FromJsonLine(older)), line);
  EXPECT_FALSE(FromJsonLine("{}").ok());
  EXPECT_FALSE(FromJsonLine("[").ok());
}

TEST(PgnTest, IsReadBackInEveryNotation) {
  MatchOptions options;
  options.engines = {{.name = "A \"x\""}, {.name = "B"}};
  for (const Notation notation : {Notation::kIccs, Notation::kWxf, Notation::kChinese}) {
    const std::string pgn = FormatPgn(options, SomeGame(), {.notation = notation});
    const std::vector<PgnGame> games = ParsePgn(pgn + pgn);
    ASSERT_EQ(games.size(), 2);
    EXPECT_EQ(games[0].Tag("Red"), "B");
    EXPECT_EQ(games[0].Tag("Black"), "A 'x'");
    EXPECT_EQ(games[0].Tag("Result"), "1/2-1/2");
    const TemporaryFolder folder;
    const std::string path = Write(folder, "games.pgn", pgn + pgn);
    const auto whole = ReadOpenings(path, 0);
    ASSERT_TRUE(whole.ok()) << whole.status();
    ASSERT_EQ(whole->size(), 2);
    EXPECT_EQ(FormatOpening((*whole)[1]), "startpos moves h2e2 h9g7 b0c2 a9a8") << pgn;
    const auto short_ones = ReadOpenings(path, 3);
    ASSERT_TRUE(short_ones.ok()) << short_ones.status();
    EXPECT_EQ((*short_ones)[1].moves.size(), 3);
  }
}

TEST(RatingStoreTest, AddsMatchesAndReplacesThoseOfOneIdentity) {
  const TemporaryFolder folder;
  MatchOptions options;
  options.engines = {{.name = "A", .anchor = 1000}, {.name = "B"}};
  MatchReport report;
  for (int i = 0; i < 4; ++i) report.games.push_back(SomeGame());
  report.games[0].result.outcome = GameOutcome::kRedWins;  // of B
  const std::string path = folder.path("ratings.sqlite");
  for (int time = 0; time < 2; ++time) {
    const auto ratings = AddToRatings(path, options, report);
    ASSERT_TRUE(ratings.ok()) << ratings.status();
    ASSERT_EQ(ratings->size(), 2);
    EXPECT_EQ((*ratings)[0].player, "B");
    EXPECT_EQ((*ratings)[0].rating.games, 4);
    EXPECT_EQ((*ratings)[1].rating.elo, 1000);
  }
  options.engines = {{.name = "C"}, {.name = "D"}};
  const auto ratings = AddToRatings(path, options, report);
  ASSERT_EQ(ratings->size(), 4);
  EXPECT_NE((*ratings)[0].pool, (*ratings)[3].pool);
  EXPECT_FALSE(AddToRatings("/no/such/folder/r.sqlite", options, report).ok());
}

}  // namespace
}  // namespace chuhe
