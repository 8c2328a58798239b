// The evaluator on real devices; skipped where there is none.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "nets/cuda/cuda_evaluator.h"
#include "nets/reference/reference_evaluator.h"
#include "tests/engine/eval/questions.h"
#include "tests/nets/cuda/answers_comparison.h"

namespace chuhe {
namespace {

Architecture SmallArchitecture() {
  return {.blocks = 2,
          .channels = 16,
          .policy_channels = 16,
          .value_channels = 3,
          .value_hidden = 21,
          .global_blocks = {1}};
}

class CudaDeviceEvaluatorTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto library = CudaLibrary::Open(CHUHE_CUDA_LIBRARY);
    ASSERT_TRUE(library.ok()) << library.status();
    const auto devices = library->ListDevices();
    if (absl::IsUnavailable(devices.status())) GTEST_SKIP() << "no GPU: " << devices.status();
    ASSERT_TRUE(devices.ok()) << devices.status();
    device_count_ = static_cast<int>(devices->size());
  }

  static std::unique_ptr<Evaluator> Open(const NetworkWeights& weights, CudaPrecision precision,
                                         int max_batch = 256, int device = 0) {
    auto evaluators = OpenCudaEvaluators(
        {device}, weights, {.precision = precision, .max_batch = max_batch}, CHUHE_CUDA_LIBRARY);
    EXPECT_TRUE(evaluators.ok()) << evaluators.status();
    return evaluators.ok() ? std::move(evaluators->front()) : nullptr;
  }

  int device_count_ = 0;
};

TEST_F(CudaDeviceEvaluatorTest, AnswersAsTheReferenceDoes) {
  Architecture medium_with_global_blocks = MakeArchitecture(10, 128);
  medium_with_global_blocks.global_blocks = {2, 5, 8};
  const struct {
    Architecture architecture;
    int positions;
  } cases[] = {
      {SmallArchitecture(), 64},     {MakeArchitecture(4, 32), 32}, {MakeArchitecture(3, 48), 32},
      {MakeArchitecture(2, 80), 16}, {MakeArchitecture(6, 64), 16}, {medium_with_global_blocks, 8},
  };
  for (const auto& network : cases) {
    const NetworkWeights weights = LivelyNetwork(network.architecture, 1);
    std::vector<EvaluationRequest> expected = RandomRequests(network.positions);
    ReferenceEvaluator(weights).Evaluate(expected);
    for (const auto& [precision, tolerance] :
         {std::pair(CudaPrecision::kFloat32, kFloat32Tolerance),
          std::pair(CudaPrecision::kFloat16, kFloat16Tolerance)}) {
      SCOPED_TRACE(ArchitectureName(network.architecture) +
                   (precision == CudaPrecision::kFloat16 ? " fp16" : " fp32"));
      const std::unique_ptr<Evaluator> evaluator = Open(weights, precision);
      ASSERT_NE(evaluator, nullptr);
      std::vector<EvaluationRequest> requests = RandomRequests(network.positions);
      evaluator->Evaluate(requests);
      ExpectAnswersNear(requests, expected, tolerance);
    }
  }
}

TEST_F(CudaDeviceEvaluatorTest, EveryBatchSizeGivesTheSameAnswersWithinRounding) {
  const NetworkWeights weights = LivelyNetwork(MakeArchitecture(4, 32), 1);
  constexpr int kMaxBatch = 100;
  const std::unique_ptr<Evaluator> evaluator = Open(weights, CudaPrecision::kFloat16, kMaxBatch);
  ASSERT_NE(evaluator, nullptr);
  constexpr int kLargest = 3 * kMaxBatch + 1;
  const std::vector<EvaluationRequest> questions = RandomRequests(kLargest);
  std::vector<EvaluationRequest> expected = questions;
  ReferenceEvaluator(weights).Evaluate(expected);
  for (int size = 1; size <= kLargest; size += size < 40 ? 1 : 23) {
    SCOPED_TRACE(size);
    std::vector<EvaluationRequest> requests(questions.begin(), questions.begin() + size);
    evaluator->Evaluate(requests);
    ExpectAnswersNear(requests, std::span(expected).first(size), kFloat16Tolerance);
  }
}

TEST_F(CudaDeviceEvaluatorTest, TheSameBatchGivesTheSameBitsInBothSlotsAndInBothEvaluators) {
  const NetworkWeights weights = LivelyNetwork(MakeArchitecture(6, 64), 1);
  std::vector<EvaluationRequest> expected = RandomRequests(50);
  Open(weights, CudaPrecision::kFloat16)->Evaluate(expected);
  const std::unique_ptr<Evaluator> evaluator = Open(weights, CudaPrecision::kFloat16);
  for (int i = 0; i < 4; ++i) {
    std::vector<EvaluationRequest> requests = RandomRequests(50);
    evaluator->Evaluate(requests);
    ExpectSameAnswers(requests, expected);
  }
}

TEST_F(CudaDeviceEvaluatorTest, BatchesUnderWayTogetherAreAnsweredAsAlone) {
  const NetworkWeights weights = LivelyNetwork(MakeArchitecture(6, 64), 1);
  const std::unique_ptr<Evaluator> evaluator = Open(weights, CudaPrecision::kFloat16);
  ASSERT_NE(evaluator, nullptr);
  constexpr size_t kBatch = 64;
  constexpr size_t kBatches = 12;
  std::vector<EvaluationRequest> expected = RandomRequests(kBatch * kBatches);
  std::vector<EvaluationRequest> requests = expected;
  for (size_t i = 0; i < kBatches; ++i) {
    evaluator->Evaluate(std::span(expected).subspan(i * kBatch, kBatch));
  }
  for (size_t i = 0; i < kBatches; ++i) {
    evaluator->Submit(std::span(requests).subspan(i * kBatch, kBatch));
    if (i > 0) evaluator->Wait();
  }
  evaluator->Wait();
  ExpectSameAnswers(requests, expected);
}

TEST_F(CudaDeviceEvaluatorTest, SubmitDoesNotWaitForTheDevice) {
  // So much work that packing is little of it.
  const NetworkWeights weights = LivelyNetwork(MakeArchitecture(20, 256), 1);
  const std::unique_ptr<Evaluator> evaluator = Open(weights, CudaPrecision::kFloat16);
  ASSERT_NE(evaluator, nullptr);
  std::vector<EvaluationRequest> requests = RandomRequests(256);
  evaluator->Evaluate(requests);
  using Clock = std::chrono::steady_clock;
  double smallest_share = 1;  // of the whole time that Submit takes
  for (int i = 0; i < 10; ++i) {
    const Clock::time_point start = Clock::now();
    evaluator->Submit(requests);
    const Clock::time_point submitted = Clock::now();
    evaluator->Wait();
    smallest_share =
        std::min(smallest_share, std::chrono::duration<double>(submitted - start) /
                                     std::chrono::duration<double>(Clock::now() - start));
  }
  EXPECT_LT(smallest_share, 0.5);
}

TEST_F(CudaDeviceEvaluatorTest, EvaluatorsOfAllDevicesWorkSideBySide) {
  const NetworkWeights weights = LivelyNetwork(MakeArchitecture(4, 32), 1);
  // Two on each device.
  std::vector<int> devices;
  devices.reserve(2 * device_count_);
  for (int i = 0; i < 2 * device_count_; ++i) devices.push_back(i % device_count_);
  const std::vector<EvaluationRequest> questions = RandomRequests(30);
  std::vector<EvaluationRequest> expected = questions;
  ReferenceEvaluator(weights).Evaluate(expected);
  std::vector<std::vector<EvaluationRequest>> answers(devices.size(), questions);
  {
    std::vector<std::jthread> threads;
    threads.reserve(devices.size());
    for (size_t i = 0; i < devices.size(); ++i) {
      threads.emplace_back([&weights, device = devices[i], &own = answers[i]] {
        const std::unique_ptr<Evaluator> evaluator =
            Open(weights, CudaPrecision::kFloat16, 32, device);
        if (evaluator == nullptr) return;
        for (int round = 0; round < 20; ++round) evaluator->Evaluate(own);
      });
    }
  }
  for (const std::vector<EvaluationRequest>& own : answers) {
    ExpectAnswersNear(own, expected, kFloat16Tolerance);
  }
}

TEST_F(CudaDeviceEvaluatorTest, ADeviceThatIsNotThereIsNamed) {
  const auto evaluators = OpenCudaEvaluators({device_count_}, LivelyNetwork(SmallArchitecture(), 1),
                                             {}, CHUHE_CUDA_LIBRARY);
  EXPECT_EQ(evaluators.status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace chuhe
