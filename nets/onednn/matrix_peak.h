// What one core can do at best with a kind of numbers: the yardstick for evaluators.
#pragma once

#include "absl/status/statusor.h"
#include "nets/onednn/cpu_precision.h"

namespace chuhe {

// Operations a second (a multiplication and an addition are two) of the best of several products of
// 1024×1024 matrices by oneDNN, in the calling thread, within about `seconds`. Blocks for as long.
// Errors: a precision that this CPU does not have.
absl::StatusOr<double> MeasureMatrixPeak(CpuPrecision precision, double seconds);

}  // namespace chuhe
