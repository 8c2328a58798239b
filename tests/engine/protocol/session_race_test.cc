// What arrives at awkward moments: ends of input, stops and quits while the other thread prints,
// searchers that take their time to be made, and random lines. Run under ThreadSanitizer too.
#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/random.h"
#include "engine/search/alphabeta.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/protocol/chat.h"
#include "tests/engine/protocol/fake_searcher.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

class SessionRaceTest : public ::testing::TestWithParam<const char*> {
 protected:
  // All lines of a session that is sent these lines after the handshake and ends then.
  std::vector<std::string> Lines(const std::string& lines) {
    Chat chat(FakeFactory(std::make_shared<FakeLog>()));
    chat.Send(std::string(GetParam()) + "\n" + lines);
    return chat.Finish();
  }
  static int Answers(const std::vector<std::string>& lines) {
    return Count(lines, "bestmove") + Count(lines, "nobestmove");
  }
};

INSTANTIATE_TEST_SUITE_P(BothProtocols, SessionRaceTest, ::testing::Values("uci", "ucci"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(SessionRaceTest, EndOfInputInIdle) {
  EXPECT_EQ(Answers(Lines("isready")), 0);
  EXPECT_EQ(Count(Lines("isready"), "readyok"), 1);
}

TEST_P(SessionRaceTest, EndOfInputAndQuitWhileThinkingAreAnswered) {
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(Answers(Lines("go infinite")), 1);
    EXPECT_EQ(Answers(Lines("go depth 60\nquit")), 1);
    EXPECT_EQ(Answers(Lines("go ponder time 20 increment 0\nquit\ngo depth 1")), 1);
  }
}

TEST_P(SessionRaceTest, StopTenTimesHasOneAnswer) {
  for (int i = 0; i < 30; ++i) {
    std::string lines = "go infinite";
    for (int j = 0; j < 10; ++j) {
      lines += "\nstop";
    }
    EXPECT_EQ(Answers(Lines(lines)), 1);
  }
}

TEST_P(SessionRaceTest, EachGoHasOneAnswer) {
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    lines += "position startpos moves h2e2\ngo ponder time 9 increment 0\nisready\nponderhit\n";
    lines += "go infinite\ngo depth 60\nstop\n";
  }
  EXPECT_EQ(Answers(Lines(lines + "isready")), 120);
  EXPECT_EQ(Count(Lines(lines + "isready"), "readyok"), 41);
}

TEST_P(SessionRaceTest, QuitWhileTheSearchPrints) {
  // Prints as fast as it can until it is stopped.
  class Talker : public FakeSearcher {
   public:
    Talker() : FakeSearcher(std::make_shared<FakeLog>()) {}
    SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                        const ProgressSink& sink) override {
      SearchResult result;
      do {
        SearchLimits one = limits;
        one.infinite = false;
        result = FakeSearcher::Search(one, signal, sink);
      } while (!signal.stop_requested());
      return result;
    }
  };
  for (int i = 0; i < 20; ++i) {
    Chat chat([](const SearcherOptions&) -> absl::StatusOr<MadeSearcher> {
      MadeSearcher made;
      made.searcher = std::make_unique<Talker>();
      return made;
    });
    chat.Send(absl::StrCat(GetParam(), "\ngo infinite"));
    chat.Expect("info depth");
    chat.Send("isready\nquit");
    const std::vector<std::string> lines = chat.Finish();
    EXPECT_EQ(Answers(lines), 1);
    EXPECT_EQ(Count(lines, "readyok"), 1);
    const std::string last = GetParam() == std::string("ucci") ? "bye" : "bestmove";
    EXPECT_TRUE(absl::StartsWith(lines.back(), last)) << lines.back();
  }
}

// A factory whose work lasts until it is let go.
class SlowFactory {
 public:
  SearcherFactory Factory() {
    return [this](const SearcherOptions& options) -> absl::StatusOr<MadeSearcher> {
      std::unique_lock lock(mutex_);
      ++made_;
      changed_.wait(lock, [this] { return may_go_; });
      if (options.network_file == "missing") {
        return absl::NotFoundError("no file missing");
      }
      MadeSearcher made;
      made.searcher = std::make_unique<FakeSearcher>(log_);
      made.notices = {"a notice"};
      return made;
    };
  }
  void LetGo() {
    {
      const std::lock_guard lock(mutex_);
      may_go_ = true;
    }
    changed_.notify_all();
  }
  int made() const { return made_; }
  const std::shared_ptr<FakeLog>& log() const { return log_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool may_go_ = false;
  std::atomic<int> made_ = 0;
  std::shared_ptr<FakeLog> log_ = std::make_shared<FakeLog>();
};

TEST(SearcherMakingTest, GoesOnWhileTheHandshakeIsAnswered) {
  SlowFactory factory;
  Chat chat(factory.Factory());
  chat.Send("uci\nsetoption name Ponder value true\nisready\nposition startpos\ngo infinite\nstop");
  chat.Expect("uciok");
  factory.LetGo();
  chat.Expect("readyok");
  chat.Expect("info string a notice");
  chat.Expect("bestmove");
  EXPECT_EQ(factory.made(), 1);
}

TEST(SearcherMakingTest, AnotherOneIsMadeWhenItsOptionsChange) {
  SlowFactory factory;
  factory.LetGo();
  Chat chat(factory.Factory());
  chat.Send("ucci\nisready\nsetoption hashsize 16\nisready\ngo depth 2\nsetoption multipv 2");
  chat.Expect("bestmove");
  chat.Send("go depth 2");
  chat.Expect("bestmove");
  EXPECT_EQ(factory.made(), 2);
  EXPECT_EQ(Count(chat.Finish(), "info message a notice"), 1);
}

TEST(SearcherMakingTest, WhenItFailsTheOneBeforePlaysOn) {
  SlowFactory factory;
  factory.LetGo();
  Chat chat(factory.Factory());
  chat.Send("uci\nsetoption name EvalFile value missing\ngo depth 2");
  chat.Expect("info string no file missing");
  EXPECT_EQ(chat.Expect("bestmove"), "bestmove e0e1 ponder e9e8");
}

TEST(SearcherMakingTest, WithoutAnyThereIsStillAnAnswer) {
  Chat chat([](const SearcherOptions&) -> absl::StatusOr<MadeSearcher> {
    return absl::NotFoundError("nothing here");
  });
  chat.Send("uci\ngo depth 2");
  chat.Expect("info string nothing here");
  EXPECT_EQ(chat.Expect("bestmove"), "bestmove (none)");
}

// Lines of words that mean something, in any order, with the built-in searcher: the process lives,
// every line it says is of a known kind, and every `go` is answered.
TEST(RandomLinesTest, AreAnsweredOnceEach) {
  constexpr std::array<const char*, 40> kWords = {
      "uci",
      "ucci",
      "isready",
      "setoption",
      "name",
      "value",
      "Hash",
      "1",
      "position",
      "fen",
      "startpos",
      "moves",
      "h2e2",
      "h3e3",
      "h9g7",
      "banmoves",
      "go",
      "go",
      "depth",
      "2",
      "infinite",
      "ponder",
      "time",
      "-1",
      "nodes",
      "stop",
      "ponderhit",
      "draw",
      "wtime",
      "btime",
      "movetime",
      "0",
      "batch",
      "true",
      "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
      "b",
      "\xff\xfe",
      "probe",
      "ucinewgame",
      "searchmoves"};
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    Chat chat([](const SearcherOptions&) -> absl::StatusOr<MadeSearcher> {
      MadeSearcher made;
      made.searcher =
          std::make_unique<AlphaBetaSearcher>(AlphaBetaOptions{.depth = 2, .hash_bytes = 1 << 20});
      return made;
    });
    int goes = 0;
    for (int i = 0; i < 60; ++i) {
      std::string line = kWords[random.Below(kWords.size())];
      if (line == "go") {
        ++goes;
      }
      for (uint64_t words = random.Below(6); words > 0; --words) {
        absl::StrAppend(&line, " ", kWords[random.Below(kWords.size())]);
      }
      chat.Send(line);
    }
    chat.Send("uci\nstop");
    const std::vector<std::string> lines = chat.Finish();
    for (const std::string& line : lines) {
      const bool is_known = absl::StartsWith(line, "id ") || absl::StartsWith(line, "option ") ||
                            absl::StartsWith(line, "info ") ||
                            absl::StartsWith(line, "bestmove ") || line == "nobestmove" ||
                            line == "uciok" || line == "ucciok" || line == "readyok" ||
                            absl::StartsWith(line, "pophash");
      EXPECT_TRUE(is_known) << line;
    }
    // Idle stops of UCCI are answered too.
    EXPECT_GE(Count(lines, "bestmove") + Count(lines, "nobestmove"), goes);
  }
}

TEST(LongLinesTest, AreReadToTheirEnd) {
  const auto log = std::make_shared<FakeLog>();
  Chat chat(FakeFactory(log));
  std::string line = "position startpos moves";
  for (int i = 0; i < 1000; ++i) {
    line += " a0a1 a9a8 a1a0 a8a9";
  }
  ASSERT_GT(line.size(), 10000u);
  chat.Send("ucci\n" + line + "\ngo depth 1");
  chat.Expect("bestmove");
  EXPECT_EQ(log->last_call().plies, 4000);
}

}  // namespace
}  // namespace chuhe
