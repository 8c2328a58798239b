// What a residual block costs in 8 bits on one core: plain, with global pooling, and with
// squeeze-excitation, which the engine does not have and which is made here as fast as we know how.
//
//   block_bench [--rounds=N] [--seconds=S]
//
// The three take turns. Shown are microseconds a position of a plain block, and what the others
// take of that: median and extremes of the rounds, by the thread's time on the CPU.
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "engine/base/random.h"
#include "engine/base/spread.h"
#include "engine/base/status_macros.h"
#include "engine/board/types.h"
#include "nets/onednn/convolution.h"
#include "nets/onednn/dense_layer.h"
#include "nets/onednn/point_sums.h"
#include "nets/onednn/single_thread.h"
#include "nets/onednn/tower.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace chuhe {
namespace {

constexpr int kBlocks = 6;  // so that weights compete for the caches as in a tower
constexpr int kSqueezeFactor = 4;
constexpr int kMaxBatch = 32;

// Levels of the second convolution, which may be negative here, are stored with this added.
constexpr int kZeroLevel = 128;
constexpr int kOneBits = 12;  // factors are 16-bit numbers, 1.0 is 2^kOneBits

double ThreadSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// What is done with channel c: x = relu(growth · x + scale[c] · z + shift[c]), all in levels; the
// shift has what rounding and kZeroLevel need added.
struct Excitation {
  int16_t growth = 0;
  std::vector<int16_t> scale;
  std::vector<int32_t> shift;
};

void ExciteSimply(const Excitation& excitation, const uint8_t* z, uint8_t* x, int channels) {
  for (int square = 0; square < kSquares; ++square) {
    for (int c = 0; c < channels; ++c, ++z, ++x) {
      const int sum = excitation.growth * *x + excitation.scale[c] * *z + excitation.shift[c];
      *x = static_cast<uint8_t>(std::clamp(sum >> kOneBits, 0, 255));
    }
  }
}

#if defined(__AVX2__)
// 32 channels at a time, whose factors stay in registers. The instructions that interleave and pack
// work on halves of 16 bytes each; in the end one permutation brings these into order.
void Excite(const Excitation& excitation, const uint8_t* z, uint8_t* x, int channels) {
  const auto load16 = [](const uint8_t* from) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  };
  const auto load = [](const auto* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  };
  const __m256i growth = _mm256_set1_epi16(excitation.growth);
  for (int first = 0; first < channels; first += 32) {
    __m256i factors[4];  // growth and scale in turns
    __m256i shifts[4];
    for (int half = 0; half < 2; ++half) {
      const __m256i scale = load(&excitation.scale[first + 16 * half]);
      factors[2 * half] = _mm256_unpacklo_epi16(growth, scale);
      factors[2 * half + 1] = _mm256_unpackhi_epi16(growth, scale);
      const __m256i low = load(&excitation.shift[first + 16 * half]);
      const __m256i high = load(&excitation.shift[first + 16 * half + 8]);
      shifts[2 * half] = _mm256_permute2x128_si256(low, high, 0x20);
      shifts[2 * half + 1] = _mm256_permute2x128_si256(low, high, 0x31);
    }
    const uint8_t* from = z + first;
    uint8_t* to = x + first;
    for (int square = 0; square < kSquares; ++square, from += channels, to += channels) {
      __m256i words[2];
      for (int half = 0; half < 2; ++half) {
        const __m256i old_levels = load16(to + 16 * half);
        const __m256i levels = load16(from + 16 * half);
        const auto sum = [&](const __m256i& pairs, int i) {
          const __m256i products = _mm256_madd_epi16(pairs, factors[2 * half + i]);
          return _mm256_srai_epi32(_mm256_add_epi32(products, shifts[2 * half + i]), kOneBits);
        };
        words[half] = _mm256_packs_epi32(sum(_mm256_unpacklo_epi16(old_levels, levels), 0),
                                         sum(_mm256_unpackhi_epi16(old_levels, levels), 1));
      }
      const __m256i bytes = _mm256_packus_epi16(words[0], words[1]);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                          _mm256_permute4x64_epi64(bytes, _MM_SHUFFLE(3, 1, 2, 0)));
    }
  }
}
#else
void Excite(const Excitation& excitation, const uint8_t* z, uint8_t* x, int channels) {
  ExciteSimply(excitation, z, x, channels);
}
#endif

struct Block {
  Convolution conv1;
  Convolution conv2;           // with the residual sum
  Convolution conv2_alone;     // for squeeze-excitation: levels around kZeroLevel
  DenseLayer global;           // sums over the points → bias of conv1
  DenseLayer squeeze, excite;  // sums over the points → factors in units of 1 / 2^kOneBits
};

std::vector<float> RandomFloats(Random* random, int count, double reach, double middle = 0) {
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) {
    value = static_cast<float>(middle + reach * (2 * random->UniformDouble() - 1));
  }
  return values;
}

absl::StatusOr<Convolution> MakeConvolution(const dnnl::engine& engine, int channels, bool adds,
                                            int zero_level, Random* random) {
  const auto count = static_cast<size_t>(channels * channels * 9);
  std::vector<int8_t> weights(count);
  for (int8_t& weight : weights) weight = static_cast<int8_t>(random->Below(255) - 127);
  const float step = 1.0f / static_cast<float>(40 * channels);
  const ConvolutionSpec spec{.inputs = channels,
                             .outputs = channels,
                             .source = Number::kU8,
                             .destination = Number::kU8,
                             .adds_destination = adds,
                             .addend_scale = 0.9f,
                             .output_scales = std::vector<float>(channels, step)};
  const std::vector<float> bias(channels, static_cast<float>(zero_level) / step);
  return Convolution::Make(engine, spec, {.weight8 = weights, .bias = bias});
}

absl::StatusOr<std::vector<Block>> MakeBlocks(int channels) {
  constexpr auto kFloats = DenseLayer::Storage::kFloat32;
  Random random(1, StreamId("block bench"));
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const auto dense = [&](int inputs, int outputs, double reach) {
    return DenseLayer(RandomFloats(&random, inputs * outputs, reach),
                      RandomFloats(&random, outputs, reach), kFloats);
  };
  std::vector<Block> blocks;
  for (int i = 0; i < kBlocks; ++i) {
    CHUHE_ASSIGN_OR_RETURN(Convolution conv1, MakeConvolution(engine, channels, false, 0, &random));
    CHUHE_ASSIGN_OR_RETURN(Convolution conv2, MakeConvolution(engine, channels, true, 0, &random));
    CHUHE_ASSIGN_OR_RETURN(Convolution conv2_alone,
                           MakeConvolution(engine, channels, false, kZeroLevel, &random));
    const int squeezed = channels / kSqueezeFactor;
    blocks.push_back({std::move(conv1), std::move(conv2), std::move(conv2_alone),
                      dense(channels, channels, 0.1), dense(channels, squeezed, 1e-4),
                      dense(squeezed, 2 * channels, 1)});
  }
  return blocks;
}

// The maps and calls of a tower of such blocks.
class Chain {
 public:
  Chain(const std::vector<Block>& blocks, int channels)
      : blocks_(&blocks),
        channels_(channels),
        map_size_(static_cast<size_t>(kSquares) * channels),
        x_(map_size_ * kMaxBatch),
        y_(map_size_ * kMaxBatch),
        scratchpad_(ScratchpadSize(blocks)),
        sums_(channels),
        dense_results_(2 * DenseRoom(channels)) {
    for (const Block& block : blocks) {
      calls_.push_back({ConvolutionCall(block.conv1, scratchpad_.data()),
                        ConvolutionCall(block.conv2, scratchpad_.data()),
                        ConvolutionCall(block.conv2_alone, scratchpad_.data())});
    }
    excitation_.growth = static_cast<int16_t>(0.9 * (1 << kOneBits));
    excitation_.scale.resize(channels);
    excitation_.shift.resize(channels);
    std::fill_n(x_.data(), map_size_ * kMaxBatch, std::byte{40});
  }

  void RunPlain(int positions) {
    for (Calls& calls : calls_) {
      calls.conv1.Run(x_.data(), y_.data(), positions);
      calls.conv2.Run(y_.data(), x_.data(), positions);
    }
  }

  void RunGlobal(int positions) {
    for (size_t b = 0; b < calls_.size(); ++b) {
      for (int i = 0; i < positions; ++i) {
        const std::byte* x = x_.data() + map_size_ * i;
        SumPoints(Number::kU8, x, channels_, sums_.data());
        (*blocks_)[b].global.Run(sums_.data(), dense_results_.data(), 1);
        calls_[b].conv1.RunWithBias(x, y_.data() + map_size_ * i, dense_results_.data());
      }
      calls_[b].conv2.Run(y_.data(), x_.data(), positions);
    }
  }

  void RunSqueezeExcitation(int positions) {
    for (size_t b = 0; b < calls_.size(); ++b) {
      calls_[b].conv1.Run(x_.data(), y_.data(), positions);
      calls_[b].conv2_alone.Run(y_.data(), z_.data(), positions);
      for (int i = 0; i < positions; ++i) {
        const auto* levels = reinterpret_cast<const uint8_t*>(z_.data() + map_size_ * i);
        FindExcitation((*blocks_)[b], levels);
        Excite(excitation_, levels, reinterpret_cast<uint8_t*>(x_.data() + map_size_ * i),
               channels_);
      }
    }
  }

  // Whether the fast excitation makes the same bytes as the simple one.
  bool ExcitesRight() {
    Random random(2, StreamId("excitation"));
    std::vector<uint8_t> z(map_size_);
    std::vector<uint8_t> x(map_size_);
    for (uint8_t& level : z) level = static_cast<uint8_t>(random.Below(256));
    for (uint8_t& level : x) level = static_cast<uint8_t>(random.Below(256));
    FindExcitation(blocks_->front(), z.data());
    std::vector<uint8_t> simple = x;
    ExciteSimply(excitation_, z.data(), simple.data(), channels_);
    Excite(excitation_, z.data(), x.data(), channels_);
    return x == simple;
  }

 private:
  struct Calls {
    ConvolutionCall conv1;
    ConvolutionCall conv2;
    ConvolutionCall conv2_alone;
  };

  static size_t ScratchpadSize(const std::vector<Block>& blocks) {
    size_t size = 0;
    for (const Block& block : blocks) {
      size = std::max({size, block.conv1.scratchpad_size(), block.conv2.scratchpad_size(),
                       block.conv2_alone.scratchpad_size()});
    }
    return size;
  }
  static size_t DenseRoom(int channels) { return static_cast<size_t>(channels) + 64; }

  void FindExcitation(const Block& block, const uint8_t* levels) {
    constexpr float kOne = 1 << kOneBits;
    SumPoints(Number::kU8, levels, channels_, sums_.data());
    block.squeeze.Run(sums_.data(), squeezed_.data(), 1);
    for (float& value : squeezed_) value = std::max(value, 0.0f);
    block.excite.Run(squeezed_.data(), dense_results_.data(), 1);
    for (int c = 0; c < channels_; ++c) {
      // The sigmoid's place is taken by a rational function of its shape, which vectorises.
      const float a = dense_results_[c];
      const float scale = kOne * (0.5f + 0.5f * a / (1.0f + std::abs(a)));
      const float shift = kOne * dense_results_[channels_ + c];
      excitation_.scale[c] = static_cast<int16_t>(scale);
      excitation_.shift[c] =
          static_cast<int32_t>(shift - kZeroLevel * std::floor(scale) + kOne / 2);
    }
  }

  const std::vector<Block>* blocks_;
  int channels_;
  size_t map_size_;
  AlignedBuffer x_;
  AlignedBuffer y_;
  AlignedBuffer z_{map_size_ * kMaxBatch};
  AlignedBuffer scratchpad_;
  std::vector<float> sums_;
  std::vector<float> squeezed_ = std::vector<float>(DenseRoom(channels_));
  std::vector<float> dense_results_;
  Excitation excitation_;
  std::vector<Calls> calls_;
};

struct Settings {
  int rounds = 15;
  double seconds = 0.02;
};

// Seconds a call.
double Measure(const std::function<void()>& run, double seconds) {
  run();
  int64_t calls = 0;
  const double start = ThreadSeconds();
  double elapsed = 0;
  do {
    run();
    ++calls;
    elapsed = ThreadSeconds() - start;
  } while (elapsed < seconds);
  return elapsed / static_cast<double>(calls);
}

absl::Status Bench(int channels, const Settings& settings) {
  const SingleThreadScope single_thread;
  CHUHE_ASSIGN_OR_RETURN(const std::vector<Block> blocks, MakeBlocks(channels));
  Chain chain(blocks, channels);
  if (!chain.ExcitesRight()) return absl::InternalError("the fast excitation is wrong");
  for (const int batch : {1, 8, 32}) {
    std::vector<double> plain;
    std::vector<double> global;
    std::vector<double> excited;
    for (int round = 0; round < settings.rounds; ++round) {
      const double base = Measure([&] { chain.RunPlain(batch); }, settings.seconds);
      plain.push_back(1e6 * base / (kBlocks * batch));
      global.push_back(Measure([&] { chain.RunGlobal(batch); }, settings.seconds) / base);
      excited.push_back(Measure([&] { chain.RunSqueezeExcitation(batch); }, settings.seconds) /
                        base);
    }
    const Spread time = SpreadOf(plain);
    const Spread pooled = SpreadOf(global);
    const Spread squeezed = SpreadOf(excited);
    std::printf(
        "%3d channels, batch %2d: plain %6.2f us (%.2f to %.2f), global pooling x %.3f (%.3f to "
        "%.3f), squeeze-excitation x %.3f (%.3f to %.3f)\n",
        channels, batch, time.median, time.low, time.high, pooled.median, pooled.low, pooled.high,
        squeezed.median, squeezed.low, squeezed.high);
    std::fflush(stdout);
  }
  return absl::OkStatus();
}

bool ReadSetting(absl::string_view argument, Settings* settings) {
  if (absl::ConsumePrefix(&argument, "--rounds=")) {
    return absl::SimpleAtoi(argument, &settings->rounds) && settings->rounds > 0;
  }
  return absl::ConsumePrefix(&argument, "--seconds=") &&
         absl::SimpleAtod(argument, &settings->seconds);
}

}  // namespace
}  // namespace chuhe

int main(int argc, char** argv) {
  chuhe::Settings settings;
  for (int i = 1; i < argc; ++i) {
    if (!chuhe::ReadSetting(argv[i], &settings)) {
      std::fprintf(stderr, "block_bench: cannot read '%s'\n", argv[i]);
      return 1;
    }
  }
  for (const int channels : {32, 64, 128}) {
    if (const absl::Status status = chuhe::Bench(channels, settings); !status.ok()) {
      std::fprintf(stderr, "block_bench: %s\n", status.ToString().c_str());
      return 1;
    }
  }
  return 0;
}
