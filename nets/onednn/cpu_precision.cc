#include "nets/onednn/cpu_precision.h"

#include <oneapi/dnnl/dnnl.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace chuhe {
namespace {

// oneDNN's numbers of instruction sets have a bit for each set that they include.
bool Includes(dnnl_cpu_isa_t isa, dnnl_cpu_isa_t part) { return (isa & part) == part; }

absl::string_view IsaName(dnnl_cpu_isa_t isa) {
  static constexpr struct {
    dnnl_cpu_isa_t isa;
    absl::string_view name;
  } kNames[] = {{dnnl_cpu_isa_avx512_core_amx, "avx512_core_amx"},
                {dnnl_cpu_isa_avx512_core_bf16, "avx512_core_bf16"},
                {dnnl_cpu_isa_avx512_core_vnni, "avx512_core_vnni"},
                {dnnl_cpu_isa_avx512_core, "avx512_core"},
                {dnnl_cpu_isa_avx2_vnni, "avx2_vnni"},
                {dnnl_cpu_isa_avx2, "avx2"},
                {dnnl_cpu_isa_avx, "avx"},
                {dnnl_cpu_isa_sse41, "sse41"}};
  for (const auto& entry : kNames) {
    if (Includes(isa, entry.isa)) return entry.name;
  }
  return "generic";
}

}  // namespace

absl::string_view CpuPrecisionName(CpuPrecision precision) {
  switch (precision) {
    case CpuPrecision::kFp32:
      return "fp32";
    case CpuPrecision::kBf16:
      return "bf16";
    case CpuPrecision::kInt8:
      return "int8";
  }
  return "";
}

absl::StatusOr<CpuPrecision> ParseCpuPrecision(absl::string_view name) {
  for (const CpuPrecision precision :
       {CpuPrecision::kFp32, CpuPrecision::kBf16, CpuPrecision::kInt8}) {
    if (name == CpuPrecisionName(precision)) return precision;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("precision '", name, "': expected fp32, bf16 or int8"));
}

bool CpuHas(CpuPrecision precision) {
  const dnnl_cpu_isa_t isa = dnnl_get_effective_cpu_isa();
  switch (precision) {
    case CpuPrecision::kFp32:
      return true;
    case CpuPrecision::kBf16:
      return Includes(isa, dnnl_cpu_isa_avx512_core_bf16);
    case CpuPrecision::kInt8:
      return Includes(isa, dnnl_cpu_isa_avx2);
  }
  return false;
}

std::string OnednnDescription() {
  const dnnl_version_t& version = *dnnl_version();
  return absl::StrCat("oneDNN ", version.major, ".", version.minor, ".", version.patch, ", ",
                      IsaName(dnnl_get_effective_cpu_isa()));
}

}  // namespace chuhe
