// Which LibTorch this process runs on, and whether it reaches a GPU.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace chuhe {

struct TorchRuntimeInfo {
  std::string version;        // of the headers and libraries, as in "2.11.0"
  int cuda_devices = 0;       // that LibTorch can use
  std::string cuda_obstacle;  // why there are none; empty where there are some
};

// Loads LibTorch's CUDA backend into the process, where it is installed. We link LibTorch's CPU
// library alone, so that one program runs with and without a GPU; torch asks for its backend once
// and remembers the answer, so this comes before the first use of a CUDA device. NotFound, with the
// loader's words, where the backend or a library that it needs is missing. Thread-safe.
absl::Status LoadTorchCudaBackend();

// Loads the CUDA backend and reports. What LibTorch throws comes back as an error. Thread-safe.
absl::StatusOr<TorchRuntimeInfo> GetTorchRuntimeInfo();

}  // namespace chuhe
