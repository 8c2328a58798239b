// What a network file says about itself in text: its shape and where it comes from.
#pragma once

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// Number of the file format: names and meaning of tensors and metadata.
constexpr int kNetworkFormat = 1;

struct NetworkMetadata {
  Architecture architecture;
  NetworkOrigin origin;
};

// Both check what CheckArchitecture checks, and that the feature set and rule set are known. Errors
// name the key. Keys that are not ours are left alone, so that other programs may add theirs.
absl::StatusOr<NetworkMetadata> ParseNetworkMetadata(
    const std::map<std::string, std::string>& metadata);
absl::StatusOr<std::map<std::string, std::string>> SerializeNetworkMetadata(
    const NetworkMetadata& metadata);

}  // namespace chuhe
