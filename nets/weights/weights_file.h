// Networks as safetensors files: numbers and text, no code. docs/formats.md lists the tensors.
//
// A network is named by the SHA-256 of its file. Any file is checked as a whole before anything in
// it is used: header within bounds, exactly the tensors that the architecture has, in their shapes,
// all finite.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// Larger files are refused. The largest named size, `xl` in 32 bits, has a tenth of it.
inline constexpr size_t kMaxNetworkFileBytes = size_t{1} << 30;

enum class StorageType { kFloat32, kFloat16 };

struct NamedNetwork {
  NetworkWeights weights;
  std::string sha256;  // of the file, 64 hex digits
  StorageType storage = StorageType::kFloat32;
};

// Errors name the file, the tensor and what was expected. `expected_sha256`, if not empty, must be
// the file's; so must a file name that is itself 64 hex digits.
absl::StatusOr<NamedNetwork> ReadNetwork(const std::string& path,
                                         absl::string_view expected_sha256 = "");

// The same from bytes; `name` stands in errors for the file.
absl::StatusOr<NamedNetwork> ParseNetwork(absl::string_view bytes, absl::string_view name);

// The file's bytes. Equal networks give equal bytes.
absl::StatusOr<std::string> SerializeNetwork(const NetworkWeights& weights, StorageType storage);

// Writes aside, syncs and renames. Returns the SHA-256 of what was written.
absl::StatusOr<std::string> WriteNetwork(const NetworkWeights& weights, StorageType storage,
                                         const std::string& path);

}  // namespace chuhe
