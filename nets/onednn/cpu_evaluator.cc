#include "nets/onednn/cpu_evaluator.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "nets/onednn/onednn_evaluator.h"
#include "nets/onednn/packed_network.h"
#include "nets/onednn/precision_choice.h"
#include "nets/onednn/shift_correction.h"

namespace chuhe {

absl::StatusOr<std::shared_ptr<const PackedNetwork>> OpenCpuNetwork(
    const NetworkWeights& network, const CpuEvaluatorOptions& options) {
  CpuPrecision precision;
  if (options.precision.has_value()) {
    precision = *options.precision;
    if (!CpuHas(precision)) {
      return absl::FailedPreconditionError(absl::StrCat("this CPU has no instructions for ",
                                                        CpuPrecisionName(precision), " (",
                                                        OnednnDescription(), ")"));
    }
  } else {
    CHUHE_ASSIGN_OR_RETURN(precision, ChoosePrecision(network, options.cache_folder));
  }
  return precision == CpuPrecision::kFp32 ? PackedNetwork::Make(network, precision)
                                          : MakeWithoutShift(network, precision);
}

absl::StatusOr<std::unique_ptr<Evaluator>> MakeCpuEvaluator(
    std::shared_ptr<const PackedNetwork> network) {
  try {
    return std::make_unique<OnednnEvaluator>(std::move(network));
  } catch (const dnnl::error& error) {
    return absl::InternalError(absl::StrCat("oneDNN: ", error.what()));
  }
}

absl::StatusOr<std::unique_ptr<Evaluator>> OpenCpuEvaluator(const NetworkWeights& network,
                                                            const CpuEvaluatorOptions& options) {
  CHUHE_ASSIGN_OR_RETURN(std::shared_ptr<const PackedNetwork> packed,
                         OpenCpuNetwork(network, options));
  return MakeCpuEvaluator(std::move(packed));
}

CpuPrecision PrecisionOf(const PackedNetwork& network) { return network.precision(); }

std::string Describe(const PackedNetwork& network) {
  const Architecture& architecture = network.architecture();
  const std::string numbers = absl::StrCat(architecture.blocks, "x", architecture.channels);
  const std::string name = ArchitectureName(architecture);
  return absl::StrCat(name == numbers ? name : absl::StrCat(name, " (", numbers, ")"), " ",
                      CpuPrecisionName(network.precision()), ", ", OnednnDescription());
}

}  // namespace chuhe
