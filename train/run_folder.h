// The folder in which a training run keeps everything (docs/formats.md):
//
//   runs/NAME/  config.yaml  network.json  nets/  games/  checkpoints/  events/
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nets/features/packed_position.h"
#include "nets/weights/network_weights.h"
#include "nets/weights/weights_file.h"

namespace chuhe {

class RunFolder {
 public:
  // Creates what is missing of the folder.
  static absl::StatusOr<RunFolder> Open(const std::string& path);

  const std::string& path() const { return path_; }
  // Of the game store: incoming/, shards/, quarantine/.
  std::string games_path() const { return path_ + "/games"; }
  std::string checkpoint_path() const { return path_ + "/checkpoints/latest.ckpt"; }
  // What the steps behind the checkpoint learn from (replay_chunk.h).
  std::string chunk_path() const { return path_ + "/checkpoints/chunk.state"; }
  std::string events_path() const { return path_ + "/events"; }
  std::string network_path(const std::string& sha256) const {
    return path_ + "/nets/" + sha256 + ".safetensors";
  }

  // Calibrates the network on the positions, writes it under its name, then names it as the present
  // one in network.json. Returns its SHA-256.
  absl::StatusOr<std::string> Publish(NetworkWeights network, StorageType storage,
                                      std::span<const PackedPosition> positions) const;

 private:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace chuhe
