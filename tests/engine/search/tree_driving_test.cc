// The tree search driven from outside, as self-play does it.
#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/board/movegen.h"
#include "engine/eval/simple_evaluators.h"
#include "engine/search/tree_search.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

Game StartGame() { return Game(Position::Start()); }

void AskAndApply(TreeSearch* search, int room, int max_visits) {
  HashEvaluator evaluator;
  std::vector<EvaluationRequest> requests(static_cast<size_t>(room));
  const auto count = static_cast<size_t>(search->SelectLeaves(requests, max_visits));
  evaluator.Evaluate({requests.data(), count});
  search->ApplyEvaluations({requests.data(), count});
}

void VisitFromOutside(TreeSearch* search, int room, int64_t visits) {
  const int64_t end = search->visits() + visits;
  while (search->visits() < end && !search->is_decided()) {
    AskAndApply(search, room, static_cast<int>(end - search->visits()));
  }
}

std::string Fingerprint(const TreeSearch& search) {
  std::ostringstream text;
  for (const Edge& edge : search.RankedRootMoves()) {
    text << edge.move.bits() << ' ' << edge.visits << ' ' << edge.in_flight << ' ' << edge.value
         << '\n';
  }
  text << search.root_edge().visits << ' ' << search.root_edge().value << ' '
       << search.tree().used_bytes();
  return text.str();
}

TEST(TreeDrivingTest, TheFirstQuestionOfANewRootIsAboutTheRootAlone) {
  TreeSearch search(nullptr, {});
  search.SetRoot(StartGame());
  std::vector<EvaluationRequest> room(8);
  ASSERT_EQ(search.SelectLeaves(room, 100), 1);
  EXPECT_EQ(room[0].position, Position::Start());
  EXPECT_FALSE(search.has_root_evaluation());
  EXPECT_EQ(search.SelectLeaves(room, 100), 0);
  HashEvaluator evaluator;
  evaluator.Evaluate({room.data(), 1});
  search.ApplyEvaluations({room.data(), 1});
  EXPECT_TRUE(search.has_root_evaluation());
  EXPECT_EQ(search.root_evaluation(), room[0].wdl.value());
  EXPECT_EQ(search.visits(), 0);
  EXPECT_EQ(search.SelectLeaves(room, 100), 8);
  EXPECT_EQ(search.under_way(), 8);
}

TEST(TreeDrivingTest, APositionWithoutMovesAsksNothing) {
  TreeSearch search(nullptr, {});
  Position mated;
  mated.PlaceUnit(Color::kBlack, PieceType::kKing, 9 * 9 + 3);
  mated.PlaceUnit(Color::kRed, PieceType::kKing, 4);
  mated.PlaceUnit(Color::kRed, PieceType::kRook, 5 * 9 + 3);
  mated.set_side_to_move(Color::kBlack);
  search.SetRoot(Game(mated));
  std::vector<EvaluationRequest> room(2);
  EXPECT_EQ(search.SelectLeaves(room, 10), 0);
  EXPECT_TRUE(search.is_decided());
}

TEST(TreeDrivingTest, GivesTheSameTreeAsRunBatch) {
  for (const int batch : {1, 8}) {
    HashEvaluator evaluator;
    TreeSearch inside(&evaluator, {.batch_size = batch});
    inside.SetRoot(StartGame());
    while (inside.visits() < 3000) inside.RunBatch(static_cast<int>(3000 - inside.visits()));
    TreeSearch outside(nullptr, {});
    outside.SetRoot(StartGame());
    VisitFromOutside(&outside, batch, 3000);
    EXPECT_EQ(Fingerprint(inside), Fingerprint(outside));
  }
}

TEST(TreeDrivingTest, ManyGamesShareOneBatch) {
  constexpr size_t kGames = 40;
  constexpr int kVisits = 120;
  std::vector<std::unique_ptr<TreeSearch>> games;
  for (size_t i = 0; i < kGames; ++i) {
    games.push_back(std::make_unique<TreeSearch>(
        nullptr, TreeSearchOptions{.max_tree_bytes = size_t{1} << 20}));
    Game game = StartGame();
    MoveList moves;
    GenerateLegal(game.position(), &moves);
    game.Make(moves[static_cast<int>(i)]);
    games.back()->SetRoot(game);
  }
  HashEvaluator evaluator;
  std::vector<EvaluationRequest> batch(kGames * 2);
  while (true) {
    std::vector<size_t> counts;
    size_t size = 0;
    for (const auto& game : games) {
      const auto room = std::span(batch).subspan(size, 2);
      const auto left = static_cast<int>(kVisits - game->visits());
      counts.push_back(static_cast<size_t>(game->SelectLeaves(room, left)));
      size += counts.back();
    }
    if (size == 0) break;
    evaluator.Evaluate({batch.data(), size});
    const EvaluationRequest* next = batch.data();
    for (size_t i = 0; i < kGames; ++i) {
      games[i]->ApplyEvaluations({next, counts[i]});
      next += counts[i];
    }
  }
  for (const auto& game : games) {
    TreeSearch alone(nullptr, {});
    alone.SetRoot(game->game());
    VisitFromOutside(&alone, 2, kVisits);
    EXPECT_EQ(Fingerprint(*game), Fingerprint(alone));
  }
}

TEST(TreeDrivingTest, SeveralBatchesMayBeUnderWayAndAreAnsweredInAnyPortions) {
  HashEvaluator evaluator;
  TreeSearch search(nullptr, {});
  search.SetRoot(StartGame());
  VisitFromOutside(&search, 1, 50);
  std::vector<EvaluationRequest> requests(60);
  size_t asked = 0;
  for (int i = 0; i < 3; ++i) {
    asked += static_cast<size_t>(
        search.SelectLeaves(std::span(requests).subspan(asked, 20), /*max_visits=*/1000));
  }
  ASSERT_GT(asked, 40u);
  EXPECT_EQ(search.under_way(), static_cast<int>(asked));
  evaluator.Evaluate({requests.data(), asked});
  size_t applied = 0;
  for (size_t portion = 1; applied < asked; ++portion) {
    const size_t count = std::min(portion, asked - applied);
    search.ApplyEvaluations({requests.data() + applied, count});
    applied += count;
    search.RankedRootMoves();
  }
  EXPECT_EQ(search.under_way(), 0);
  uint32_t sum = 1;
  for (const Edge& edge : search.RankedRootMoves()) {
    EXPECT_EQ(edge.in_flight, 0);
    sum += edge.visits;
  }
  EXPECT_EQ(sum, search.root_edge().visits);
  EXPECT_GE(search.visits(), 50 + static_cast<int64_t>(asked));
}

TEST(TreeDrivingTest, AdvancingKeepsTheMoveAndForgetsTheRest) {
  TreeSearch search(nullptr, {.max_tree_bytes = size_t{1} << 20});
  Game game = StartGame();
  search.SetRoot(game);
  for (int ply = 0; ply < 60; ++ply) {
    VisitFromOutside(&search, 1, 150);
    ASSERT_FALSE(search.is_decided());
    const Edge best = search.RankedRootMoves().front();
    search.Advance(best.move);
    game.Make(best.move);
    EXPECT_EQ(search.game().position(), game.position());
    EXPECT_EQ(search.root_edge().visits, best.visits);
    EXPECT_EQ(search.root_edge().value, best.value);
    EXPECT_LT(search.tree().used_bytes(), best.visits * 200 + 1000);
  }
}

TEST(TreeDrivingTest, AdvancingSearchesOnAsSetRootWould) {
  TreeSearch advanced(nullptr, {});
  TreeSearch kept(nullptr, {});
  Game game = StartGame();
  advanced.SetRoot(game);
  kept.SetRoot(game);
  for (int ply = 0; ply < 6; ++ply) {
    VisitFromOutside(&advanced, 4, 300);
    VisitFromOutside(&kept, 4, 300);
    const Move move = kept.RankedRootMoves().front().move;
    ASSERT_EQ(advanced.RankedRootMoves().front().move, move);
    EXPECT_EQ(advanced.root_edge().visits, kept.root_edge().visits);
    EXPECT_EQ(advanced.root_edge().value, kept.root_edge().value);
    game.Make(move);
    kept.SetRoot(game);
    advanced.Advance(move);
  }
  // SetRoot() can follow as well: the way back is forgotten, the way forward known.
  VisitFromOutside(&advanced, 4, 300);
  const Edge best = advanced.RankedRootMoves().front();
  game.Make(best.move);
  advanced.SetRoot(game);
  EXPECT_EQ(advanced.root_edge().visits, best.visits);
}

TEST(TreeDrivingTest, AdvancingByAnUntriedMoveBeginsAnew) {
  TreeSearch search(nullptr, {});
  search.SetRoot(StartGame());
  VisitFromOutside(&search, 1, 5);
  const std::vector<Edge> moves = search.RootMoves();
  const auto untried =
      std::find_if(moves.begin(), moves.end(), [](const Edge& move) { return move.visits == 0; });
  search.Advance(untried->move);
  EXPECT_FALSE(search.has_root_evaluation());
  VisitFromOutside(&search, 1, 5);
  EXPECT_EQ(search.root_edge().visits, 6u);
}

TEST(TreeDrivingTest, RootMovesListAllLegalMoves) {
  TreeSearch search(nullptr, {});
  search.SetRoot(StartGame());
  VisitFromOutside(&search, 1, 30);
  const std::vector<Edge> moves = search.RootMoves();
  MoveList legal;
  GenerateLegal(Position::Start(), &legal);
  ASSERT_EQ(static_cast<int>(moves.size()), legal.size);
  uint32_t visits = 0;
  float priors = 0;
  for (size_t i = 0; i < moves.size(); ++i) {
    EXPECT_EQ(moves[i].move, legal.moves[i]);
    visits += moves[i].visits;
    priors += moves[i].prior * Node::kPriorUnit;
  }
  EXPECT_EQ(visits, 30u);
  EXPECT_NEAR(priors, 1, 1e-3f);
}

// What is learnt from may not be coarser where the root was part of an earlier tree.
TEST(TreeDrivingTest, ExactPriorsAreThoseOfTheEvaluatorAlsoAfterAMove) {
  for (const bool is_exact : {false, true}) {
    TreeSearch search(nullptr, {.has_exact_priors = is_exact});
    search.SetRoot(StartGame());
    VisitFromOutside(&search, 1, 300);
    const Move best = search.RankedRootMoves().front().move;
    search.Advance(best);
    std::vector<EvaluationRequest> asked(1);
    GenerateLegal(search.game().position(), &asked[0].moves);
    asked[0].SetPosition(search.game());
    HashEvaluator().Evaluate(asked);
    const std::vector<Edge> moves = search.RootMoves();
    float largest = 0;
    for (size_t i = 0; i < moves.size(); ++i) {
      const float prior = moves[i].prior * Node::kPriorUnit;
      EXPECT_NEAR(prior, asked[0].priors[i], asked[0].priors[i] / 32 + 1e-5f);
      largest = std::max(largest, std::abs(prior - asked[0].priors[i]));
    }
    EXPECT_EQ(largest < 1e-5f, is_exact) << largest;
  }
}

TEST(TreeDrivingTest, NewRootPriorsHoldForTriedAndUntriedMoves) {
  TreeSearch search(nullptr, {});
  search.SetRoot(StartGame());
  VisitFromOutside(&search, 1, 30);
  std::vector<float> priors(search.RootMoves().size(), 0.001f);
  priors[7] = 0.957f;
  search.SetRootPriors(priors);
  const std::vector<Edge> moves = search.RootMoves();
  for (size_t i = 0; i < moves.size(); ++i) {
    EXPECT_NEAR(moves[i].prior * Node::kPriorUnit, priors[i], 1e-5f);
  }
  VisitFromOutside(&search, 1, 100);
  EXPECT_GT(search.RootMoves()[7].visits, moves[7].visits + 70);
}

TEST(TreeDrivingTest, ForcedVisitsReachMovesThatTheScoreNeglects) {
  constexpr float kForced = 2;
  for (const bool is_forced : {false, true}) {
    TreeSearch search(nullptr, {.forced_visits = is_forced ? kForced : 0});
    search.SetRoot(StartGame());
    VisitFromOutside(&search, 1, 2000);
    int short_of_it = 0;
    for (const Edge& move : search.RootMoves()) {
      if (move.visits == 0) continue;
      const float least = std::sqrt(kForced * move.prior * Node::kPriorUnit * 2000);
      if (static_cast<float>(move.visits) < std::floor(least)) ++short_of_it;
    }
    EXPECT_EQ(short_of_it == 0, is_forced) << short_of_it;
  }
}

}  // namespace
}  // namespace chuhe
