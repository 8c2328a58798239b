#include "engine/search/prior_code.h"

#include "engine/base/vectors.h"

namespace chuhe {
namespace {

#if defined(CHUHE_HAS_VECTORS)

constexpr size_t kLanes = 8;
using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using Ints = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));
using Bytes = uint8_t __attribute__((vector_size(kLanes)));

// As QuantizePrior() and EncodePrior(), of kLanes priors.
void EncodeGroup(const float* priors, uint8_t* codes) {
  Floats scaled;
  LoadVector(priors, &scaled);
  scaled = scaled * 65535.0f + 0.5f;
  scaled = scaled < 1.0f ? Floats{} + 1.0f : scaled;
  scaled = scaled > 65535.0f ? Floats{} + 65535.0f : scaled;
  const Ints prior = __builtin_convertvector(scaled, Ints);
  const Floats whole = __builtin_convertvector(prior, Floats);
  Ints bits;
  std::memcpy(&bits, &whole, sizeof(bits));
  Ints code = ((bits + static_cast<int32_t>(prior_code::kHalfStep)) >> prior_code::kShift) -
              static_cast<int32_t>(prior_code::kBase);
  code = prior < static_cast<int32_t>(kPriorCodeSteps) ? prior : code;
  const Bytes bytes = __builtin_convertvector(code, Bytes);
  std::memcpy(codes, &bytes, sizeof(bytes));
}

#else

constexpr size_t kLanes = 1;

void EncodeGroup(const float* priors, uint8_t* codes) {
  *codes = EncodePrior(QuantizePrior(*priors));
}

#endif

uint8_t HighestCode(std::span<const uint8_t> codes) {
  uint8_t highest = 0;
  size_t done = 0;
#if defined(CHUHE_HAS_VECTORS)
  using Codes = uint8_t __attribute__((vector_size(16)));
  Codes best = {};
  for (; done + sizeof(Codes) <= codes.size(); done += sizeof(Codes)) {
    Codes group;
    LoadVector(codes.data() + done, &group);
    best = group > best ? group : best;
  }
  Codes other =
      __builtin_shufflevector(best, best, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
  best = other > best ? other : best;
  uint64_t left = 0;
  std::memcpy(&left, &best, sizeof(left));
  for (; left != 0; left >>= 8) highest = std::max(highest, static_cast<uint8_t>(left));
#endif
  for (; done < codes.size(); ++done) highest = std::max(highest, codes[done]);
  return highest;
}

}  // namespace

void EncodePriors(std::span<const float> priors, uint8_t* codes) {
  size_t done = 0;
  for (; done + kLanes <= priors.size(); done += kLanes) {
    EncodeGroup(priors.data() + done, codes + done);
  }
  for (; done < priors.size(); ++done) codes[done] = EncodePrior(QuantizePrior(priors[done]));
}

size_t FindHighestCode(std::span<const uint8_t> codes) {
  const void* const place = std::memchr(codes.data(), HighestCode(codes), codes.size());
  return static_cast<size_t>(static_cast<const uint8_t*>(place) - codes.data());
}

}  // namespace chuhe
