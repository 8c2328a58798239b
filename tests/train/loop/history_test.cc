#include "train/loop/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>

#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

std::vector<Generation> TwoGenerations() {
  Generation first;
  first.sha256 = std::string(64, 'a');
  first.ladder = {{"gen-0", "random", 1, 2, 3}};
  Generation second;
  second.number = 1;
  second.sha256 = std::string(64, 'b');
  second.steps = 500;
  second.games = 64;
  second.positions = 4000;
  second.play = {60, 123'456, 20, 30, 10, 88.5, 80, {{"checkmate", 30}, {"ply-cap", 30}}, 5, 1};
  second.losses = {{250, 6.5, 1.0, 7.75}, {500, 5.5, 0.9, 6.5}};
  second.seconds = 12.5;
  second.positions_per_s = 300;
  second.evaluations_per_s = 5000;
  second.samples_per_s = 900;
  return {first, second};
}

TEST(HistoryTest, ReadsWhatItWrote) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("history.json");
  ASSERT_TRUE(WriteHistory(path, TwoGenerations()).ok());
  const absl::StatusOr<std::vector<Generation>> read = ReadHistory(path);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, TwoGenerations());
}

TEST(HistoryTest, SumsUpEvaluations) {
  std::vector<Generation> generations = TwoGenerations();
  generations.push_back(generations.back());
  EXPECT_THAT(EvaluationsUpTo(generations), ::testing::ElementsAre(0, 123'456, 246'912));
}

TEST(HistoryTest, ReadsHistoriesThatDidNotCountEvaluations) {
  const std::vector<Generation> generations = TwoGenerations();
  std::string text = FormatHistory(generations);
  text = std::regex_replace(text, std::regex("\"version\": 2"), "\"version\": 1");
  text = std::regex_replace(text, std::regex("\"evaluations\": [0-9]+,"), "");
  const absl::StatusOr<std::vector<Generation>> read = ParseHistory(text, "run.json");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->at(1).play.evaluations, 0);
  EXPECT_EQ(read->at(1).play.games, generations[1].play.games);
}

TEST(HistoryTest, HasNoGenerationsWhereThereIsNoFile) {
  const testing::TemporaryFolder folder;
  const absl::StatusOr<std::vector<Generation>> read = ReadHistory(folder.path("history.json"));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->empty());
}

TEST(HistoryTest, RefusesOtherFilesByName) {
  struct Case {
    const char* text;
    const char* error;
  };
  for (const Case& bad : {
           Case{"", "run.json: no history of a run"},
           Case{"[1, 2]", "run.json: no history of a run"},
           Case{R"({"version": 7, "generations": []})", "run.json: version 7; expected 2"},
           Case{R"({"version": 1, "generations": [{"number": 0}]})", "key 'sha256' not found"},
       }) {
    const absl::Status status = ParseHistory(bad.text, "run.json").status();
    EXPECT_FALSE(status.ok()) << bad.text;
    EXPECT_NE(status.message().find(bad.error), absl::string_view::npos) << status;
  }
}

TEST(HistoryTest, RefusesGenerationsOutOfOrder) {
  std::vector<Generation> generations = TwoGenerations();
  generations[1].number = 2;
  const absl::Status status = ParseHistory(FormatHistory(generations), "run.json").status();
  EXPECT_EQ(status.message(), "run.json: generation 2 where generation 1 was expected");
}

}  // namespace
}  // namespace chuhe
