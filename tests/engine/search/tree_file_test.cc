#include "engine/search/tree_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/eval/simple_evaluators.h"
#include "engine/search/checked_file.h"
#include "engine/search/tree_search.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

constexpr char kNetwork[] = "0123abcd";

void Visit(TreeSearch* search, int64_t visits) {
  const int64_t end = search->visits() + visits;
  while (search->visits() < end) {
    if (search->RunBatch(static_cast<int>(end - search->visits())) == 0) break;
  }
}

std::string ReadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void WriteBytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class TreeFileTest : public testing::Test {
 protected:
  TreeFileTest() {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::temp_directory_path() / ("chuhe_tree_file_" + std::string(test->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~TreeFileTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  // The whole tree as bytes.
  std::string BytesOf(const TreeSearch& search) {
    EXPECT_TRUE(SaveTree(search, kNetwork, Path("bytes")).ok());
    return ReadBytes(Path("bytes"));
  }
  absl::Status Load(const std::string& path, TreeSearch* search) {
    return LoadTree(path, kNetwork, RuleSet::kComputer, search);
  }

  HashEvaluator evaluator_;
  std::filesystem::path folder_;
};

TEST_F(TreeFileTest, ALoadedTreeSearchesOnAsTheSavedOne) {
  for (const int batch : {1, 8}) {
    const TreeSearchOptions options{.batch_size = batch};
    TreeSearch saved(&evaluator_, options);
    saved.SetRoot(PlayGame(kStartFen, "h2e2 h9g7"));
    Visit(&saved, 3000);
    ASSERT_TRUE(SaveTree(saved, kNetwork, Path("tree")).ok());
    TreeSearch loaded(&evaluator_, options);
    ASSERT_TRUE(Load(Path("tree"), &loaded).ok());
    EXPECT_EQ(loaded.visits(), 3000);
    EXPECT_EQ(loaded.game().position(), saved.game().position());
    EXPECT_EQ(loaded.tree().used_bytes(), saved.tree().used_bytes());
    EXPECT_EQ(BytesOf(loaded), BytesOf(saved));
    Visit(&saved, 2000);
    Visit(&loaded, 2000);
    EXPECT_EQ(BytesOf(loaded), BytesOf(saved));
  }
}

TEST_F(TreeFileTest, ProofsAndRepetitionsSurvive) {
  for (const std::string fen :
       {"9/n3Rc3/5k1PR/9/6r2/7c1/1r7/3A1p2N/4K3p/9 w", "3k5/7R1/9/8R/9/9/4p4/9/r8/4K4 b",
        "2c3P2/9/1n2k4/7N1/9/8r/1p7/9/2N1r1C2/1R2CK3 b"}) {
    UniformEvaluator evaluator;
    TreeSearch saved(&evaluator, {});
    saved.SetRoot(PlayGame(fen, ""));
    Visit(&saved, 2000);
    TreeSearch loaded(&evaluator, {});
    WriteBytes(Path("tree"), BytesOf(saved));
    ASSERT_TRUE(Load(Path("tree"), &loaded).ok());
    EXPECT_EQ(loaded.is_decided(), saved.is_decided());
    Visit(&saved, 500);
    Visit(&loaded, 500);
    EXPECT_EQ(BytesOf(loaded), BytesOf(saved));
  }
}

TEST_F(TreeFileTest, TheWayBackIsSavedToo) {
  TreeSearch saved(&evaluator_, {});
  Game game(Position::Start());
  saved.SetRoot(game);
  Visit(&saved, 2000);
  const uint32_t at_start = saved.root_edge().visits;
  game.Make(saved.RankedRootMoves().front().move);
  saved.SetRoot(game);
  Visit(&saved, 500);
  ASSERT_TRUE(SaveTree(saved, kNetwork, Path("tree")).ok());
  TreeSearch loaded(&evaluator_, {});
  ASSERT_TRUE(Load(Path("tree"), &loaded).ok());
  EXPECT_EQ(loaded.root_edge().visits, saved.root_edge().visits);
  loaded.SetRoot(Game(Position::Start()));
  EXPECT_EQ(loaded.root_edge().visits, at_start);
}

TEST_F(TreeFileTest, SaysWhatItBelongsTo) {
  TreeSearch search(&evaluator_, {});
  search.SetRoot(PlayGame(kStartFen, "h2e2 h9g7", RuleSet::kAxf));
  Visit(&search, 10);
  ASSERT_TRUE(SaveTree(search, kNetwork, Path("tree")).ok());
  const auto info = ReadTreeFileInfo(Path("tree"));
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->network, kNetwork);
  EXPECT_EQ(info->game.options().rules, RuleSet::kAxf);
  EXPECT_EQ(info->game.plies(), 2);
  EXPECT_EQ(info->game.position(), search.game().position());
}

TEST_F(TreeFileTest, OnlyASearchAtRestIsSaved) {
  TreeSearch search(&evaluator_, {});
  search.SetRoot(Game(Position::Start()));
  EXPECT_EQ(SaveTree(search, kNetwork, Path("tree")).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_FALSE(std::filesystem::exists(Path("tree")));
}

TEST_F(TreeFileTest, AFailedSaveLeavesNothingBehind) {
  TreeSearch search(&evaluator_, {});
  search.SetRoot(Game(Position::Start()));
  Visit(&search, 10);
  const absl::Status status = SaveTree(search, kNetwork, Path("no_such_folder/tree"));
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("no_such_folder/tree"));
  // A folder stands where the file should go.
  std::filesystem::create_directories(Path("taken/inside"));
  EXPECT_FALSE(SaveTree(search, kNetwork, Path("taken")).ok());
  EXPECT_FALSE(std::filesystem::exists(Path("taken.part")));
}

// Files that must not be taken, and a search that must stay as it was.
class TreeFileErrorTest : public TreeFileTest {
 protected:
  TreeFileErrorTest() : search_(&evaluator_, {}) {
    search_.SetRoot(Game(Position::Start()));
    Visit(&search_, 50);
    EXPECT_TRUE(SaveTree(search_, kNetwork, Path("good")).ok());
    good_ = ReadBytes(Path("good"));
    search_.SetRoot(PlayGame(kStartFen, "b2e2"));
    Visit(&search_, 20);
    before_ = BytesOf(search_);
  }
  void ExpectRefused(const std::string& bytes, const std::string& message) {
    WriteBytes(Path("bad"), bytes);
    const absl::Status status = Load(Path("bad"), &search_);
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
    EXPECT_THAT(std::string(status.message()), HasSubstr(Path("bad")));
  }
  ~TreeFileErrorTest() override { EXPECT_EQ(BytesOf(search_), before_); }

  TreeSearch search_;
  std::string good_;
  std::string before_;
};

TEST_F(TreeFileErrorTest, RefusesWhatIsNoTreeFile) {
  EXPECT_EQ(Load(Path("nothing"), &search_).code(), absl::StatusCode::kNotFound);
  ExpectRefused("", "no such file");
  ExpectRefused("CHU", "no such file");
  ExpectRefused("some text that is long enough for a checksum", "no such file");
  ExpectRefused("CHUTREE\n", "cut off");
}

TEST_F(TreeFileErrorTest, RefusesTruncatedFiles) {
  for (size_t size = 8; size < good_.size(); size += 1 + size / 7) {
    ExpectRefused(good_.substr(0, size), "cut off");
  }
  ExpectRefused(good_.substr(0, good_.size() - 1), "cut off");
  ExpectRefused(good_ + "x", "checksum");
}

TEST_F(TreeFileErrorTest, RefusesDamagedFiles) {
  for (size_t i = 8; i < good_.size(); i += 1 + i / 9) {
    std::string bytes = good_;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
    ExpectRefused(bytes, "checksum");
  }
}

TEST_F(TreeFileErrorTest, RefusesTreesOfOtherNetworksAndRules) {
  const absl::Status network = LoadTree(Path("good"), "another", RuleSet::kComputer, &search_);
  EXPECT_THAT(std::string(network.message()), HasSubstr("'0123abcd', not of 'another'"));
  const absl::Status rules = LoadTree(Path("good"), kNetwork, RuleSet::kAxf, &search_);
  EXPECT_THAT(std::string(rules.message()), HasSubstr("'computer', not 'axf'"));
}

TEST_F(TreeFileErrorTest, RefusesTreesThatNeedMoreMemoryThanThereIs) {
  TreeSearch large(&evaluator_, {});
  large.SetRoot(Game(Position::Start()));
  Visit(&large, 3000);
  ASSERT_TRUE(SaveTree(large, kNetwork, Path("large")).ok());
  TreeSearch small(&evaluator_, {.max_tree_bytes = Tree::kMinBytes});
  const absl::Status status = Load(Path("large"), &small);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_FALSE(small.has_root_evaluation());
}

// Files with a checksum that matches and contents that nobody can have written.
struct Forged {
  uint32_t version = 2;
  std::string fen = kStartFen;
  std::vector<uint16_t> moves;
  uint32_t top_ply = 0;
  int move_count = 44;
  std::vector<Move> edges = {Move(1, 20)};  // b0c2
  uint8_t has_exact_priors = 0;             // from version 2 on
  uint16_t edge_prior = 100;
  uint16_t prior = 10;  // of all others
  float value = 0.5f;
  std::string tail;
};

std::string Forge(const std::string& path, const Forged& forged) {
  CheckedFileWriter file(path);
  file.Bytes("CHUTREE\n", 8);
  file.Number(forged.version);
  file.Text(kNetwork);
  file.Text("computer");
  file.Text(forged.fen);
  file.Number(uint32_t{0});
  file.Number(uint32_t{0});
  file.Number(static_cast<uint32_t>(forged.moves.size()));
  for (const uint16_t move : forged.moves) file.Number(move);
  file.Number(forged.top_ply);
  file.Number(uint64_t{1});
  file.Number(uint64_t{1});
  file.Number(uint32_t{1});
  file.Number(uint8_t{0});
  const auto write_edge = [&](Move move, float value) {
    file.Number(uint32_t{1});
    file.Number(value);
    file.Number(0.5f);
    file.Number(30.0f);
    file.Number(forged.edge_prior);
    file.Number(move.bits());
    file.Number(uint16_t{0});
    file.Number(uint8_t{0});
  };
  write_edge(Move(), 0);
  write_edge(Move(), 0);
  file.Number(0.25f);
  file.Number(static_cast<uint8_t>(forged.move_count));
  file.Number(static_cast<uint8_t>(forged.edges.size()));
  if (forged.version != 1) file.Number(forged.has_exact_priors);
  MoveList legal;
  GenerateLegal(Position::Start(), &legal);
  for (const Move move : legal) {
    const bool has_edge =
        std::find(forged.edges.begin(), forged.edges.end(), move) != forged.edges.end();
    file.Number(has_edge ? uint16_t{0} : forged.prior);
  }
  for (const Move move : forged.edges) write_edge(move, forged.value);
  file.Bytes(forged.tail.data(), forged.tail.size());
  EXPECT_TRUE(file.Finish().ok());
  return ReadBytes(path);
}

// A prior that takes more than a byte to tell.
constexpr uint16_t kFinePrior = 1001;

uint16_t PriorOfUntried(const TreeSearch& search) {
  for (const Edge& move : search.RootMoves()) {
    if (move.visits == 0) return move.prior;
  }
  return 0;
}

TEST_F(TreeFileTest, ReadsVersionOneWithItsExactPriors) {
  TreeSearch old(&evaluator_, {});
  Forge(Path("old"), {.version = 1, .prior = kFinePrior});
  ASSERT_TRUE(Load(Path("old"), &old).ok());
  EXPECT_EQ(PriorOfUntried(old), kFinePrior);
  TreeSearch exact(&evaluator_, {});
  Forge(Path("exact"), {.has_exact_priors = 1, .prior = kFinePrior});
  ASSERT_TRUE(Load(Path("exact"), &exact).ok());
  EXPECT_EQ(PriorOfUntried(exact), kFinePrior);
  // The tree is the same, and is saved in the same way.
  EXPECT_EQ(BytesOf(old), BytesOf(exact));
  TreeSearch coarse(&evaluator_, {});
  Forge(Path("coarse"), {.prior = kFinePrior});
  ASSERT_TRUE(Load(Path("coarse"), &coarse).ok());
  EXPECT_NE(PriorOfUntried(coarse), kFinePrior);
  EXPECT_NEAR(PriorOfUntried(coarse), kFinePrior, kFinePrior / 32);
}

TEST_F(TreeFileTest, ExactTreesStayExact) {
  const TreeSearchOptions options{.has_exact_priors = true};
  TreeSearch saved(&evaluator_, options);
  saved.SetRoot(Game(Position::Start()));
  Visit(&saved, 1000);
  ASSERT_TRUE(SaveTree(saved, kNetwork, Path("tree")).ok());
  TreeSearch loaded(&evaluator_, options);
  ASSERT_TRUE(Load(Path("tree"), &loaded).ok());
  EXPECT_EQ(loaded.tree().used_bytes(), saved.tree().used_bytes());
  Visit(&saved, 500);
  Visit(&loaded, 500);
  EXPECT_EQ(BytesOf(loaded), BytesOf(saved));
}

TEST_F(TreeFileErrorTest, RefusesForgedContents) {
  // Nothing is wrong with the example itself.
  TreeSearch other(&evaluator_, {});
  Forge(Path("forged"), {});
  const absl::Status status = Load(Path("forged"), &other);
  ASSERT_TRUE(status.ok()) << status;
  Visit(&other, 100);

  struct Case {
    Forged forged;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{.version = 3}, "version 3; this program reads versions 1 and 2"},
      {{.version = 0}, "version 0"},
      {{.has_exact_priors = 2}, "does not fit"},
      {{.fen = "9/9/9 w"}, "FEN"},
      {{.moves = {Move(1, 2).bits()}}, "ply 1"},
      {{.moves = {0xffff}}, "ply 1"},
      {{.top_ply = 1}, "top of the tree"},
      {{.move_count = 43}, "does not fit"},
      {{.edges = {Move(1, 2)}}, "not legal"},
      {{.edges = {Move(1, 20), Move(1, 20)}}, "twice"},
      {{.edge_prior = 0}, "not legal"},
      {{.prior = 0}, "no prior"},
      {{.value = 1.5f}, "cannot be"},
      {{.value = NAN}, "cannot be"},
      {{.tail = "x"}, "behind the tree"},
      {{.fen = "3k5/9/9/9/9/9/9/9/9/4K4 w"}, "does not fit"},
  };
  for (const Case& c : cases) ExpectRefused(Forge(Path("forged"), c.forged), c.message);
}

}  // namespace
}  // namespace chuhe
