#include "train/present_network.h"

#include <cstddef>
#include <exception>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/stored_file.h"
#include "nlohmann/json.hpp"

namespace chuhe {
namespace {

constexpr size_t kMaxBytes = 65536;
constexpr size_t kSha256Digits = 64;

std::string FileOf(const std::string& folder) { return folder + "/network.json"; }

std::string PathIn(absl::string_view sha256) {
  return absl::StrCat("nets/", sha256, ".safetensors");
}

}  // namespace

absl::StatusOr<PresentNetwork> ReadPresentNetwork(const std::string& folder) {
  const std::string file = FileOf(folder);
  CHUHE_ASSIGN_OR_RETURN(const std::string text, ReadStoredFile(file, kMaxBytes));
  PresentNetwork network;
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    json.at("sha256").get_to(network.sha256);
    json.at("architecture").get_to(network.architecture);
    json.at("training_steps").get_to(network.training_steps);
  } catch (const std::exception& error) {
    return absl::DataLossError(absl::StrCat(file, ": names no network: ", error.what()));
  }
  // It becomes part of a path.
  if (network.sha256.size() != kSha256Digits ||
      network.sha256.find_first_not_of("0123456789abcdef") != std::string::npos) {
    return absl::DataLossError(
        absl::StrCat(file, ": '", network.sha256, "' is no SHA-256; expected 64 hex digits"));
  }
  network.path = absl::StrCat(folder, "/", PathIn(network.sha256));
  return network;
}

absl::Status WritePresentNetwork(const std::string& folder, const PresentNetwork& network) {
  const nlohmann::ordered_json json = {{"sha256", network.sha256},
                                       {"file", PathIn(network.sha256)},
                                       {"architecture", network.architecture},
                                       {"training_steps", network.training_steps}};
  return WriteStoredFile(FileOf(folder), json.dump(2) + "\n");
}

}  // namespace chuhe
