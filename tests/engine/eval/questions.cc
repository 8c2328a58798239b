#include "tests/engine/eval/questions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "engine/base/random.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

// FNV-1a over numbers.
class Fnv {
 public:
  void Add(int number) {
    for (int shift = 0; shift < 32; shift += 8) {
      hash_ = (hash_ ^ (static_cast<uint64_t>(number) >> shift & 255)) * 0x100000001b3;
    }
  }
  // From 0 to 1, another one at each call.
  float NextFraction() {
    Add(1);
    return static_cast<float>(hash_ >> 40) * 0x1p-24f;
  }

 private:
  uint64_t hash_ = 0xcbf29ce484222325;
};

Fnv HashOf(const EvaluationRequest& request) {
  Fnv hash;
  const Position& position = request.position;
  hash.Add(Index(position.side_to_move()));
  for (Square square = 0; square < kSquares; ++square) {
    const Unit unit = position.unit_at(square);
    hash.Add(unit == kNoUnit ? -1 : 10 * Index(ColorOf(unit)) + Index(TypeOf(unit)));
  }
  for (const Move move : request.recent) {
    hash.Add(move.from());
    hash.Add(move.to());
  }
  hash.Add(std::min(request.occurrences, 3));
  hash.Add(std::min(request.no_capture_plies, 120));
  hash.Add(request.checks_in_a_row[0]);
  hash.Add(request.checks_in_a_row[1]);
  return hash;
}

std::array<uint32_t, 3> BitsOf(const Wdl& wdl) {
  return std::bit_cast<std::array<uint32_t, 3>>(wdl);
}

}  // namespace

std::vector<EvaluationRequest> RandomRequests(int count, uint64_t seed) {
  constexpr int kPliesPerGame = 150;
  std::vector<EvaluationRequest> requests;
  Random random(seed);
  Game game(Position::Start());
  while (static_cast<int>(requests.size()) < count) {
    EvaluationRequest request;
    request.SetPosition(game);
    GenerateLegal(game.position(), &request.moves);
    if (request.moves.size == 0 || game.plies() == kPliesPerGame) {
      game = Game(Position::Start());
      continue;
    }
    requests.push_back(request);
    game.Make(
        request.moves[static_cast<int>(random.Below(static_cast<uint64_t>(request.moves.size)))]);
  }
  return requests;
}

void ExpectSameAnswers(std::span<const EvaluationRequest> requests,
                       std::span<const EvaluationRequest> expected) {
  ASSERT_EQ(requests.size(), expected.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    const EvaluationRequest& a = requests[i];
    const EvaluationRequest& b = expected[i];
    ASSERT_TRUE(a.position == b.position) << i;
    ASSERT_EQ(a.moves.size, b.moves.size) << i;
    ASSERT_TRUE(std::equal(a.moves.begin(), a.moves.end(), b.moves.begin())) << i;
    ASSERT_EQ(std::memcmp(a.priors, b.priors, sizeof(float) * static_cast<size_t>(a.moves.size)), 0)
        << i;
    ASSERT_EQ(BitsOf(a.wdl), BitsOf(b.wdl)) << i;
    ASSERT_EQ(a.plies_left, b.plies_left) << i;
  }
}

void WholeQuestionEvaluator::Evaluate(std::span<EvaluationRequest> requests) {
  for (EvaluationRequest& request : requests) {
    Fnv hash = HashOf(request);
    float sum = 0;
    for (int i = 0; i < request.moves.size; ++i) {
      request.priors[i] = hash.NextFraction() + 1e-3f;
      sum += request.priors[i];
    }
    for (int i = 0; i < request.moves.size; ++i) request.priors[i] /= sum;
    const float draw = hash.NextFraction();
    const float win = (1 - draw) * hash.NextFraction();
    request.wdl = {win, draw, 1 - draw - win};
    request.plies_left = 100 * hash.NextFraction();
  }
}

}  // namespace chuhe
