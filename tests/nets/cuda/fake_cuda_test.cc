// nets/cuda's use of CUDA and cuDNN, on the CPU's stand-ins for them (fake_cuda.h).
#include <dlfcn.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/cuda/cuda_evaluator.h"
#include "nets/reference/reference_evaluator.h"
#include "tests/engine/eval/questions.h"
#include "tests/nets/cuda/answers_comparison.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

class FakeCudaTest : public testing::Test {
 protected:
  FakeCudaTest()
      : weights_(LivelyNetwork({.blocks = 2,
                                .channels = 16,
                                .policy_channels = 16,
                                .value_channels = 3,
                                .value_hidden = 21,
                                .global_blocks = {1}},
                               1)),
        library_(CudaLibrary::Open(CHUHE_FAKE_LIBRARY)) {
    void* const handle = dlopen(CHUHE_FAKE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    live_objects_ = reinterpret_cast<int (*)()>(dlsym(handle, "fake_cuda_live_objects"));
    fail_call_ = reinterpret_cast<int (*)(int)>(dlsym(handle, "fake_cuda_fail_call"));
    fail_call_(0);
  }

  absl::StatusOr<std::unique_ptr<CudaEvaluator>> Create(CudaPrecision precision,
                                                        int max_batch = 4) const {
    return CudaEvaluator::Create(*library_, PreparedNetwork::Make(weights_, precision).value(), 1,
                                 max_batch);
  }

  NetworkWeights weights_;
  absl::StatusOr<CudaLibrary> library_;
  int (*live_objects_)() = nullptr;
  int (*fail_call_)(int) = nullptr;
};

TEST_F(FakeCudaTest, AnswersAsTheReferenceDoes) {
  std::vector<EvaluationRequest> expected = RandomRequests(9);
  ReferenceEvaluator(weights_).Evaluate(expected);
  for (const auto& [precision, tolerance] :
       {std::pair(CudaPrecision::kFloat32, kFloat32Tolerance),
        std::pair(CudaPrecision::kFloat16, kFloat16Tolerance)}) {
    const auto evaluator = Create(precision);
    ASSERT_TRUE(evaluator.ok()) << evaluator.status();
    for (const size_t size : {1, 2, 3, 4, 9}) {
      std::vector<EvaluationRequest> requests = RandomRequests(static_cast<int>(size));
      (*evaluator)->Evaluate(requests);
      ExpectAnswersNear(requests, std::span(expected).first(size), tolerance);
    }
  }
}

TEST_F(FakeCudaTest, BatchesUnderWayTogetherAreAnsweredAsAlone) {
  const auto evaluator = Create(CudaPrecision::kFloat16);
  ASSERT_TRUE(evaluator.ok()) << evaluator.status();
  std::vector<EvaluationRequest> expected = RandomRequests(12);
  (*evaluator)->Evaluate(expected);
  std::vector<EvaluationRequest> requests = RandomRequests(12);
  for (size_t i = 0; i < 4; ++i) {
    (*evaluator)->Submit(std::span(requests).subspan(3 * i, 3));
    if (i > 0) (*evaluator)->Wait();
  }
  (*evaluator)->Wait();
  ExpectSameAnswers(requests, expected);
}

TEST_F(FakeCudaTest, GivesEverythingBack) {
  const int before = live_objects_();
  {
    auto evaluator = Create(CudaPrecision::kFloat16);
    ASSERT_TRUE(evaluator.ok()) << evaluator.status();
    EXPECT_GT(live_objects_(), before);
    std::vector<EvaluationRequest> requests = RandomRequests(3);
    (*evaluator)->Submit(requests);
  }
  EXPECT_EQ(live_objects_(), before);
}

TEST_F(FakeCudaTest, EveryCallThatFailsInMakingIsReportedAndLeavesNothingBehind) {
  weights_ = LivelyNetwork({.blocks = 1,
                            .channels = 16,
                            .policy_channels = 16,
                            .value_channels = 1,
                            .value_hidden = 1,
                            .global_blocks = {0}},
                           1);
  const int before = live_objects_();
  ASSERT_TRUE(Create(CudaPrecision::kFloat16, 1).ok());
  const int calls = fail_call_(0);
  ASSERT_GT(calls, 100);
  int failures = 0;
  for (int call = 1; call <= calls; ++call) {
    fail_call_(call);
    const absl::Status status = Create(CudaPrecision::kFloat16, 1).status();
    // Another algorithm is tried where one is refused, and giving back goes on in any case.
    if (!status.ok()) {
      ++failures;
      EXPECT_THAT(std::string(status.message()), HasSubstr(": fake failure ("));
    }
    ASSERT_EQ(live_objects_(), before) << call;
  }
  fail_call_(0);
  EXPECT_GT(failures, calls * 8 / 10);
}

TEST_F(FakeCudaTest, EveryDeathOfEvaluatingNamesTheCall) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const struct {
    int call;
    const char* name;
  } cases[] = {{1, "cudaSetDevice"},   {2, "cudaMemcpyAsync"}, {3, "cudaGraphLaunch"},
               {4, "cudaMemcpyAsync"}, {5, "cudaEventRecord"}, {7, "cudaEventSynchronize"}};
  for (const auto& failing : cases) {
    EXPECT_DEATH(
        {
          auto evaluator = Create(CudaPrecision::kFloat16, 1);
          std::vector<EvaluationRequest> requests = RandomRequests(1);
          fail_call_(failing.call);
          (*evaluator)->Evaluate(requests);
        },
        std::string("cuda:1 does not evaluate any more: ") + failing.name + ": fake failure");
  }
}

}  // namespace
}  // namespace chuhe
