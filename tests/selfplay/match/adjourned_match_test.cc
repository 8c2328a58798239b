// Matches that are stopped in the middle of their games go on where they were.

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/rules/notation/coordinates.h"
#include "engine/search/alphabeta.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/match/checked_line.h"
#include "selfplay/match/games_under_way.h"
#include "selfplay/match/match.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using testing::TemporaryFolder;

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Turn MakeTurn(const std::string& move, int64_t elapsed_us) {
  Turn turn;
  turn.answer.kind = AnswerKind::kMove;
  turn.answer.move = *ParseUci(move);
  turn.answer.elapsed_us = elapsed_us;
  return turn;
}

TEST(GamesUnderWayTest, TurnsComeBackAsTheyWere) {
  const TemporaryFolder folder;
  Turn full = MakeTurn("h2e2", 1234);
  full.answer.score = Score{.centipawns = -30000, .mate_in = -3};
  full.answer.depth = 7;
  full.answer.nodes = 1'000'000'000'000;
  full.answer.offers_draw = true;
  full.answer.reported_ms = 5;
  full.runner_us = 40;
  {
    auto games = GamesUnderWay::Open(folder.path("turns"), "m");
    ASSERT_TRUE(games.ok()) << games.status();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(games->Add(8, MakeTurn("a0a1", i)).ok());
    EXPECT_TRUE(games->Add(5, full).ok());
    EXPECT_TRUE(games->Remove(8).ok());
    EXPECT_TRUE(games->Add(5, MakeTurn("h9g7", 6)).ok());
  }
  const auto games = GamesUnderWay::Open(folder.path("turns"), "m");
  ASSERT_TRUE(games.ok()) << games.status();
  // That game 8 is over is for the journal to know.
  EXPECT_EQ(games->TurnsOf(8).size(), 3);
  const std::vector<Turn> turns = games->TurnsOf(5);
  ASSERT_EQ(turns.size(), 2);
  EXPECT_EQ(turns[0].answer.move, full.answer.move);
  EXPECT_EQ(turns[0].answer.elapsed_us, 1234);
  EXPECT_EQ(turns[0].answer.score->centipawns, -30000);
  EXPECT_EQ(turns[0].answer.score->mate_in, -3);
  EXPECT_EQ(turns[0].answer.depth, 7);
  EXPECT_EQ(turns[0].answer.nodes, 1'000'000'000'000);
  EXPECT_TRUE(turns[0].answer.offers_draw);
  EXPECT_EQ(turns[0].answer.reported_ms, 5);
  EXPECT_EQ(turns[0].runner_us, 40);
  EXPECT_FALSE(turns[1].answer.score.has_value());
  EXPECT_FALSE(turns[1].runner_us.has_value());
}

TEST(GamesUnderWayTest, LastGameThatEndsLeavesNothing) {
  const TemporaryFolder folder;
  auto games = GamesUnderWay::Open(folder.path("turns"), "m");
  ASSERT_TRUE(games.ok());
  const std::string empty = ReadAll(folder.path("turns"));
  EXPECT_TRUE(games->Add(1, MakeTurn("a0a1", 1)).ok());
  EXPECT_TRUE(games->Remove(1).ok());
  EXPECT_EQ(ReadAll(folder.path("turns")), empty);
  EXPECT_TRUE(games->Add(2, MakeTurn("a0a1", 1)).ok());
  EXPECT_EQ(GamesUnderWay::Open(folder.path("turns"), "m")->TurnsOf(2).size(), 1);
}

TEST(GamesUnderWayTest, WhatIsDamagedOrOfAnotherMatchIsNotPlayedOn) {
  const TemporaryFolder folder;
  const std::string path = folder.path("turns");
  {
    auto games = GamesUnderWay::Open(path, "m");
    ASSERT_TRUE(games.ok());
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(games->Add(0, MakeTurn("a0a1", i)).ok());
  }
  const std::string whole = ReadAll(path);
  EXPECT_EQ(GamesUnderWay::Open(path, "other")->size(), 0);
  std::ofstream(path) << whole;
  EXPECT_EQ(GamesUnderWay::Open(path, "m")->TurnsOf(0).size(), 4);
  std::ofstream(path) << whole.substr(0, whole.size() - 1);
  EXPECT_EQ(GamesUnderWay::Open(path, "m")->TurnsOf(0).size(), 3);
  std::string damaged = whole;
  damaged[whole.size() * 2 / 3] ^= 1;
  std::ofstream(path) << damaged;
  EXPECT_LT(GamesUnderWay::Open(path, "m")->TurnsOf(0).size(), 4);
}

// Alpha-beta that stops the match before its n-th search.
class StoppingSearcher : public Searcher {
 public:
  StoppingSearcher(std::atomic<int>* searches, int last, Match** match)
      : searcher_({.depth = 2}), searches_(*searches), last_(last), match_(*match) {}

  void SetGame(const Game& game) override { searcher_.SetGame(game); }
  void Clear() override { searcher_.Clear(); }
  SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                      const ProgressSink& sink) override {
    if (++searches_ == last_ && match_ != nullptr) match_->Stop();
    return searcher_.Search(limits, signal, sink);
  }

 private:
  AlphaBetaSearcher searcher_;
  std::atomic<int>& searches_;
  const int last_;
  Match* const match_;
};

class AdjournedMatchTest : public ::testing::Test {
 protected:
  AdjournedMatchTest() {
    for (const auto& [name, command] : {std::pair("A", "stopping"), std::pair("R", "random")}) {
      options_.engines.push_back(
          {.name = name, .command = command, .protocol = EngineProtocol::kBuiltin});
    }
    options_.schedule.games = 6;
    options_.random_openings = {.plies = 4, .depth = 1, .max_cp = 200};
    options_.law.ply_cap = 40;
    options_.concurrency = 2;
    options_.builtins = [this](const EngineSpec&) -> absl::StatusOr<BuiltinEngine> {
      return BuiltinEngine{
          .searcher = std::make_unique<StoppingSearcher>(&searches_, last_, &match_), .limits = {}};
    };
  }

  // Stopped before the n-th search of this run.
  MatchReport Play(int last) {
    searches_ = 0;
    last_ = last;
    Match match(options_);
    match_ = &match;
    absl::StatusOr<MatchReport> report = match.Run({});
    match_ = nullptr;
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : MatchReport{};
  }

  static std::string Course(const MatchReport& report) {
    std::string text;
    for (const PlayedGame& played : report.games) {
      text += played.result.reason;
      for (const PlayedPly& ply : played.result.plies) text += " " + FormatUci(ply.move);
      text += "\n";
    }
    return text;
  }

  const TemporaryFolder folder_;
  MatchOptions options_;
  std::atomic<int> searches_ = 0;
  int last_ = 0;
  Match* match_ = nullptr;
};

TEST_F(AdjournedMatchTest, GoesOnInTheMiddleOfItsGamesToTheSameResult) {
  const MatchReport whole = Play(-1);
  ASSERT_TRUE(whole.is_complete);
  options_.journal = folder_.path("journal");
  int runs = 0;
  MatchReport report;
  // So few searches that no run could play a game to its end if it began anew.
  for (int searches = 10; !report.is_complete && runs < 200; ++runs) {
    report = Play(searches);
    // Rehearsals are searches, too.
    searches += 3;
    EXPECT_EQ(std::filesystem::exists(options_.journal + ".turns"), !report.is_complete);
  }
  EXPECT_TRUE(report.is_complete);
  EXPECT_GT(runs, 4);
  EXPECT_EQ(Course(report), Course(whole));
  EXPECT_FALSE(std::filesystem::exists(options_.journal + ".turns"));
}

TEST_F(AdjournedMatchTest, KeepsWhatWasMeasuredBefore) {
  options_.journal = folder_.path("journal");
  options_.concurrency = 1;
  options_.schedule.games = 2;
  Play(8);
  // As if each of these moves had taken an hour.
  std::string text = ReadAll(options_.journal + ".turns");
  std::string changed = text.substr(0, text.find('\n') + 1);
  int turns = 0;
  for (size_t at = changed.size(), end = 0; (end = text.find('\n', at)) != std::string::npos;
       at = end + 1) {
    auto turn =
        TurnFromJsonLine(std::string(*CheckedText(absl::string_view(text).substr(at, end - at))));
    ASSERT_TRUE(turn.ok()) << turn.status();
    turn->turn.answer.elapsed_us = 3'600'000'000;
    changed += CheckedLine(ToJsonLine(*turn));
    ++turns;
  }
  ASSERT_GT(turns, 6);
  std::ofstream(options_.journal + ".turns") << changed;
  const MatchReport report = Play(-1);
  ASSERT_EQ(report.games.size(), 2);
  int hours = 0;
  for (const PlayedGame& played : report.games) {
    for (const PlayedPly& ply : played.result.plies) hours += ply.elapsed_us == 3'600'000'000;
  }
  EXPECT_EQ(hours, turns);
}

TEST_F(AdjournedMatchTest, LostTurnsArePlayedAgain) {
  const std::string course = Course(Play(-1));
  for (int lost = 1; lost < 2000; lost += 237) {
    options_.journal = folder_.path("journal" + std::to_string(lost));
    Play(25);
    const std::string turns = options_.journal + ".turns";
    const auto size = std::filesystem::file_size(turns);
    std::filesystem::resize_file(turns, size - std::min<uintmax_t>(size, lost));
    const MatchReport report = Play(-1);
    EXPECT_TRUE(report.is_complete);
    EXPECT_EQ(Course(report), course) << lost;
  }
}

}  // namespace
}  // namespace chuhe
