#include "selfplay/play/self_play_game.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/board/attacks.h"
#include "engine/board/movegen.h"
#include "engine/eval/scripted_evaluator.h"
#include "engine/eval/simple_evaluators.h"
#include "gtest/gtest.h"
#include "selfplay/records/record_bytes.h"
#include "selfplay/records/record_check.h"
#include "tests/selfplay/play/small_games.h"

namespace chuhe {
namespace {

using namespace chuhe::testing;  // NOLINT(google-build-using-namespace): only here

// A game without anything that is left to chance but the search.
SelfPlayOptions PlainGames() {
  SelfPlayOptions options = SmallGames();
  options.full_share = 1;
  options.random_share = 0;
  options.policy_share = 0;
  options.fork_share = 0;
  options.resign = false;
  options.adjudication_audit = 0;
  return options;
}

// Games of some options, played one after the other.
class Player {
 public:
  explicit Player(const SelfPlayOptions& options)
      : resignation_(options), setting_{options, {}, &resignation_}, game_(&setting_) {}

  void AddOpening(const std::string& text) { setting_.openings.push_back(*ParseOpening(text)); }
  ResignationControl& resignation() { return resignation_; }
  SelfPlayGame& game() { return game_; }

  GameRecord Play(uint64_t seed, Evaluator* evaluator, int64_t number = 0) {
    game_.Begin(number, seed, NetworkName('a'));
    return Finish(evaluator);
  }
  GameRecord Finish(Evaluator* evaluator) {
    EvaluationRequest request;
    while (game_.Select(&request)) {
      evaluator->Evaluate({&request, 1});
      game_.Apply(request);
    }
    EXPECT_TRUE(CheckFields(game_.record()).ok()) << CheckFields(game_.record());
    EXPECT_TRUE(Rejudge(game_.record()).ok()) << Rejudge(game_.record());
    return game_.record();
  }

 private:
  ResignationControl resignation_;
  SelfPlaySetting setting_;
  SelfPlayGame game_;
};

GameRecord PlayHash(const SelfPlayOptions& options, uint64_t seed) {
  HashEvaluator evaluator;
  return Player(options).Play(seed, &evaluator);
}

std::vector<Move> MovesOf(const GameRecord& record) {
  std::vector<Move> moves;
  for (const PlyRecord& ply : record.plies) moves.push_back(ply.move);
  return moves;
}

TEST(SelfPlayGameTest, EveryRecordCanBeEncodedAndJudgedAgain) {
  for (const bool gumbel : {true, false}) {
    SelfPlayOptions options = SmallGames();
    options.gumbel = gumbel;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      const GameRecord record = PlayHash(options, seed);
      const auto bytes = EncodeGame(record);
      ASSERT_TRUE(bytes.ok()) << bytes.status();
      EXPECT_TRUE(DecodeGame(*bytes, Judging::kRejudge).ok());
    }
  }
}

TEST(SelfPlayGameTest, FullSearchesTeachThePolicyAndFastOnesDoNot) {
  for (const bool gumbel : {true, false}) {
    SelfPlayOptions options = PlainGames();
    options.gumbel = gumbel;
    options.full_share = 0.5;
    const GameRecord record = PlayHash(options, 3);
    int full = 0;
    for (const PlyRecord& ply : record.plies) {
      EXPECT_TRUE(ply.is_searched);
      EXPECT_EQ(ply.policy.empty(), ply.is_fast);
      EXPECT_NEAR(ply.root.win + ply.root.draw + ply.root.loss, 1, 1e-5);
      full += ply.is_fast ? 0 : 1;
    }
    EXPECT_GT(full, 5) << gumbel;
    EXPECT_LT(full, 35) << gumbel;
  }
}

TEST(SelfPlayGameTest, ASearchMakesTheVisitsThatItIsGiven) {
  SelfPlayOptions options = PlainGames();
  options.visits = 30;
  options.ply_cap = options.early_ply_cap = 2;
  for (const bool gumbel : {true, false}) {
    options.gumbel = gumbel;
    ScriptedEvaluator evaluator([](EvaluationRequest*) {});
    Player(options).Play(1, &evaluator);
    // Two searches of 30, each with its root at most, less what the second one finds done.
    EXPECT_GT(evaluator.batch_sizes().size(), 40u) << gumbel;
    EXPECT_LE(evaluator.batch_sizes().size(), 62u) << gumbel;
  }
}

TEST(SelfPlayGameTest, FindsAMateAndEndsByTheRules) {
  SelfPlayOptions options = PlainGames();
  options.openings_share = 1;
  options.visits = 40;
  Player mating(options);
  // Rooks on two ranks: mate in one.
  mating.AddOpening("3k5/R8/9/9/9/9/9/9/1R7/4K4 w - - 0 1");
  UniformEvaluator evaluator;
  const GameRecord record = mating.Play(1, &evaluator);
  EXPECT_EQ(record.outcome, Outcome::kBlackLoses);
  EXPECT_EQ(record.end, GameEnd::kRules);
  EXPECT_TRUE(record.reason == Reason::kCheckmate || record.reason == Reason::kStalemate);
  EXPECT_LT(record.plies.size(), 10u);
}

TEST(SelfPlayGameTest, AtTheCapTheSideAheadWinsOrTheGameIsDrawn) {
  struct Case {
    const char* fen;
    bool adjudicate;
    Outcome outcome;
    GameEnd end;
  };
  constexpr Case kCases[] = {
      {"3ak4/9/9/9/p8/8P/9/9/4A4/4KA2R w - - 0 1", true, Outcome::kBlackLoses,
       GameEnd::kAdjudicated},
      {"3ak4/9/9/9/p8/8P/9/9/4A4/4KA2R w - - 0 1", false, Outcome::kDraw, GameEnd::kPlyCap},
      {"3ak3r/9/9/9/p8/8P/9/9/4A4/4KA3 w - - 0 1", true, Outcome::kRedLoses, GameEnd::kAdjudicated},
      {"3ak4/9/9/9/p8/8P/9/9/4A4/4KA3 w - - 0 1", true, Outcome::kDraw, GameEnd::kPlyCap},
  };
  for (const Case& c : kCases) {
    SelfPlayOptions options = PlainGames();
    options.visits = 1;
    options.openings_share = 1;
    options.ply_cap = options.early_ply_cap = 2;
    options.adjudicate = c.adjudicate;
    Player player(options);
    player.AddOpening(c.fen);
    UniformEvaluator evaluator;
    const GameRecord record = player.Play(1, &evaluator);
    EXPECT_EQ(record.outcome, c.outcome) << c.fen;
    EXPECT_EQ(record.end, c.end) << c.fen;
    EXPECT_EQ(record.plies.size(), 2u) << c.fen;
  }
}

TEST(SelfPlayGameTest, AnAuditedGameGoesOnBeyondTheCap) {
  SelfPlayOptions options = PlainGames();
  options.adjudication_audit = 1;
  const GameRecord record = PlayHash(options, 2);
  ASSERT_TRUE(record.passed_adjudication.has_value());
  EXPECT_EQ(record.passed_adjudication->ply, 40);
  EXPECT_GT(record.plies.size(), 40u);
  EXPECT_LE(record.plies.size(), 80u);
}

TEST(SelfPlayGameTest, OnlyTheFirstGamesHaveTheLowerCap) {
  SelfPlayOptions options = PlainGames();
  options.early_ply_cap = 10;
  options.early_games = 5;
  options.ply_cap = 16;
  HashEvaluator evaluator;
  Player player(options);
  EXPECT_EQ(player.Play(1, &evaluator, 4).plies.size(), 10u);
  EXPECT_EQ(player.Play(1, &evaluator, 5).plies.size(), 16u);
}

TEST(SelfPlayGameTest, OpeningsAreDrawnAndAreNoSamples) {
  SelfPlayOptions options = PlainGames();
  options.random_share = 1;
  options.policy_share = 1;
  bool has_random = false;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const GameRecord record = PlayHash(options, seed);
    ASSERT_GE(record.random_plies, 2);
    ASSERT_LE(record.random_plies, options.random_plies + options.policy_plies);
    for (size_t i = 0; i < record.plies.size(); ++i) {
      const bool is_drawn = i < static_cast<size_t>(record.random_plies);
      EXPECT_EQ(record.plies[i].is_searched, !is_drawn);
      EXPECT_EQ(record.plies[i].policy.empty(), is_drawn);
    }
    has_random |= MovesOf(record) != MovesOf(PlayHash(options, 100));
  }
  EXPECT_TRUE(has_random);
}

TEST(SelfPlayGameTest, OddsAreOfBothSidesAndNobodyIsInCheck) {
  SelfPlayOptions options = PlainGames();
  options.odds_share = 1;
  options.odds_men = 3;
  int missing_of[2] = {};
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const GameRecord record = PlayHash(options, seed);
    int missing[2] = {15, 15};
    for (const Color color : {Color::kRed, Color::kBlack}) {
      for (int type = 1; type < kPieceTypes; ++type) {
        missing[Index(color)] -= record.start.count(color, static_cast<PieceType>(type));
      }
      EXPECT_EQ(record.start.count(color, PieceType::kKing), 1);
      EXPECT_LE(missing[Index(color)], 3);
      missing_of[Index(color)] += missing[Index(color)];
    }
    EXPECT_GE(missing[0] + missing[1], 1);
    EXPECT_FALSE(InCheck(record.start));
    Position other = record.start;
    other.SwitchSide();
    EXPECT_FALSE(InCheck(other));
    EXPECT_EQ(PlayHash(options, seed).start, record.start);
  }
  // 45 are expected.
  EXPECT_GT(missing_of[0], 25);
  EXPECT_GT(missing_of[1], 25);
  options.odds_share = 0;
  EXPECT_EQ(PlayHash(options, 1).start, Position::Start());
}

TEST(SelfPlayGameTest, PolicyOpeningsFollowThePolicy) {
  SelfPlayOptions options = PlainGames();
  options.policy_share = 1;
  options.policy_plies = 6;
  ScriptedEvaluator evaluator([](EvaluationRequest* request) {
    std::fill_n(request->priors, request->moves.size, 1e-6f);
    request->priors[2] = 1;
  });
  const GameRecord record = Player(options).Play(1, &evaluator);
  Position position = Position::Start();
  for (int i = 0; i < record.random_plies; ++i) {
    MoveList moves;
    GenerateLegal(position, &moves);
    EXPECT_EQ(record.plies[static_cast<size_t>(i)].move, moves[2]);
    position.Make(record.plies[static_cast<size_t>(i)].move);
  }
}

TEST(SelfPlayGameTest, AForkLeavesTheGameByAnotherMove) {
  SelfPlayOptions options = PlainGames();
  options.fork_share = 1;
  options.fork_plies = 20;
  options.fork_margin = 2;
  HashEvaluator evaluator;
  int forks = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Player player(options);
    const GameRecord record = player.Play(seed, &evaluator);
    std::optional<GameRecord> fork = player.game().TakeFork();
    EXPECT_FALSE(player.game().TakeFork().has_value());
    if (!fork) continue;
    ++forks;
    const auto ply = static_cast<size_t>(fork->fork->ply);
    ASSERT_EQ(fork->plies.size(), ply + 1);
    EXPECT_EQ(fork->fork->seed, seed);
    EXPECT_NE(fork->plies[ply].move, record.plies[ply].move);
    for (size_t i = 0; i < ply; ++i) {
      EXPECT_EQ(fork->plies[i].move, record.plies[i].move);
      EXPECT_TRUE(fork->plies[i].policy.empty());
    }
    fork->seed = 99;
    player.game().Resume(1, *fork, NetworkName('a'));
    const GameRecord other = player.Finish(&evaluator);
    EXPECT_EQ(other.plies[ply].move, fork->plies[ply].move);
    EXPECT_TRUE(other.fork.has_value());
    EXPECT_FALSE(player.game().TakeFork().has_value());
  }
  EXPECT_GT(forks, 2);
}

TEST(SelfPlayGameTest, AResumedGameGoesOnAtTheSamePly) {
  const SelfPlayOptions options = SmallGames();
  HashEvaluator evaluator;
  const GameRecord whole = PlayHash(options, 8);
  GameRecord part = whole;
  part.plies.resize(15);
  part.outcome = Outcome::kUndecided;
  part.end = GameEnd::kUnknown;
  part.reason = Reason::kNone;
  Player player(options);
  player.game().Resume(0, part, NetworkName('a'));
  const GameRecord resumed = player.Finish(&evaluator);
  EXPECT_GT(resumed.plies.size(), 15u);
  for (size_t i = 0; i < 15; ++i) EXPECT_EQ(resumed.plies[i].move, whole.plies[i].move);
  EXPECT_EQ(resumed.networks, whole.networks);
}

TEST(SelfPlayGameTest, AnotherNetworkTakesOverBeforeAMove) {
  Player player(PlainGames());
  HashEvaluator evaluator;
  SelfPlayGame& game = player.game();
  game.Begin(0, 1, NetworkName('a'));
  EvaluationRequest request;
  while (game.record().plies.size() < 5) {
    ASSERT_TRUE(game.Select(&request));
    evaluator.Evaluate({&request, 1});
    game.Apply(request);
  }
  game.UseNetwork(NetworkName('b'));
  game.UseNetwork(NetworkName('c'));
  const int ply = static_cast<int>(game.record().plies.size());
  // All that follows is asked of the new network, the root first.
  ASSERT_TRUE(game.Select(&request));
  EXPECT_EQ(request.position.side_to_move(), ply % 2 == 0 ? Color::kRed : Color::kBlack);
  evaluator.Evaluate({&request, 1});
  game.Apply(request);
  const GameRecord record = player.Finish(&evaluator);
  const std::vector<NetworkUse> expected = {{NetworkName('a'), 0}, {NetworkName('c'), ply}};
  EXPECT_EQ(record.networks, expected);
}

// What looks lost to Black, always.
void BlackLooksLost(EvaluationRequest* request) {
  const bool is_black = request->position.side_to_move() == Color::kBlack;
  request->wdl = is_black ? Wdl{.win = 0, .draw = 0.02f, .loss = 0.98f}
                          : Wdl{.win = 0.98f, .draw = 0.02f, .loss = 0};
}

SelfPlayOptions ResigningGames() {
  SelfPlayOptions options = PlainGames();
  options.resign = true;
  options.resign_audit = 0;
  options.resign_min_games = 1;
  return options;
}

ResignationWatch LostByBlack() {
  ResignationWatch watch(1);
  watch.Add(Color::kBlack, -0.9f);
  return watch;
}

TEST(SelfPlayGameTest, ASideResignsOnceItIsKnownThatThisIsRight) {
  Player player(ResigningGames());
  ScriptedEvaluator evaluator(BlackLooksLost);
  EXPECT_NE(player.Play(1, &evaluator).end, GameEnd::kResignation);
  Player other(ResigningGames());
  other.resignation().AddAudited(LostByBlack(), Outcome::kBlackLoses);
  const GameRecord record = other.Play(1, &evaluator);
  EXPECT_EQ(record.end, GameEnd::kResignation);
  EXPECT_EQ(record.outcome, Outcome::kBlackLoses);
  // Black's third move would have been the next one.
  EXPECT_EQ(record.plies.size(), 5u);
}

TEST(SelfPlayGameTest, AnAuditedGameIsPlayedOnAndSaysWhenItWouldHaveEnded) {
  SelfPlayOptions options = ResigningGames();
  options.resign_audit = 1;
  Player player(options);
  player.resignation().AddAudited(LostByBlack(), Outcome::kBlackLoses);
  ScriptedEvaluator evaluator(BlackLooksLost);
  const GameRecord record = player.Play(1, &evaluator);
  EXPECT_NE(record.end, GameEnd::kResignation);
  const PassedEnd expected{.ply = 5, .outcome = Outcome::kBlackLoses};
  EXPECT_EQ(record.passed_resignation, expected);
}

}  // namespace
}  // namespace chuhe
