// The evaluator on the CPU's stand-in for the CUDA library (host_library.cc).
#include "nets/cuda/cuda_evaluator.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/reference/reference_evaluator.h"
#include "tests/engine/eval/questions.h"
#include "tests/nets/cuda/answers_comparison.h"

namespace chuhe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

// Two blocks of which one is global, and value channels that are no multiple of 8.
Architecture SmallArchitecture() {
  return {.blocks = 2,
          .channels = 16,
          .policy_channels = 16,
          .value_channels = 3,
          .value_hidden = 21,
          .global_blocks = {1}};
}

std::unique_ptr<Evaluator> Open(const NetworkWeights& weights, CudaPrecision precision,
                                int max_batch = 4, int device = 0) {
  auto evaluators = OpenCudaEvaluators(
      {device}, weights, {.precision = precision, .max_batch = max_batch}, CHUHE_HOST_LIBRARY);
  EXPECT_TRUE(evaluators.ok()) << evaluators.status();
  return evaluators.ok() ? std::move(evaluators->front()) : nullptr;
}

struct NetworkCase {
  const char* name;
  Architecture architecture;
};

const NetworkCase kNetworks[] = {
    {"global block, odd heads", SmallArchitecture()},
    {"no global block",
     {.blocks = 1, .channels = 32, .policy_channels = 16, .value_channels = 8, .value_hidden = 64}},
    {"all blocks global",
     {.blocks = 2,
      .channels = 48,
      .policy_channels = 32,
      .value_channels = 9,
      .value_hidden = 1,
      .global_blocks = {0, 1}}},
};

TEST(CudaEvaluatorTest, AnswersAsTheReferenceDoes) {
  for (const NetworkCase& network : kNetworks) {
    const NetworkWeights weights = LivelyNetwork(network.architecture, 1);
    std::vector<EvaluationRequest> expected = RandomRequests(3);
    ReferenceEvaluator(weights).Evaluate(expected);
    for (const auto& [precision, tolerance] :
         {std::pair(CudaPrecision::kFloat32, kFloat32Tolerance),
          std::pair(CudaPrecision::kFloat16, kFloat16Tolerance)}) {
      SCOPED_TRACE(network.name);
      std::vector<EvaluationRequest> requests = RandomRequests(3);
      const std::unique_ptr<Evaluator> evaluator = Open(weights, precision);
      ASSERT_NE(evaluator, nullptr);
      evaluator->Evaluate(requests);
      ExpectAnswersNear(requests, expected, tolerance);
    }
  }
}

TEST(CudaEvaluatorTest, TellsNetworksAndPositionsApart) {
  std::vector<EvaluationRequest> requests = RandomRequests(2);
  std::vector<EvaluationRequest> others = requests;
  ReferenceEvaluator(LivelyNetwork(SmallArchitecture(), 1)).Evaluate(requests);
  ReferenceEvaluator(LivelyNetwork(SmallArchitecture(), 2)).Evaluate(others);
  const Differences differences = LargestDifferences(requests, others);
  EXPECT_GT(differences.prior, 5 * kFloat16Tolerance.prior);
  EXPECT_GT(differences.wdl, 5 * kFloat16Tolerance.wdl);
}

TEST(CudaEvaluatorTest, AnswersDoNotDependOnTheBatch) {
  const NetworkWeights weights = LivelyNetwork(SmallArchitecture(), 1);
  const std::unique_ptr<Evaluator> evaluator = Open(weights, CudaPrecision::kFloat16);
  std::vector<EvaluationRequest> expected = RandomRequests(9);
  for (EvaluationRequest& request : expected) evaluator->Evaluate({&request, 1});
  // Up to more than both slots hold together.
  for (const size_t size : {1, 2, 3, 4, 5, 8, 9}) {
    std::vector<EvaluationRequest> requests = RandomRequests(static_cast<int>(size));
    evaluator->Evaluate(requests);
    ExpectSameAnswers(requests, std::span(expected).first(size));
  }
}

TEST(CudaEvaluatorTest, SubmittedBatchesAreAnsweredInTheirOrder) {
  const NetworkWeights weights = LivelyNetwork(SmallArchitecture(), 1);
  const std::unique_ptr<Evaluator> evaluator = Open(weights, CudaPrecision::kFloat16);
  ASSERT_EQ(evaluator->max_in_flight(), 2);
  std::vector<EvaluationRequest> expected = RandomRequests(20);
  evaluator->Evaluate(expected);
  std::vector<EvaluationRequest> requests = RandomRequests(20);
  // Empty ones and ones beyond the largest batch among them.
  const std::vector<size_t> sizes = {2, 4, 0, 1, 9, 0, 0, 4};
  std::vector<std::span<EvaluationRequest>> batches;
  std::span<EvaluationRequest> rest = requests;
  for (const size_t size : sizes) {
    batches.push_back(rest.first(size));
    rest = rest.subspan(size);
  }
  evaluator->Submit(batches[0]);
  for (size_t i = 0; i < batches.size(); ++i) {
    if (i + 1 < batches.size()) evaluator->Submit(batches[i + 1]);
    evaluator->Wait();
    const size_t start = static_cast<size_t>(batches[i].data() - requests.data());
    ExpectSameAnswers(batches[i], std::span(expected).subspan(start, sizes[i]));
  }
}

TEST(CudaEvaluatorTest, AnUnfetchedBatchIsLeftAtTheEnd) {
  const NetworkWeights weights = LivelyNetwork(SmallArchitecture(), 1);
  std::vector<EvaluationRequest> requests = RandomRequests(2);
  requests[0].plies_left = -1;
  {
    const std::unique_ptr<Evaluator> evaluator = Open(weights, CudaPrecision::kFloat16);
    evaluator->Submit(requests);
  }
  EXPECT_EQ(requests[0].plies_left, -1);
}

TEST(CudaEvaluatorTest, SeveralEvaluatorsWorkSideBySide) {
  const NetworkWeights weights = LivelyNetwork(SmallArchitecture(), 1);
  std::vector<EvaluationRequest> expected = RandomRequests(3);
  Open(weights, CudaPrecision::kFloat16)->Evaluate(expected);
  std::vector<std::vector<EvaluationRequest>> requests(2, RandomRequests(3));
  {
    std::vector<std::jthread> threads;
    threads.reserve(requests.size());
    for (std::vector<EvaluationRequest>& own : requests) {
      threads.emplace_back(
          [&weights, &own] { Open(weights, CudaPrecision::kFloat16)->Evaluate(own); });
    }
  }
  for (const std::vector<EvaluationRequest>& own : requests) ExpectSameAnswers(own, expected);
}

TEST(OpenCudaEvaluatorsTest, GivesOneForEachDevice) {
  const auto evaluators =
      OpenCudaEvaluators({2, 0}, LivelyNetwork(SmallArchitecture(), 1), {}, CHUHE_HOST_LIBRARY);
  ASSERT_TRUE(evaluators.ok()) << evaluators.status();
  ASSERT_EQ(evaluators->size(), 2u);
  EXPECT_EQ(dynamic_cast<CudaEvaluator&>(*(*evaluators)[0]).device(), 2);
  EXPECT_EQ(dynamic_cast<CudaEvaluator&>(*(*evaluators)[1]).device(), 0);
}

TEST(OpenCudaEvaluatorsTest, SaysWhatIsWrong) {
  const NetworkWeights good = LivelyNetwork(SmallArchitecture(), 1);
  NetworkWeights wide = good;
  wide.stem.weight[0] = 1e6f;
  const struct {
    std::vector<int> devices;
    const NetworkWeights& weights;
    int max_batch;
    std::string library;
    absl::StatusCode code;
    const char* message;
  } cases[] = {
      {{0}, good, 8, "libchuhe_no_such.so", absl::StatusCode::kNotFound, "libchuhe_no_such.so"},
      {{3},
       good,
       8,
       CHUHE_HOST_LIBRARY,
       absl::StatusCode::kInvalidArgument,
       "there is no device cuda:3; this machine has 3"},
      {{0}, wide, 8, CHUHE_HOST_LIBRARY, absl::StatusCode::kInvalidArgument, "tensor stem.weight"},
      {{0}, good, 0, CHUHE_HOST_LIBRARY, absl::StatusCode::kInvalidArgument, "expected 1 to"},
  };
  for (const auto& bad : cases) {
    const auto evaluators =
        OpenCudaEvaluators(bad.devices, bad.weights, {.max_batch = bad.max_batch}, bad.library);
    EXPECT_EQ(evaluators.status().code(), bad.code) << bad.message;
    EXPECT_THAT(MessageOf(evaluators.status()), HasSubstr(bad.message));
  }
}

TEST(CudaEvaluatorDeathTest, ABrokenDeviceEndsTheProgramWithTheReason) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const NetworkWeights weights = LivelyNetwork(SmallArchitecture(), 1);
  std::vector<EvaluationRequest> requests = RandomRequests(1);
  EXPECT_DEATH(Open(weights, CudaPrecision::kFloat16, 4, 1)->Evaluate(requests),
               "cuda:1 does not evaluate any more: cannot start");
  EXPECT_DEATH(Open(weights, CudaPrecision::kFloat16, 4, 2)->Evaluate(requests),
               "cuda:2 does not evaluate any more: cannot finish");
}

TEST(ParseCudaDevicesTest, ReadsTheDevicesNumbers) {
  EXPECT_THAT(ParseCudaDevices("cuda").value(), ElementsAre(0));
  EXPECT_THAT(ParseCudaDevices("cuda:3").value(), ElementsAre(3));
  EXPECT_THAT(ParseCudaDevices("cuda:1,0,7").value(), ElementsAre(1, 0, 7));
}

TEST(ParseCudaDevicesTest, RefusesOtherTexts) {
  for (const char* text :
       {"", "cpu", "cuda:", "cuda:x", "cuda:0,", "cuda:-1", "cuda:0,1,0", "cuda0", "CUDA:0"}) {
    const auto devices = ParseCudaDevices(text);
    EXPECT_EQ(devices.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(MessageOf(devices.status()), HasSubstr(std::string("device '") + text + "'"));
  }
}

}  // namespace
}  // namespace chuhe
