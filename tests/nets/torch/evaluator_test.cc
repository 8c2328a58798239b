#include "nets/torch/evaluator.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ATen/Parallel.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/reference/reference_evaluator.h"
#include "nets/torch/runtime.h"
#include "tests/nets/reference/lively_network.h"

namespace chuhe {
namespace {

// Sums of a few thousand products in fp32.
constexpr float kTolerance = 1e-4f;

std::unique_ptr<Evaluator> Open(const NetworkWeights& weights,
                                const TorchEvaluatorOptions& options = {}) {
  absl::StatusOr<std::unique_ptr<Evaluator>> evaluator = OpenTorchEvaluator(weights, options);
  EXPECT_TRUE(evaluator.ok()) << evaluator.status();
  return evaluator.ok() ? *std::move(evaluator) : nullptr;
}

// The largest difference of any prior, chance, or expected length (as a share of it).
float Difference(const std::vector<EvaluationRequest>& a, const std::vector<EvaluationRequest>& b) {
  float largest = 0;
  const auto see = [&largest](float difference) {
    // Not std::max alone, which forgets what is not a number.
    largest = std::isfinite(difference) ? std::max(largest, std::abs(difference)) : INFINITY;
  };
  for (size_t i = 0; i < a.size(); ++i) {
    for (int j = 0; j < a[i].moves.size; ++j) see(a[i].priors[j] - b[i].priors[j]);
    see(a[i].wdl.win - b[i].wdl.win);
    see(a[i].wdl.draw - b[i].wdl.draw);
    see(a[i].wdl.loss - b[i].wdl.loss);
    see((a[i].plies_left - b[i].plies_left) / b[i].plies_left);
  }
  return largest;
}

Architecture WithGlobalBlocks(int blocks, int channels, std::vector<int> global_blocks) {
  Architecture architecture = MakeArchitecture(blocks, channels);
  architecture.global_blocks = std::move(global_blocks);
  return architecture;
}

const Architecture kArchitectures[] = {
    MakeArchitecture(1, 16),
    WithGlobalBlocks(3, 48, {0, 2}),
    WithGlobalBlocks(2, 80, {1}),
    MakeArchitecture(4, 32),
    {.blocks = 2,
     .channels = 32,
     .policy_channels = 16,
     .value_channels = 3,
     .value_hidden = 5,
     .global_blocks = {0}},
};

class TorchEvaluatorTest : public testing::TestWithParam<TorchEvaluatorOptions> {};

TEST_P(TorchEvaluatorTest, AnswersAsTheReferenceDoes) {
  for (const Architecture& architecture : kArchitectures) {
    const NetworkWeights weights = LivelyNetwork(architecture, 1);
    std::vector<EvaluationRequest> requests = RandomRequests(11, 2);
    std::vector<EvaluationRequest> expected = requests;
    ReferenceEvaluator(weights).Evaluate(expected);
    const std::unique_ptr<Evaluator> evaluator = Open(weights, GetParam());
    ASSERT_NE(evaluator, nullptr);
    evaluator->Evaluate(requests);
    EXPECT_LT(Difference(requests, expected), kTolerance) << ArchitectureName(architecture);
  }
}

// Batches that are cut into pieces and that leave pieces half empty.
TEST_P(TorchEvaluatorTest, AnswersDoNotDependOnTheBatch) {
  const NetworkWeights weights = LivelyNetwork(WithGlobalBlocks(2, 32, {1}), 3);
  const std::vector<EvaluationRequest> questions = RandomRequests(77, 4);
  const std::unique_ptr<Evaluator> evaluator = Open(weights, GetParam());
  ASSERT_NE(evaluator, nullptr);
  std::vector<EvaluationRequest> alone = questions;
  for (EvaluationRequest& request : alone) evaluator->Evaluate({&request, 1});
  for (const size_t size : {2, 4, 5, 8, 9, 19, 20, 31, 33, 77}) {
    std::vector<EvaluationRequest> together(questions.begin(), questions.begin() + size);
    evaluator->Evaluate(together);
    EXPECT_LT(Difference(together, {alone.begin(), alone.begin() + size}), 2e-6f) << size;
  }
  evaluator->Evaluate({});
}

TEST_P(TorchEvaluatorTest, PriorsAndChancesSumToOne) {
  const std::unique_ptr<Evaluator> evaluator =
      Open(LivelyNetwork(MakeArchitecture(1, 16), 5), GetParam());
  ASSERT_NE(evaluator, nullptr);
  std::vector<EvaluationRequest> requests = RandomRequests(8, 6);
  evaluator->Evaluate(requests);
  for (const EvaluationRequest& request : requests) {
    float sum = 0;
    for (int i = 0; i < request.moves.size; ++i) sum += request.priors[i];
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_NEAR(request.wdl.win + request.wdl.draw + request.wdl.loss, 1, 1e-5);
    EXPECT_GT(request.plies_left, 0);
  }
}

TEST_P(TorchEvaluatorTest, LeavesTheNumberOfThreadsAsItWas) {
  const int before = at::get_num_threads();
  TorchEvaluatorOptions options = GetParam();
  options.threads = before + 1;
  const std::unique_ptr<Evaluator> evaluator =
      Open(LivelyNetwork(MakeArchitecture(1, 16), 7), options);
  ASSERT_NE(evaluator, nullptr);
  std::vector<EvaluationRequest> requests = RandomRequests(3, 8);
  evaluator->Evaluate(requests);
  EXPECT_EQ(at::get_num_threads(), before);
}

TEST_P(TorchEvaluatorTest, EvaluatorsInThreadsDoNotDisturbEachOther) {
  const NetworkWeights weights = LivelyNetwork(MakeArchitecture(2, 16), 9);
  const std::vector<EvaluationRequest> questions = RandomRequests(10, 10);
  std::vector<EvaluationRequest> expected = questions;
  ReferenceEvaluator(weights).Evaluate(expected);
  std::vector<EvaluationRequest> answers[2] = {questions, questions};
  {
    std::vector<std::jthread> threads;
    for (std::vector<EvaluationRequest>& requests : answers) {
      threads.emplace_back([&] {
        const std::unique_ptr<Evaluator> evaluator = Open(weights, GetParam());
        for (int i = 0; i < 3; ++i) evaluator->Evaluate(requests);
      });
    }
  }
  for (const auto& requests : answers) EXPECT_LT(Difference(requests, expected), kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Forms, TorchEvaluatorTest,
                         testing::Values(TorchEvaluatorOptions{},
                                         TorchEvaluatorOptions{.is_compiled = false}),
                         [](const auto& form) {
                           return std::string(form.param.is_compiled ? "Compiled" : "Eager");
                         });

TEST(OpenTorchEvaluatorTest, RefusesWhatIsNoDevice) {
  const NetworkWeights weights = LivelyNetwork(MakeArchitecture(1, 16), 1);
  for (const char* device : {"", "gpu", "cpu:0", "cuda:", "cuda:x", "cuda:-1", "cuda:128"}) {
    const auto evaluator = OpenTorchEvaluator(weights, {.device = device});
    EXPECT_EQ(evaluator.status().code(), absl::StatusCode::kInvalidArgument) << device;
    EXPECT_THAT(std::string(evaluator.status().message()),
                testing::HasSubstr("expected cpu, cuda or cuda:N"));
  }
}

TEST(OpenTorchEvaluatorTest, SaysWhyThereIsNoGpu) {
  const absl::StatusOr<TorchRuntimeInfo> info = GetTorchRuntimeInfo();
  ASSERT_TRUE(info.ok()) << info.status();
  const std::string absent = "cuda:" + std::to_string(info->cuda_devices);
  const auto evaluator =
      OpenTorchEvaluator(LivelyNetwork(MakeArchitecture(1, 16), 1), {.device = absent});
  EXPECT_EQ(evaluator.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(evaluator.status().message()),
              testing::AllOf(testing::HasSubstr("'" + absent + "'"),
                             testing::HasSubstr(info->cuda_devices > 0 ? "CUDA devices"
                                                                       : info->cuda_obstacle)));
}

TEST(OpenTorchEvaluatorTest, RefusesWeightsThatDoNotFit) {
  const NetworkWeights good = LivelyNetwork(MakeArchitecture(2, 16), 1);
  NetworkWeights weights = good;
  weights.blocks[1].conv2.weight.pop_back();
  EXPECT_THAT(std::string(OpenTorchEvaluator(weights, {}).status().message()),
              testing::HasSubstr("blocks.1.conv2.weight"));
  weights = good;
  weights.blocks.pop_back();
  EXPECT_EQ(OpenTorchEvaluator(weights, {}).status().code(), absl::StatusCode::kInvalidArgument);
  weights = good;
  weights.origin.feature_set = 999;
  EXPECT_THAT(std::string(OpenTorchEvaluator(weights, {}).status().message()),
              testing::HasSubstr("feature set 999"));
  weights = good;
  weights.architecture.channels = 17;
  EXPECT_EQ(OpenTorchEvaluator(weights, {}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(OpenTorchEvaluator(good, {.threads = 0}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace chuhe
