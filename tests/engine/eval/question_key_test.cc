#include "engine/eval/question_key.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/engine/eval/questions.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

EvaluationRequest QuestionOf(const Game& game) {
  EvaluationRequest request;
  request.SetPosition(game);
  GenerateLegal(game.position(), &request.moves);
  return request;
}

// All different in each half.
class DistinctKeys {
 public:
  void Add(const EvaluationRequest& request, const std::string& what,
           const QuestionKey& salt = SaltOf("a")) {
    const QuestionKey key = KeyOf(request, salt);
    EXPECT_TRUE(low_.insert(key.low).second) << what;
    EXPECT_TRUE(high_.insert(key.high).second) << what;
  }

 private:
  std::set<uint64_t> low_;
  std::set<uint64_t> high_;
};

TEST(QuestionKeyTest, EveryFactChangesBothHalves) {
  const EvaluationRequest start = QuestionOf(Game(Position::Start()));
  DistinctKeys keys;
  keys.Add(start, "start");
  for (int i = 0; i < kRecentPlies; ++i) {
    for (const Move move : {Move(0, 1), Move(1, 0), Move(89, 88), Move(64, 63)}) {
      EvaluationRequest request = start;
      request.recent[i] = move;
      keys.Add(request, "recent " + std::to_string(i));
    }
  }
  for (int occurrences = 2; occurrences <= 3; ++occurrences) {
    EvaluationRequest request = start;
    request.occurrences = occurrences;
    keys.Add(request, "occurrences");
  }
  for (int plies = 1; plies <= 120; ++plies) {
    EvaluationRequest request = start;
    request.no_capture_plies = plies;
    keys.Add(request, "no capture");
  }
  for (int red = 0; red <= kMaxChecksInARow; ++red) {
    for (int black = red == 0 ? 1 : 0; black <= kMaxChecksInARow; ++black) {
      EvaluationRequest request = start;
      request.checks_in_a_row[0] = red;
      request.checks_in_a_row[1] = black;
      keys.Add(request, "checks");
    }
  }
  EvaluationRequest other_side = start;
  other_side.position.SwitchSide();
  keys.Add(other_side, "side to move");
  for (int i = 0; i < start.moves.size; ++i) {
    EvaluationRequest request = start;
    request.position.Make(start.moves[i]);
    keys.Add(request, "board");
    request.position.SwitchSide();
    keys.Add(request, "board, other side");
  }
  keys.Add(start, "salt", SaltOf("b"));
  keys.Add(start, "longer salt", SaltOf("aa"));
  keys.Add(start, "empty salt", SaltOf(""));
}

TEST(QuestionKeyTest, CountsAreTakenAsFarAsTheyMatter) {
  EvaluationRequest a = QuestionOf(Game(Position::Start()));
  EvaluationRequest b = a;
  a.occurrences = 3;
  b.occurrences = 5;
  a.no_capture_plies = 120;
  b.no_capture_plies = 130;
  EXPECT_EQ(KeyOf(a, SaltOf("")), KeyOf(b, SaltOf("")));
}

TEST(QuestionKeyTest, UnitsOfAKindMayChangePlaces) {
  Position a;
  Position b;
  for (Position* position : {&a, &b}) {
    position->PlaceUnit(Color::kRed, PieceType::kKing, 4);
    position->PlaceUnit(Color::kBlack, PieceType::kKing, 84);
  }
  a.PlaceUnit(Color::kRed, PieceType::kKnight, 20);
  a.PlaceUnit(Color::kRed, PieceType::kKnight, 40);
  b.PlaceUnit(Color::kRed, PieceType::kKnight, 40);
  b.PlaceUnit(Color::kRed, PieceType::kKnight, 20);
  ASSERT_NE(a.unit_at(20), b.unit_at(20));
  EXPECT_EQ(KeyOf(QuestionOf(Game(a)), SaltOf("")), KeyOf(QuestionOf(Game(b)), SaltOf("")));
}

TEST(QuestionKeyTest, TheSamePositionByAnotherWayIsAnotherQuestion) {
  constexpr const char* kStart = "4k4/9/9/9/9/9/9/9/4A4/R3K4 w";
  const EvaluationRequest a = QuestionOf(PlayGame(kStart, "a0a5 e9d9 a5b5 d9d8"));
  const EvaluationRequest b = QuestionOf(PlayGame(kStart, "a0b0 e9d9 b0b5 d9d8"));
  ASSERT_TRUE(a.position == b.position);
  EXPECT_FALSE(KeyOf(a, SaltOf("")) == KeyOf(b, SaltOf("")));
}

TEST(QuestionKeyTest, QuestionsOfManyGamesHaveDifferentKeys) {
  DistinctKeys keys;
  // Answers of the evaluator stand for questions: the start returns in every game.
  std::set<float> seen;
  std::vector<EvaluationRequest> requests = RandomRequests(20000);
  WholeQuestionEvaluator().Evaluate(requests);
  for (const EvaluationRequest& request : requests) {
    if (request.recent[3] && seen.insert(request.wdl.win + request.plies_left).second) {
      keys.Add(request, "game");
    }
  }
  EXPECT_GT(seen.size(), 18000u);
}

}  // namespace
}  // namespace chuhe
