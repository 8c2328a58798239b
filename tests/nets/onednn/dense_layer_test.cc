#include "nets/onednn/dense_layer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/random.h"

namespace chuhe {
namespace {

std::vector<float> RandomFloats(size_t size, uint64_t seed) {
  Random random(seed);
  std::vector<float> values(size);
  for (float& value : values) value = static_cast<float>(2 * random.UniformDouble() - 1);
  return values;
}

TEST(DenseLayerTest, IsMatrixTimesVectorPlusBias) {
  struct Case {
    int inputs;
    int outputs;
    DenseLayer::Storage storage;
    float tolerance;  // bfloat16 has 8 bits: half a unit in 256 of each weight
  };
  for (const Case& c : {Case{1, 1, DenseLayer::Storage::kFloat32, 1e-6f},
                        Case{16, 64, DenseLayer::Storage::kFloat32, 1e-5f},
                        Case{33, 65, DenseLayer::Storage::kFloat32, 1e-5f},
                        Case{720, 128, DenseLayer::Storage::kFloat32, 1e-4f},
                        Case{1, 17, DenseLayer::Storage::kBfloat16, 2.0e-3f},
                        Case{720, 100, DenseLayer::Storage::kBfloat16, 0.1f}}) {
    const std::vector<float> weights = RandomFloats(c.inputs * c.outputs, 1);
    const std::vector<float> bias = RandomFloats(c.outputs, 2);
    constexpr int kCount = 3;
    const std::vector<float> vectors = RandomFloats(kCount * c.inputs, 3);
    const DenseLayer layer(weights, bias, c.storage);
    ASSERT_GE(layer.padded_outputs(), c.outputs);
    std::vector<float> results(kCount * layer.padded_outputs());
    layer.Run(vectors.data(), results.data(), kCount);
    for (int i = 0; i < kCount; ++i) {
      for (int out = 0; out < c.outputs; ++out) {
        double sum = bias[out];
        for (int in = 0; in < c.inputs; ++in) {
          sum += double{weights[out * c.inputs + in]} * vectors[i * c.inputs + in];
        }
        EXPECT_NEAR(results[i * layer.padded_outputs() + out], sum, c.tolerance)
            << c.inputs << " → " << c.outputs << ", output " << out;
      }
    }
  }
}

TEST(DenseLayerTest, RoundsWeightsToBfloat16) {
  // 1 + 2^-8 lies halfway between two bfloat16 numbers and goes to the even one.
  const float weights[] = {1.00390625f, 1.01171875f, -1.005f, 3.0f};
  const float expected[] = {1.0f, 1.015625f, -1.0078125f, 3.0f};
  const float bias[] = {0, 0, 0, 0};
  const DenseLayer layer(weights, bias, DenseLayer::Storage::kBfloat16);
  const float one = 1;
  std::vector<float> results(layer.padded_outputs());
  layer.Run(&one, results.data(), 1);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(results[i], expected[i]);
}

}  // namespace
}  // namespace chuhe
