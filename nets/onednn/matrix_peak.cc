#include "nets/onednn/matrix_peak.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "dnnl.hpp"
#include "nets/onednn/single_thread.h"

namespace chuhe {
namespace {

using Type = dnnl::memory::data_type;
constexpr dnnl::memory::dim kSize = 1024;

struct Types {
  Type left;
  Type right;
  Type product;
};

Types TypesOf(CpuPrecision precision) {
  switch (precision) {
    case CpuPrecision::kBf16:
      return {Type::bf16, Type::bf16, Type::f32};
    case CpuPrecision::kInt8:
      return {Type::u8, Type::s8, Type::s32};
    case CpuPrecision::kFp32:
      break;
  }
  return {Type::f32, Type::f32, Type::f32};
}

// A matrix of zeros: how fast products are does not depend on the numbers.
dnnl::memory MakeMatrix(const dnnl::memory::desc& desc, const dnnl::engine& engine) {
  dnnl::memory matrix(desc, engine);
  std::memset(matrix.get_data_handle(), 0, desc.get_size());
  return matrix;
}

double BestRate(const Types& types, double seconds) {
  using Clock = std::chrono::steady_clock;
  const SingleThreadScope single_thread;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto desc = [](Type type, dnnl::memory::format_tag tag) {
    return dnnl::memory::desc({kSize, kSize}, type, tag);
  };
  const dnnl::matmul::primitive_desc chosen(
      dnnl::matmul::desc(desc(types.left, dnnl::memory::format_tag::ab),
                         desc(types.right, dnnl::memory::format_tag::any),
                         desc(types.product, dnnl::memory::format_tag::ab)),
      engine);
  dnnl::memory left = MakeMatrix(chosen.src_desc(), engine);
  dnnl::memory right = MakeMatrix(chosen.weights_desc(), engine);
  dnnl::memory product = MakeMatrix(chosen.dst_desc(), engine);
  const dnnl::matmul matmul(chosen);
  double best = 0;
  const Clock::time_point begin = Clock::now();
  do {
    const Clock::time_point start = Clock::now();
    matmul.execute(stream,
                   {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, right}, {DNNL_ARG_DST, product}});
    stream.wait();
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    best = std::max(best, 2.0 * kSize * kSize * kSize / elapsed.count());
  } while (std::chrono::duration<double>(Clock::now() - begin).count() < seconds);
  return best;
}

}  // namespace

absl::StatusOr<double> MeasureMatrixPeak(CpuPrecision precision, double seconds) {
  if (!CpuHas(precision)) {
    return absl::UnavailableError(
        absl::StrCat("this CPU has no instructions for ", CpuPrecisionName(precision)));
  }
  try {
    return BestRate(TypesOf(precision), seconds);
  } catch (const dnnl::error& error) {
    return absl::InternalError(absl::StrCat("oneDNN: ", error.message));
  }
}

}  // namespace chuhe
