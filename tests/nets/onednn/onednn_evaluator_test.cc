// The fast evaluator against the slow one, in every precision that this CPU has.
#include "nets/onednn/onednn_evaluator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <thread>

#include "nets/features/random_positions.h"
#include "nets/onednn/calibrate.h"
#include "nets/reference/reference_evaluator.h"
#include "tests/nets/reference/lively_network.h"

namespace chuhe {
namespace {

// How far from the reference an evaluator is over some questions.
struct Distance {
  double mean_kl = 0;     // of priors, from the reference
  double mean_value = 0;  // of win − loss, absolute
  double max_prior = 0;
  double max_wdl = 0;
  double max_plies_left = 0;
};

Distance Measure(std::span<const EvaluationRequest> reference,
                 std::span<const EvaluationRequest> answers) {
  Distance distance;
  for (size_t i = 0; i < reference.size(); ++i) {
    const EvaluationRequest& a = reference[i];
    const EvaluationRequest& b = answers[i];
    for (int j = 0; j < a.moves.size; ++j) {
      distance.max_prior =
          std::max(distance.max_prior, std::abs(double{a.priors[j]} - b.priors[j]));
      distance.mean_kl += a.priors[j] * std::log((a.priors[j] + 1e-12) / (b.priors[j] + 1e-12));
    }
    distance.mean_value += std::abs(a.wdl.value() - b.wdl.value());
    for (const double d :
         {a.wdl.win - b.wdl.win, a.wdl.draw - b.wdl.draw, a.wdl.loss - b.wdl.loss}) {
      distance.max_wdl = std::max(distance.max_wdl, std::abs(d));
    }
    distance.max_plies_left =
        std::max(distance.max_plies_left, std::abs(double{a.plies_left} - b.plies_left));
  }
  distance.mean_kl /= static_cast<double>(reference.size());
  distance.mean_value /= static_cast<double>(reference.size());
  return distance;
}

struct Tolerance {
  CpuPrecision precision;
  Distance at_most;
};
// Of 8 bits no more is asked here than what a search does not notice: the gate of a trained network
// is KL 0.005 and value 0.01.
constexpr Tolerance kTolerances[] = {
    {CpuPrecision::kFp32, {1e-7, 1e-5, 1e-5, 1e-5, 1e-3}},
    {CpuPrecision::kBf16, {5e-4, 5e-3, 3e-2, 1e-2, 1}},
    {CpuPrecision::kInt8, {3e-3, 1e-2, 8e-2, 3e-2, 3}},
};

struct Shape {
  int blocks;
  int channels;
  std::vector<int> global_blocks;
};
const Shape kShapes[] = {{1, 16, {}}, {3, 48, {}}, {2, 80, {}}, {2, 32, {0, 1}}, {3, 64, {1}}};

NetworkWeights CalibratedNetwork(const Shape& shape) {
  Architecture architecture = MakeArchitecture(shape.blocks, shape.channels);
  architecture.global_blocks = shape.global_blocks;
  NetworkWeights network = LivelyNetwork(architecture, 5);
  EXPECT_TRUE(Calibrate(&network, RandomPositions(24, 6)).ok());
  return network;
}

std::shared_ptr<const PackedNetwork> Pack(const NetworkWeights& network, CpuPrecision precision) {
  auto packed = PackedNetwork::Make(network, precision);
  EXPECT_TRUE(packed.ok()) << packed.status();
  return *packed;
}

void ExpectSameAnswers(std::span<const EvaluationRequest> a, std::span<const EvaluationRequest> b) {
  for (size_t i = 0; i < a.size(); ++i) {
    for (int j = 0; j < a[i].moves.size; ++j) ASSERT_EQ(a[i].priors[j], b[i].priors[j]) << i;
    ASSERT_EQ(a[i].wdl.win, b[i].wdl.win) << i;
    ASSERT_EQ(a[i].wdl.draw, b[i].wdl.draw) << i;
    ASSERT_EQ(a[i].wdl.loss, b[i].wdl.loss) << i;
    ASSERT_EQ(a[i].plies_left, b[i].plies_left) << i;
  }
}

class OnednnEvaluatorTest : public ::testing::TestWithParam<CpuPrecision> {
 protected:
  void SetUp() override {
    if (!CpuHas(GetParam())) GTEST_SKIP() << "this CPU has no instructions for it";
  }
};

TEST_P(OnednnEvaluatorTest, AgreesWithReference) {
  for (const Shape& shape : kShapes) {
    const NetworkWeights network = CalibratedNetwork(shape);
    std::vector<EvaluationRequest> expected = RandomRequests(5, 7);
    std::vector<EvaluationRequest> answers = expected;
    ReferenceEvaluator(network).Evaluate(expected);
    OnednnEvaluator(Pack(network, GetParam())).Evaluate(answers);
    const Distance distance = Measure(expected, answers);
    for (const auto& [precision, at_most] : kTolerances) {
      if (precision != GetParam()) continue;
      SCOPED_TRACE(testing::Message()
                   << CpuPrecisionName(precision) << " " << shape.blocks << "x" << shape.channels
                   << " global " << shape.global_blocks.size());
      EXPECT_LE(distance.mean_kl, at_most.mean_kl);
      EXPECT_LE(distance.mean_value, at_most.mean_value);
      EXPECT_LE(distance.max_prior, at_most.max_prior);
      EXPECT_LE(distance.max_wdl, at_most.max_wdl);
      EXPECT_LE(distance.max_plies_left, at_most.max_plies_left);
    }
  }
}

TEST_P(OnednnEvaluatorTest, AnswersDoNotDependOnTheBatch) {
  for (const Shape& shape : {kShapes[1], kShapes[3]}) {
    OnednnEvaluator evaluator(Pack(CalibratedNetwork(shape), GetParam()));
    std::vector<EvaluationRequest> single = RandomRequests(37, 8);
    for (EvaluationRequest& request : single) evaluator.Evaluate({&request, 1});
    for (const size_t batch : {2, 7, 8, 9, 37}) {
      std::vector<EvaluationRequest> answers = RandomRequests(37, 8);
      for (size_t begin = 0; begin < answers.size(); begin += batch) {
        const size_t size = std::min(batch, answers.size() - begin);
        evaluator.Evaluate(std::span(answers).subspan(begin, size));
      }
      SCOPED_TRACE(batch);
      ExpectSameAnswers(single, answers);
    }
  }
}

TEST_P(OnednnEvaluatorTest, AnswersAreTheSameFromEveryInstanceAndThread) {
  const NetworkWeights network = CalibratedNetwork(kShapes[4]);
  const auto shared = Pack(network, GetParam());
  std::vector<EvaluationRequest> first = RandomRequests(20, 9);
  OnednnEvaluator(shared).Evaluate(first);

  std::vector<EvaluationRequest> answers[3] = {RandomRequests(20, 9), RandomRequests(20, 9),
                                               RandomRequests(20, 9)};
  {
    std::vector<std::jthread> threads;
    for (auto& part : answers) {
      threads.emplace_back([&] {
        OnednnEvaluator evaluator(&part == &answers[0] ? Pack(network, GetParam()) : shared);
        evaluator.Evaluate(part);
        evaluator.Evaluate(part);
      });
    }
  }
  for (const auto& part : answers) ExpectSameAnswers(first, part);
}

TEST_P(OnednnEvaluatorTest, StartsNoThreads) {
  const std::filesystem::path tasks = "/proc/self/task";
  if (!std::filesystem::exists(tasks)) GTEST_SKIP() << "no " << tasks;
  const auto count_threads = [&] {
    return std::distance(std::filesystem::directory_iterator(tasks), {});
  };
  const auto before = count_threads();
  std::vector<EvaluationRequest> requests = RandomRequests(40, 9);
  OnednnEvaluator(Pack(CalibratedNetwork(kShapes[4]), GetParam())).Evaluate(requests);
  EXPECT_EQ(count_threads(), before);
}

TEST_P(OnednnEvaluatorTest, EmptyBatchIsFine) {
  OnednnEvaluator(Pack(CalibratedNetwork(kShapes[0]), GetParam())).Evaluate({});
}

INSTANTIATE_TEST_SUITE_P(Precisions, OnednnEvaluatorTest,
                         testing::Values(CpuPrecision::kFp32, CpuPrecision::kBf16,
                                         CpuPrecision::kInt8),
                         [](const auto& param) {
                           return std::string(CpuPrecisionName(param.param));
                         });

TEST(PackedNetworkTest, RefusesInt8WithoutCalibration) {
  const auto packed =
      PackedNetwork::Make(LivelyNetwork(MakeArchitecture(1, 16), 1), CpuPrecision::kInt8);
  EXPECT_EQ(packed.status().code(), absl::StatusCode::kFailedPrecondition);
}

// All weights at their limit and all levels at theirs: where sums saturate, they do so here.
TEST(PackedNetworkTest, LargestEightBitSumsAreRight) {
  NetworkWeights network = LivelyNetwork(MakeArchitecture(1, 64), 1);
  for (BlockWeights& block : network.blocks) {
    for (ConvWeights* conv : {&block.conv1, &block.conv2}) {
      for (float& weight : conv->weight) weight = 0.01f;
    }
  }
  ASSERT_TRUE(Calibrate(&network, RandomPositions(24, 6)).ok());
  std::vector<EvaluationRequest> expected = RandomRequests(5, 7);
  std::vector<EvaluationRequest> answers = expected;
  ReferenceEvaluator(network).Evaluate(expected);
  OnednnEvaluator(Pack(network, CpuPrecision::kInt8)).Evaluate(answers);
  const Distance distance = Measure(expected, answers);
  EXPECT_LE(distance.mean_kl, 3e-3);
  EXPECT_LE(distance.mean_value, 1e-2);
}

}  // namespace
}  // namespace chuhe
