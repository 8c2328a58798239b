#include "nets/onednn/shift_correction.h"

#include <cmath>
#include <vector>

#include "engine/board/movegen.h"
#include "engine/rules/game.h"
#include "gtest/gtest.h"
#include "nets/features/random_positions.h"
#include "nets/onednn/calibrate.h"
#include "nets/onednn/cpu_evaluator.h"
#include "tests/nets/reference/lively_network.h"

namespace chuhe {
namespace {

// Games of random moves, none of which is among the positions that are corrected by.
std::vector<EvaluationRequest> Requests() {
  std::vector<EvaluationRequest> requests;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Random random(seed, StreamId("shift"));
    Game game(Position::Start());
    for (int ply = 0; ply < 60; ++ply) {
      EvaluationRequest request;
      GenerateLegal(game.position(), &request.moves);
      if (request.moves.size == 0) break;
      request.SetPosition(game);
      requests.push_back(request);
      game.Make(request.moves[static_cast<int>(random.Below(request.moves.size))]);
    }
  }
  return requests;
}

double MeanValue(std::shared_ptr<const PackedNetwork> network) {
  std::vector<EvaluationRequest> requests = Requests();
  (*MakeCpuEvaluator(std::move(network)))->Evaluate(requests);
  double sum = 0;
  for (const EvaluationRequest& request : requests) sum += double{request.wdl.value()};
  return sum / static_cast<double>(requests.size());
}

TEST(ShiftCorrectionTest, MeansOfValuesComeNearThoseOfFloats) {
  double before = 0;
  double after = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    NetworkWeights network = LivelyNetwork(MakeArchitecture(3, 32), seed);
    ASSERT_TRUE(Calibrate(&network, RandomPositions(64, 2)).ok());
    const double exact = MeanValue(*PackedNetwork::Make(network, CpuPrecision::kFp32));
    before += std::abs(MeanValue(*PackedNetwork::Make(network, CpuPrecision::kInt8)) - exact);
    after += std::abs(MeanValue(*MakeWithoutShift(network, CpuPrecision::kInt8)) - exact);
  }
  EXPECT_LT(after, before / 2) << before;
}

TEST(ShiftCorrectionTest, IsTheSameEachTime) {
  NetworkWeights network = LivelyNetwork(MakeArchitecture(1, 16), 1);
  ASSERT_TRUE(Calibrate(&network, RandomPositions(16, 2)).ok());
  EXPECT_EQ(MeanValue(*MakeWithoutShift(network, CpuPrecision::kInt8)),
            MeanValue(*MakeWithoutShift(network, CpuPrecision::kInt8)));
}

TEST(ShiftCorrectionTest, RefusesInt8WithoutCalibration) {
  const auto made =
      MakeWithoutShift(LivelyNetwork(MakeArchitecture(1, 16), 1), CpuPrecision::kInt8);
  EXPECT_FALSE(made.ok());
}

}  // namespace
}  // namespace chuhe
