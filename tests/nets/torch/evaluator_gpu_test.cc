// The reference evaluator on a GPU, where there is one.
#include <cmath>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "nets/torch/evaluator.h"
#include "nets/torch/runtime.h"
#include "tests/nets/reference/lively_network.h"

namespace chuhe {
namespace {

TEST(TorchEvaluatorGpuTest, AnswersAsOnTheCpu) {
  const absl::StatusOr<TorchRuntimeInfo> info = GetTorchRuntimeInfo();
  ASSERT_TRUE(info.ok()) << info.status();
  if (info->cuda_devices == 0) GTEST_SKIP() << info->cuda_obstacle;
  Architecture architecture = MakeArchitecture(6, 64);
  architecture.global_blocks = {2, 4};
  const NetworkWeights weights = LivelyNetwork(architecture, 1);
  auto on_cpu = OpenTorchEvaluator(weights, {});
  ASSERT_TRUE(on_cpu.ok()) << on_cpu.status();
  for (int device = 0; device < info->cuda_devices; ++device) {
    auto on_gpu = OpenTorchEvaluator(weights, {.device = "cuda:" + std::to_string(device)});
    ASSERT_TRUE(on_gpu.ok()) << on_gpu.status();
    for (const int batch : {1, 8, 50}) {
      std::vector<EvaluationRequest> requests = RandomRequests(batch, 2);
      std::vector<EvaluationRequest> expected = requests;
      (*on_cpu)->Evaluate(expected);
      (*on_gpu)->Evaluate(requests);
      for (size_t i = 0; i < requests.size(); ++i) {
        for (int j = 0; j < requests[i].moves.size; ++j) {
          ASSERT_NEAR(requests[i].priors[j], expected[i].priors[j], 1e-4) << batch;
        }
        ASSERT_NEAR(requests[i].wdl.value(), expected[i].wdl.value(), 1e-4) << batch;
        ASSERT_NEAR(requests[i].plies_left / expected[i].plies_left, 1, 1e-4) << batch;
      }
    }
  }
}

}  // namespace
}  // namespace chuhe
