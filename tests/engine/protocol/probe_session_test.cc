// `probe`: what the searched tree holds of a position.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/protocol/chat.h"
#include "tests/engine/protocol/tree_factory.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr char kStored[] =
    "pophash bestmove [a-i][0-9][a-i][0-9] lowerbound (-?[0-9]+) depth ([0-9]+) "
    "upperbound (-?[0-9]+) depth ([0-9]+)";

class ProbeSessionTest : public ::testing::Test {
 protected:
  std::string Probe(const std::string& position) {
    chat_.Send("probe " + position);
    return chat_.Expect("pophash");
  }
  // The word behind another one.
  static std::string Behind(const std::string& word, const std::string& line) {
    const size_t at = line.find(word + " ") + word.size() + 1;
    return line.substr(at, line.find(' ', at) - at);
  }

  Chat chat_{TreeFactory("one")};
};

TEST_F(ProbeSessionTest, ShowsTheRootAsTheSearchDid) {
  chat_.Send("ucci\nposition startpos moves h2e2 h9g7\ngo nodes 3000");
  const std::string best = chat_.Expect("bestmove");
  const std::string stored = Probe("startpos moves h2e2 h9g7");
  EXPECT_THAT(stored, MatchesRegex(kStored));
  EXPECT_EQ(Behind("bestmove", stored), Behind("bestmove", best));
  EXPECT_EQ(Behind("lowerbound", stored), Behind("upperbound", stored));
}

TEST_F(ProbeSessionTest, KnowsThePositionsBelowTheRootAndThoseThatTheGameCameBy) {
  chat_.Send("ucci\nposition startpos\ngo nodes 3000");
  const std::string move = Behind("bestmove", chat_.Expect("bestmove"));
  const std::string below = Probe("startpos moves " + move);
  EXPECT_THAT(below, MatchesRegex(kStored));
  const std::string reply = Behind("bestmove", below);
  chat_.Send("position startpos moves " + move + " " + reply + "\ngo nodes 1000");
  chat_.Expect("bestmove");
  EXPECT_THAT(Probe("startpos"), HasSubstr("bestmove " + move));
  EXPECT_THAT(Probe("startpos moves " + move), MatchesRegex(kStored));
}

TEST_F(ProbeSessionTest, KnowsAPositionOfTheGameByItsFenAlone) {
  chat_.Send("ucci\nposition startpos moves h2e2 h9g7\ngo nodes 3000");
  chat_.Expect("bestmove");
  const std::string fen =
      "fen rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 0 1";
  EXPECT_EQ(Probe(fen), Probe("startpos moves h2e2 h9g7"));
  EXPECT_THAT(Probe(fen + " moves h0g2"), HasSubstr("pophash "));
}

TEST_F(ProbeSessionTest, IsBareForWhatIsNotInTheTree) {
  EXPECT_EQ(Probe("startpos"), "pophash");
  chat_.Send("ucci\nposition startpos moves h2e2 h9g7\ngo nodes 100");
  chat_.Expect("bestmove");
  EXPECT_EQ(Probe("startpos moves b2e2"), "pophash");
  EXPECT_EQ(Probe("startpos"), "pophash");
  EXPECT_EQ(Probe("fen 3k5/4P4/9/9/9/9/9/9/9/4K4 w"), "pophash");
}

TEST_F(ProbeSessionTest, IsAnsweredWhileTheSearchGoesOn) {
  chat_.Send("ucci\nposition startpos\ngo infinite");
  chat_.Expect("info depth");
  for (int i = 0; i < 20; ++i) EXPECT_THAT(Probe("startpos"), HasSubstr("pophash "));
  chat_.Send("stop");
  chat_.Expect("bestmove");
}

TEST_F(ProbeSessionTest, GivesOneBoundForMates) {
  // The rook mates in one.
  chat_.Send("ucci\nposition fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w\ngo nodes 2000");
  const std::string move = Behind("bestmove", chat_.Expect("bestmove"));
  EXPECT_EQ(Probe("fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w"),
            "pophash bestmove " + move + " lowerbound 29999 depth 1");
}

}  // namespace
}  // namespace chuhe
