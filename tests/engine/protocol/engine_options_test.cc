#include "engine/protocol/engine_options.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class EngineOptionsTest : public ::testing::Test {
 protected:
  absl::Status SetUci(const std::string& name, const std::string& value) {
    return table_.Set(name, value, /*is_bare=*/false);
  }
  absl::Status SetUcci(const std::string& name, const std::string& value) {
    return table_.Set(name, value, /*is_bare=*/true);
  }
  std::vector<std::string> Lines(Dialect dialect) const {
    return absl::StrSplit(table_.Lines(dialect), '\n');
  }

  EngineOptions options_;
  int new_games_ = 0;
  int cleared_ = 0;
  EngineOptionTable table_{&options_, [this] { ++new_games_; }, [this] { ++cleared_; }};
};

TEST_F(EngineOptionsTest, BothProtocolsNamesAreUnderstood) {
  EXPECT_TRUE(SetUci("Hash", "32").ok());
  EXPECT_EQ(options_.searcher.hash_mb, 32);
  EXPECT_TRUE(SetUcci("hashsize", "16").ok());
  EXPECT_EQ(options_.searcher.hash_mb, 16);
  EXPECT_TRUE(SetUcci("Threads", "2").ok());
  EXPECT_EQ(options_.searcher.threads, 2);
  EXPECT_TRUE(SetUci("usemillisec", "on").ok());
  EXPECT_TRUE(options_.milliseconds);
  EXPECT_TRUE(SetUcci("Ponder", "true").ok());
  EXPECT_TRUE(options_.ponder);
}

TEST_F(EngineOptionsTest, NamesOfSeveralWordsAreFoundWithoutMarks) {
  EXPECT_TRUE(SetUcci("Move", "Overhead  50").ok());
  EXPECT_EQ(options_.move_overhead_ms, 50);
  EXPECT_TRUE(SetUcci("Move_Overhead", "60").ok());
  EXPECT_EQ(options_.move_overhead_ms, 60);
  EXPECT_TRUE(SetUcci("Clear", "Hash").ok());
  EXPECT_EQ(cleared_, 1);
}

TEST_F(EngineOptionsTest, ButtonsArePressed) {
  EXPECT_TRUE(SetUcci("newgame", "").ok());
  EXPECT_TRUE(SetUci("Clear Hash", "").ok());
  EXPECT_EQ(new_games_, 1);
  EXPECT_EQ(cleared_, 1);
}

TEST_F(EngineOptionsTest, StandardOptionsWithoutEffectAreTaken) {
  for (const char* name :
       {"useegtb", "egtbpaths", "evalapi", "idle", "promotion", "pruning", "knowledge",
        "randomness", "style", "selectivity", "drawmoves", "usehash", "loadbook"}) {
    EXPECT_TRUE(SetUcci(name, "whatever it is").ok()) << name;
  }
}

TEST_F(EngineOptionsTest, UnknownNamesAndWrongValuesAreToldApart) {
  absl::Status status = SetUci("NumaPolicy", "auto");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  status = SetUcci("hashsiez", "16");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("hashsize"));
  status = SetUci("Hash", "many");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("Hash is a whole number from 0 to 65536, not 'many'"));
  EXPECT_EQ(options_.searcher.hash_mb, EngineOptions().searcher.hash_mb);
  EXPECT_FALSE(SetUcci("", "").ok());
}

TEST_F(EngineOptionsTest, RuleSetsHaveOurNamesAndPikafishs) {
  EXPECT_TRUE(SetUci("Repetition Rule", "axf").ok());
  EXPECT_EQ(options_.rules, RuleSet::kAxf);
  EXPECT_TRUE(SetUci("Repetition Rule", "ChineseRule").ok());
  EXPECT_EQ(options_.rules, RuleSet::kCxa);
  EXPECT_TRUE(SetUci("repetition rule", "ComputerRule").ok());
  EXPECT_EQ(options_.rules, RuleSet::kPikafish);
  EXPECT_TRUE(SetUcci("repetition", "asianrule").ok());
  EXPECT_EQ(options_.rules, RuleSet::kAxf);
  EXPECT_FALSE(SetUci("Repetition Rule", "SkyRule").ok());
  EXPECT_EQ(options_.rules, RuleSet::kAxf);
}

TEST_F(EngineOptionsTest, TheVariantTurnsTheSquares) {
  EXPECT_FALSE(SetUci("UCI_Variant", "chess").ok());
  EXPECT_EQ(options_.squares, RankBase::kZero);
  EXPECT_TRUE(SetUci("UCI_Variant", "xiangqi").ok());
  EXPECT_EQ(options_.squares, RankBase::kOne);
}

TEST_F(EngineOptionsTest, PathsAreTakenAsTheyAre) {
  EXPECT_TRUE(SetUci("EvalFile", "D:\\象棋 引擎\\网络 1.bin").ok());
  EXPECT_EQ(options_.searcher.network_file, "D:\\象棋 引擎\\网络 1.bin");
  EXPECT_TRUE(SetUci("EvalFile", "<empty>").ok());
  EXPECT_EQ(options_.searcher.network_file, "");
}

TEST_F(EngineOptionsTest, NetworkAndPlayAreSetByEitherProtocol) {
  EXPECT_TRUE(SetUcci("network", "my net.safetensors").ok());
  EXPECT_EQ(options_.searcher.network_file, "my net.safetensors");
  EXPECT_TRUE(SetUci("Device", "cuda:0,1").ok());
  EXPECT_EQ(options_.searcher.device, "cuda:0,1");
  EXPECT_TRUE(SetUci("Batch Size", "32").ok());
  EXPECT_EQ(options_.searcher.batch_size, 32);
  EXPECT_FALSE(options_.batch);
  EXPECT_TRUE(SetUcci("evenscore", "-20").ok());
  EXPECT_EQ(options_.searcher.draw_score_percent, -20);
  EXPECT_FALSE(SetUci("Draw Score", "101").ok());
  EXPECT_TRUE(SetUci("Node Limit", "800").ok());
  EXPECT_EQ(options_.node_limit, 800);
  EXPECT_TRUE(SetUcci("usebook", "false").ok());
  EXPECT_FALSE(options_.searcher.uses_book);
  EXPECT_TRUE(SetUcci("bookfiles", "D:\\棋\\BOOK.DAT").ok());
  EXPECT_EQ(options_.searcher.book_file, "D:\\棋\\BOOK.DAT");
}

TEST_F(EngineOptionsTest, UciLinesListWhatGuisAskFor) {
  const std::vector<std::string> lines = Lines(Dialect::kUci);
  EXPECT_THAT(lines, Contains("option name UCI_Variant type combo default xiangqi var xiangqi"));
  EXPECT_THAT(lines, Contains("option name Hash type spin default 64 min 0 max 65536"));
  EXPECT_THAT(lines, Contains("option name Clear Hash type button"));
  EXPECT_THAT(lines,
              Contains("option name Repetition Rule type combo default computer var computer "
                       "var pikafish var axf var cxa"));
  for (const char* name :
       {"Threads", "MultiPV", "Ponder", "UCI_ShowWDL", "UCI_AnalyseMode", "Move Overhead"}) {
    EXPECT_THAT(lines, Contains(StartsWith(std::string("option name ") + name + " type "))) << name;
  }
  for (const std::string& line : lines) {
    EXPECT_THAT(line, StartsWith("option name "));
    EXPECT_THAT(line, Not(HasSubstr("usemillisec")));
  }
}

TEST_F(EngineOptionsTest, UcciLinesHaveOneLowerCaseWordAndItsGrammar) {
  const std::vector<std::string> lines = Lines(Dialect::kUcci);
  EXPECT_THAT(lines, Contains("option usemillisec type check default false"));
  EXPECT_THAT(lines, Contains("option hashsize type spin min 0 max 65536 default 64"));
  EXPECT_THAT(lines, Contains("option newgame type button"));
  EXPECT_THAT(lines, Contains("option repetition type combo var computer var pikafish var axf var "
                              "cxa default computer"));
  for (const std::string& line : lines) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    ASSERT_GE(words.size(), 4u) << line;
    EXPECT_EQ(words[0], "option");
    EXPECT_THAT(words[1], ::testing::MatchesRegex("[a-z]+"));
    EXPECT_EQ(words[2], "type");
    // gmchess looks for these letters in every line.
    EXPECT_THAT(line, Not(HasSubstr("draw")));
    EXPECT_THAT(line, Not(HasSubstr("resign")));
  }
}

}  // namespace
}  // namespace chuhe
