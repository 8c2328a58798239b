// Which precision is the fastest depends on the CPU (bf16 doubles fp32 on some and halves it on
// others) and a little on the network, so it is measured rather than known.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "nets/onednn/cpu_precision.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// The fastest precision for networks of this shape on this CPU: as remembered in the folder, else
// as measured in a fraction of a second and remembered there. An empty folder is not used. Only
// what CPU and network allow is tried: int8 for calibrated networks alone. Errors are oneDNN's.
absl::StatusOr<CpuPrecision> ChoosePrecision(const NetworkWeights& network,
                                             const std::string& cache_folder);

// What the answer depends on, in one line: CPU, oneDNN and shape.
std::string PrecisionQuestion(const NetworkWeights& network);

}  // namespace chuhe
