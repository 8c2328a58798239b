// The kinds of numbers that the CPU evaluator computes with.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace chuhe {

enum class CpuPrecision {
  kFp32,
  kBf16,  // bfloat16 products, fp32 sums
  kInt8,  // 8-bit products, 32-bit sums; needs a calibrated network
};

// fp32, bf16, int8
absl::string_view CpuPrecisionName(CpuPrecision precision);

// The precision of that name; an error lists the names.
absl::StatusOr<CpuPrecision> ParseCpuPrecision(absl::string_view name);

// Whether this CPU has instructions for it; without, it would be slow beyond use.
bool CpuHas(CpuPrecision precision);

// The instruction set that oneDNN uses here, and its version: `oneDNN 2.6.3, avx512_core_vnni`.
std::string OnednnDescription();

}  // namespace chuhe
