// The bodies of the kernels, run on the CPU, against naive computations.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/base/random.h"
#include "gtest/gtest.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "tests/engine/eval/questions.h"
#include "tests/nets/cuda/host_kernels.h"

namespace chuhe {
namespace {

// Numbers from −1 to 1 that start at a multiple of 16 bytes, as on a device.
template <typename T>
class Numbers {
 public:
  explicit Numbers(size_t size, uint64_t seed = 0) : vectors_(size / Vector<T>::kSize + 1) {
    Random random(seed);
    for (size_t i = 0; i < size; ++i) {
      data()[i] = FromFloat<T>(static_cast<float>(random.Below(4001)) / 2000 - 1);
    }
  }
  T* data() { return vectors_[0].values; }
  float operator[](size_t index) const {
    return ToFloat(vectors_[index / Vector<T>::kSize].values[index % Vector<T>::kSize]);
  }

 private:
  std::vector<Vector<T>> vectors_;
};

template <typename T>
class KernelsTest : public testing::Test {};
using NumberTypes = testing::Types<Half, float>;
TYPED_TEST_SUITE(KernelsTest, NumberTypes);

TEST(ElementTest, HalvesAreRoundedToTheNearestEven) {
  EXPECT_EQ(FromFloat<Half>(1).bits, 0x3c00);
  EXPECT_EQ(FromFloat<Half>(1 + 0x1p-11f).bits, 0x3c00);
  EXPECT_EQ(FromFloat<Half>(1 + 0x3p-11f).bits, 0x3c02);
  EXPECT_EQ(FromFloat<Half>(-0x1p-24f).bits, 0x8001);
  EXPECT_EQ(ToFloat(Half{0x3555}), 0x1.554p-2f);
}

TEST(ElementTest, EveryLevelIsExactInHalfPrecision) {
  for (int level = 0; level <= kLevelOne; ++level) {
    const float value = static_cast<float>(level) / kInputDivisor;
    EXPECT_EQ(ToFloat(FromFloat<Half>(value)), value);
  }
}

TYPED_TEST(KernelsTest, ExpandedPositionsAreTheFeaturesPlanes) {
  const std::vector<EvaluationRequest> requests = RandomRequests(200);
  std::vector<PackedPosition> positions;
  positions.reserve(requests.size());
  for (const EvaluationRequest& request : requests) positions.push_back(Pack(request));
  constexpr size_t kSize = size_t{kSquares} * kPlanes;
  Numbers<TypeParam> planes(positions.size() * kSize);
  ExpandPositionsOnHost(positions.data(), static_cast<int>(positions.size()), planes.data());
  for (size_t row = 0; row < positions.size(); ++row) {
    uint8_t levels[kSize];
    ExpandPlanes(positions[row], levels);
    for (size_t i = 0; i < kSize; ++i) {
      ASSERT_EQ(planes[row * kSize + i], static_cast<float>(levels[i]) / kInputDivisor)
          << "row " << row << ", point " << i / kPlanes << ", plane " << i % kPlanes;
    }
  }
}

TYPED_TEST(KernelsTest, GlobalBiasIsTheSameAtEveryPoint) {
  constexpr int kRows = 2;
  // Fewer channels than threads, as many and more.
  for (const int channels : {16, 32, 80}) {
    const size_t size = static_cast<size_t>(kRows) * kSquares * channels;
    Numbers<TypeParam> x(size, 1);
    Numbers<TypeParam> global(static_cast<size_t>(channels) * channels, 2);
    Numbers<TypeParam> y(size, 3);
    SpreadGlobalOnHost(x.data(), global.data(), kRows, channels, y.data());
    for (int row = 0; row < kRows; ++row) {
      for (int out = 0; out < channels; ++out) {
        double sum = 0;
        for (int in = 0; in < channels; ++in) {
          double mean = 0;
          for (int point = 0; point < kSquares; ++point) {
            mean += x[(row * kSquares + point) * channels + in] / kSquares;
          }
          sum += mean * global[in * channels + out];
        }
        for (int point = 0; point < kSquares; ++point) {
          ASSERT_NEAR(y[(row * kSquares + point) * channels + out], sum,
                      1e-6 + std::abs(sum) * 0x1p-11)
              << channels;
        }
      }
    }
  }
}

TYPED_TEST(KernelsTest, ValueHiddenIsALinearLayerWithRelu) {
  const struct {
    int rows;
    int hidden;
    int value_channels;
  } cases[] = {{1, 1, 8}, {4, 8, 8}, {5, 9, 16}, {3, 64, 24}};
  for (const auto& shape : cases) {
    constexpr int kFirst = 16;
    const int width = kFirst + shape.value_channels;
    Numbers<TypeParam> heads(static_cast<size_t>(shape.rows) * kSquares * width, 1);
    Numbers<TypeParam> weight(static_cast<size_t>(shape.hidden) * kSquares * shape.value_channels,
                              2);
    Numbers<float> bias(shape.hidden, 3);
    // One more, which must stay as it is.
    std::vector<float> output(shape.rows * shape.hidden + 1, -5);
    ValueHiddenOnHost<TypeParam>({.heads = heads.data(),
                                  .head_channels = width,
                                  .first_channel = kFirst,
                                  .value_channels = shape.value_channels,
                                  .weight = weight.data(),
                                  .bias = bias.data(),
                                  .rows = shape.rows,
                                  .hidden = shape.hidden,
                                  .output = output.data()});
    EXPECT_EQ(output.back(), -5);
    for (int row = 0; row < shape.rows; ++row) {
      for (int hidden = 0; hidden < shape.hidden; ++hidden) {
        double sum = bias[hidden];
        for (int point = 0; point < kSquares; ++point) {
          for (int channel = 0; channel < shape.value_channels; ++channel) {
            sum += double{heads[(row * kSquares + point) * width + kFirst + channel]} *
                   weight[(hidden * kSquares + point) * shape.value_channels + channel];
          }
        }
        ASSERT_NEAR(output[row * shape.hidden + hidden], std::max(sum, 0.0), 1e-4);
      }
    }
  }
}

// Inputs of the answers' kernel: random numbers, and moves by row.
template <typename T>
struct AnswerCase {
  static constexpr int kPolicyChannels = 16;
  static constexpr int kWidth = 24;

  explicit AnswerCase(const std::vector<std::vector<int>>& moves_by_row, int hidden_units = 37)
      : rows(static_cast<int>(moves_by_row.size())),
        hidden_size(hidden_units),
        heads(static_cast<size_t>(rows) * kSquares * kWidth, 1),
        from(size_t{kMoveShapes} * kPolicyChannels, 2),
        to(size_t{kMoveShapes} * kPolicyChannels, 3),
        bias(kMoveShapes, 4),
        hidden(static_cast<size_t>(rows) * hidden_size, 5),
        outcome_weight(static_cast<size_t>(kOutcomes) * hidden_size, 6),
        outcome_bias(kOutcomes, 7),
        table(kPolicyMoves),
        outcomes(static_cast<size_t>(rows) * kOutcomes) {
    for (int i = 0; i < kPolicyMoves; ++i) {
      const Move move = PolicyMove(i);
      table[i] = {move.from(), move.to(), static_cast<uint8_t>(MoveShape(move)), 0};
    }
    for (const std::vector<int>& row : moves_by_row) {
      offsets.push_back(static_cast<uint32_t>(moves.size()));
      for (const int move : row) moves.push_back(static_cast<uint16_t>(move));
    }
    offsets.push_back(static_cast<uint32_t>(moves.size()));
    priors.assign(moves.size() + 1, -5);
  }

  void Run() {
    const AnswerArguments<T> arguments = {.heads = heads.data(),
                                          .head_channels = kWidth,
                                          .policy_channels = kPolicyChannels,
                                          .policy_from = from.data(),
                                          .policy_to = to.data(),
                                          .policy_bias = bias.data(),
                                          .table = table.data(),
                                          .offsets = offsets.data(),
                                          .moves = moves.data(),
                                          .hidden = hidden.data(),
                                          .hidden_size = hidden_size,
                                          .outcome_weight = outcome_weight.data(),
                                          .outcome_bias = outcome_bias.data(),
                                          .outcomes = outcomes.data(),
                                          .priors = priors.data()};
    AnswersOnHost(arguments, rows);
  }

  double Logit(int row, int index) const {
    const Move move = PolicyMove(index);
    const int shape = MoveShape(move);
    double sum = bias[shape];
    for (int c = 0; c < kPolicyChannels; ++c) {
      sum += double{from[shape * kPolicyChannels + c]} *
             heads[(row * kSquares + move.from()) * kWidth + c];
      sum += double{to[shape * kPolicyChannels + c]} *
             heads[(row * kSquares + move.to()) * kWidth + c];
    }
    return sum;
  }
  double Outcome(int row, int outcome) const {
    double sum = outcome_bias[outcome];
    for (int i = 0; i < hidden_size; ++i) {
      sum += double{hidden[row * hidden_size + i]} * outcome_weight[outcome * hidden_size + i];
    }
    return sum;
  }

  int rows;
  int hidden_size;
  Numbers<T> heads;
  Numbers<T> from;
  Numbers<T> to;
  Numbers<float> bias;
  Numbers<float> hidden;
  Numbers<float> outcome_weight;
  Numbers<float> outcome_bias;
  std::vector<PolicyTableEntry> table;
  std::vector<uint32_t> offsets;
  std::vector<uint16_t> moves;
  std::vector<float> outcomes;
  std::vector<float> priors;  // and one more, which must stay as it is
};

std::vector<int> SomeMoves(int count, uint64_t seed) {
  Random random(seed);
  std::vector<int> moves(count);
  for (int& move : moves) move = static_cast<int>(random.Below(kPolicyMoves));
  return moves;
}

TYPED_TEST(KernelsTest, PriorsAreTheSoftmaxOverTheLegalMoves) {
  AnswerCase<TypeParam> answer(
      {SomeMoves(40, 1), SomeMoves(1, 2), {}, SomeMoves(kMaxMoves, 3), {5, 5}, {}});
  answer.Run();
  for (int row = 0; row < answer.rows; ++row) {
    double sum = 0;
    for (uint32_t i = answer.offsets[row]; i < answer.offsets[row + 1]; ++i) {
      sum += std::exp(answer.Logit(row, answer.moves[i]));
    }
    for (uint32_t i = answer.offsets[row]; i < answer.offsets[row + 1]; ++i) {
      ASSERT_NEAR(answer.priors[i], std::exp(answer.Logit(row, answer.moves[i])) / sum, 1e-6);
    }
  }
  EXPECT_EQ(answer.priors.back(), -5);
}

TYPED_TEST(KernelsTest, OutcomesAreChancesAndPlies) {
  for (const int hidden : {1, 32, 37, 128}) {
    AnswerCase<TypeParam> answer({{1}, {2}, {3}}, hidden);
    answer.Run();
    for (int row = 0; row < answer.rows; ++row) {
      double sum = 0;
      for (int i = 0; i < 3; ++i) sum += std::exp(answer.Outcome(row, i));
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(answer.outcomes[row * kOutcomes + i], std::exp(answer.Outcome(row, i)) / sum,
                    1e-5);
      }
      const double plies = kPliesLeftUnit * std::log1p(std::exp(answer.Outcome(row, 3)));
      EXPECT_NEAR(answer.outcomes[row * kOutcomes + 3], plies, 1e-5 * plies);
    }
  }
}

TEST(AnswersTest, HugeLogitsDoNotOverflow) {
  AnswerCase<float> answer({SomeMoves(3, 1)});
  answer.moves = {0, 1, 2};
  const int certain = MoveShape(PolicyMove(1));
  ASSERT_NE(MoveShape(PolicyMove(0)), certain);
  ASSERT_NE(MoveShape(PolicyMove(2)), certain);
  answer.bias.data()[certain] = 1e4f;
  answer.Run();
  EXPECT_EQ(answer.priors[0], 0);
  EXPECT_EQ(answer.priors[1], 1);
  EXPECT_EQ(answer.priors[2], 0);

  float outcomes[kOutcomes];
  const float high[] = {-1e4f, 1e4f, 0, 1e4f};
  WriteOutcomes(high, outcomes);
  EXPECT_EQ(outcomes[0], 0);
  EXPECT_EQ(outcomes[1], 1);
  EXPECT_EQ(outcomes[2], 0);
  EXPECT_EQ(outcomes[3], kPliesLeftUnit * 1e4f);
  const float low[] = {0, 0, 0, -1e4f};
  WriteOutcomes(low, outcomes);
  EXPECT_FLOAT_EQ(outcomes[0], 1.0f / 3);
  EXPECT_EQ(outcomes[3], 0);
}

}  // namespace
}  // namespace chuhe
