#include "train/run_folder.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/stored_file.h"
#include "nets/onednn/calibrate.h"
#include "nets/weights/sha256.h"
#include "train/present_network.h"

namespace chuhe {

absl::StatusOr<RunFolder> RunFolder::Open(const std::string& path) {
  for (const char* part : {"nets", "checkpoints", "events"}) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path) / part, error);
    if (error) {
      return absl::UnavailableError(
          absl::StrCat("cannot create ", path, "/", part, ": ", error.message()));
    }
  }
  return RunFolder(path);
}

absl::StatusOr<std::string> RunFolder::Publish(NetworkWeights network, StorageType storage,
                                               std::span<const PackedPosition> positions) const {
  CHUHE_RETURN_IF_ERROR(Calibrate(&network, positions));
  CHUHE_ASSIGN_OR_RETURN(const std::string bytes, SerializeNetwork(network, storage));
  const std::string sha256 = Sha256Hex(bytes);
  CHUHE_RETURN_IF_ERROR(WriteStoredFile(network_path(sha256), bytes));
  CHUHE_RETURN_IF_ERROR(
      WritePresentNetwork(path_, {.sha256 = sha256,
                                  .path = {},
                                  .architecture = ArchitectureName(network.architecture),
                                  .training_steps = network.origin.training_steps}));
  return sha256;
}

}  // namespace chuhe
