#include "selfplay/match/match.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/match/live_table.h"
#include "selfplay/match/match_text.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

EngineSpec Builtin(const std::string& name, const std::string& command) {
  return {.name = name, .command = command, .protocol = EngineProtocol::kBuiltin};
}

MatchOptions SmallMatch(int games) {
  MatchOptions options;
  options.engines = {Builtin("A", "alphabeta:1"), Builtin("R", "random")};
  options.schedule.games = games;
  options.random_openings = {.plies = 4, .depth = 1, .max_cp = 200};
  options.law.ply_cap = 60;
  return options;
}

// All that a result consists of, but for times.
std::string Course(const MatchReport& report) {
  std::string text;
  for (const PlayedGame& played : report.games) {
    text += std::to_string(played.game.index) + " " + FormatOpening(played.opening) + " " +
            played.result.reason + " " + std::string(OutcomeText(played.result.outcome));
    for (const PlayedPly& ply : played.result.plies) text += " " + std::to_string(ply.move.bits());
    text += "\n";
  }
  return text;
}

MatchReport Play(const MatchOptions& options) {
  absl::StatusOr<MatchReport> report = Match(options).Run({});
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *std::move(report) : MatchReport{};
}

TEST(MatchTest, PlaysPairsWithOneOpeningAndColorsSwapped) {
  const MatchReport report = Play(SmallMatch(6));
  EXPECT_TRUE(report.is_complete);
  ASSERT_EQ(report.games.size(), 6);
  for (size_t i = 0; i < 6; i += 2) {
    const PlayedGame& first = report.games[i];
    const PlayedGame& second = report.games[i + 1];
    EXPECT_EQ(FormatOpening(first.opening), FormatOpening(second.opening));
    EXPECT_EQ(first.game.red, second.game.black);
    EXPECT_EQ(first.game.pair, second.game.pair);
  }
  EXPECT_NE(FormatOpening(report.games[0].opening), FormatOpening(report.games[2].opening));
}

TEST(MatchTest, SameSeedPlaysTheSameGamesWithAnyNumberOfThreads) {
  MatchOptions options = SmallMatch(8);
  const std::string course = Course(Play(options));
  options.concurrency = 3;
  EXPECT_EQ(Course(Play(options)), course);
  options.seed = 2;
  EXPECT_NE(Course(Play(options)), course);
}

TEST(MatchTest, ResumesFromTheJournalToTheSameResult) {
  const TemporaryFolder folder;
  MatchOptions options = SmallMatch(8);
  const std::string course = Course(Play(options));
  options.journal = folder.path("journal");
  // Stopped again and again after two games; the half-written line is what a kill leaves.
  MatchReport report;
  for (int run = 0; run < 10 && !report.is_complete; ++run) {
    Match match(options);
    size_t at_begin = 0;
    auto result = match.Run([&](const std::vector<PlayedGame>& games, int) {
      if (at_begin == 0) at_begin = games.size();
      if (games.size() >= at_begin + 1) match.Stop();
    });
    ASSERT_TRUE(result.ok()) << result.status();
    report = *result;
    std::ofstream(options.journal, std::ios::app) << "0123456789abcdef {\"game\":";
  }
  EXPECT_TRUE(report.is_complete);
  EXPECT_EQ(Course(report), course);
}

TEST(MatchTest, RefusesTheJournalOfAnotherMatchAndDamage) {
  const TemporaryFolder folder;
  MatchOptions options = SmallMatch(2);
  options.journal = folder.path("journal");
  Play(options);
  options.seed = 9;
  EXPECT_THAT(std::string(Match(options).Run({}).status().message()),
              HasSubstr("journal of another match"));
  options.seed = 1;
  std::string text;
  {
    std::ifstream file(options.journal);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  text[text.find("\"reason\"") + 11] ^= 1;
  std::ofstream(options.journal) << text;
  const absl::Status status = Match(options).Run({}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("journal:2: damaged"));
}

TEST(MatchTest, RefusesJournalLinesThatDoNotBelong) {
  const TemporaryFolder folder;
  MatchOptions options = SmallMatch(2);
  options.journal = folder.path("journal");
  Play(options);
  std::vector<std::string> lines;
  {
    std::ifstream file(options.journal);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 3);
  std::ofstream(options.journal, std::ios::app) << lines[1] << "\n";
  absl::Status status = Match(options).Run({}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("journal:4: game "));

  // A line of a longer match, with its own checksum.
  MatchOptions longer = SmallMatch(4);
  longer.journal = folder.path("longer");
  Play(longer);
  std::string last;
  {
    std::ifstream file(longer.journal);
    for (std::string line; std::getline(file, line);) {
      if (line.find("\"game\":3") != std::string::npos) last = line;
    }
  }
  ASSERT_FALSE(last.empty());
  std::ofstream(options.journal) << lines[0] << "\n" << lines[1] << "\n" << last << "\n";
  status = Match(options).Run({}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("game 3 is not one"));
}

TEST(MatchTest, ResumesWhateverBytesNamesHave) {
  const TemporaryFolder folder;
  MatchOptions options = SmallMatch(2);
  options.journal = folder.path("journal");
  options.engines[0].name = "A\xff";
  const std::string course = Course(Play(options));
  EXPECT_EQ(Course(Play(options)), course);
  options.engines[0].name = "A\xfe";
  EXPECT_THAT(std::string(Match(options).Run({}).status().message()),
              HasSubstr("journal of another match"));
}

TEST(MatchTest, TextOfTheProgressShowsTheStateOfTheTest) {
  MatchOptions options = SmallMatch(2);
  options.sprt = SprtOptions{};
  const std::vector<PlayedGame> games = Play(options).games;
  const SprtState state = {.llr = 1.25, .lower_bound = -2.5, .upper_bound = 2.75};
  EXPECT_THAT(ProgressText(options, games, state), HasSubstr("LLR 1.25 (-2.50, 2.75)"));
  EXPECT_THAT(LiveTable(options, games, state, 2).back(), HasSubstr("LLR 1.25 (-2.50, 2.75)"));
}

TEST(MatchTest, TestStopsTheMatchAndCountsPairsInOrder) {
  MatchOptions options = SmallMatch(400);
  options.law.ply_cap = 0;
  options.engines[0].command = "alphabeta:2";
  options.sprt = SprtOptions{.elo0 = 0, .elo1 = 100};
  const MatchReport one = Play(options);
  EXPECT_TRUE(one.is_complete);
  EXPECT_EQ(one.sprt->decision, SprtDecision::kAccept1);
  EXPECT_LT(one.games.size(), 400);
  options.concurrency = 4;
  EXPECT_EQ(Course(Play(options)), Course(one));
}

TEST(MatchTest, RefusesWhatDoesNotFitTogether) {
  MatchOptions options = SmallMatch(2);
  options.engines[1].name = "A";
  EXPECT_THAT(std::string(Match(options).Run({}).status().message()), HasSubstr("'A'"));
  options = SmallMatch(2);
  options.engines[1].command = "alphabet";
  EXPECT_THAT(std::string(Match(options).Run({}).status().message()), HasSubstr("'alphabet'"));
  options = SmallMatch(2);
  options.sprt = SprtOptions{.elo0 = 5, .elo1 = 5};
  EXPECT_FALSE(Match(options).Run({}).ok());
}

TEST(MatchTest, ReportAgreesWithTheGames) {
  MatchOptions options = SmallMatch(10);
  const MatchReport report = Play(options);
  int halves = 0;
  for (const PlayedGame& played : report.games) halves += HalfPoints(played, 0);
  const std::string text = ReportText(options, report);
  char points[32];
  std::snprintf(points, sizeof points, "%.1f", halves / 2.0);
  EXPECT_THAT(text, HasSubstr(points));
  EXPECT_THAT(text, HasSubstr("of 10, Elo"));
}

}  // namespace
}  // namespace chuhe
