// `savetree` and `loadtree`: a long analysis goes on after a restart.
#include <algorithm>
#include <fstream>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/protocol/chat.h"
#include "tests/engine/protocol/fake_searcher.h"
#include "tests/engine/protocol/tree_factory.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

class TreeFileSessionTest : public ::testing::Test {
 protected:
  void Save() {
    Chat chat(TreeFactory("one"));
    chat.Send("uci\nposition startpos moves h2e2 h9g7\ngo nodes 3000");
    chat.Expect("bestmove");
    chat.Send("savetree " + path_);
    EXPECT_THAT(chat.Expect("info string tree"), HasSubstr("tree saved in "));
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("session tree.chutree");
};

TEST_F(TreeFileSessionTest, ALoadedTreeIsSearchedOn) {
  Save();
  Chat chat(TreeFactory("one"));
  chat.Send("uci\nloadtree " + path_);
  EXPECT_THAT(chat.Expect("info string tree"), HasSubstr("tree loaded from "));
  // The position came with it, and so did what was found out: one node alone has no such line.
  chat.Send("d");
  EXPECT_THAT(chat.Expect("Fen: "), HasSubstr("1c4nc1"));
  chat.Send("go nodes 1");
  const std::string info = chat.Expect("info depth ");
  EXPECT_GT(
      std::count(info.begin() + static_cast<std::ptrdiff_t>(info.find(" pv ")), info.end(), ' '),
      3);
  chat.Expect("bestmove");
}

TEST_F(TreeFileSessionTest, TheGameOfTheFileMayBeSentAgain) {
  Save();
  Chat chat(TreeFactory("one"));
  chat.Send("ucci\nloadtree " + path_ + "\nposition startpos moves h2e2 h9g7\nsavetree " + path_);
  chat.Expect("info message tree loaded from ");
  EXPECT_THAT(chat.Expect("info message tree"), HasSubstr("tree saved in "));
}

TEST_F(TreeFileSessionTest, ATreeOfAnotherNetworkIsRefused) {
  Save();
  Chat chat(TreeFactory("two"));
  chat.Send("uci\nloadtree " + path_);
  EXPECT_THAT(chat.Expect("info string "), HasSubstr("network"));
}

TEST_F(TreeFileSessionTest, WhatIsNoTreeIsRefusedAndThePositionStays) {
  std::ofstream(path_) << "no tree";
  Chat chat(TreeFactory("one"));
  chat.Send("uci\nposition startpos moves h2e2\nloadtree " + path_);
  EXPECT_THAT(chat.Expect("info string "), HasSubstr("session tree.chutree"));
  chat.Send("loadtree\nd");
  EXPECT_THAT(chat.Expect("info string "), HasSubstr("expected the name of a file"));
  EXPECT_THAT(chat.Expect("Fen: "), HasSubstr("/1C2C4/"));
}

TEST_F(TreeFileSessionTest, WithoutAnythingSearchedThereIsNothingToSave) {
  Chat chat(TreeFactory("one"));
  chat.Send("uci\nsavetree " + path_);
  EXPECT_THAT(chat.Expect("info string "), HasSubstr("a tree is saved when"));
  EXPECT_FALSE(std::ifstream(path_));
}

TEST_F(TreeFileSessionTest, ASearcherWithoutATreeSaysSo) {
  Chat chat(FakeFactory(std::make_shared<FakeLog>()));
  chat.Send("uci\nsavetree " + path_);
  EXPECT_THAT(chat.Expect("info string "), HasSubstr("keeps no tree"));
}

}  // namespace
}  // namespace chuhe
