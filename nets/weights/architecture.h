// The shape of a network: how many blocks, how many channels.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace chuhe {

struct Architecture {
  int blocks = 0;           // residual blocks of two 3×3 convolutions
  int channels = 0;         // a multiple of 16
  int policy_channels = 0;  // of the policy head's features, a multiple of 16
  int value_channels = 0;   // of the value head's features
  int value_hidden = 0;     // width of the value head's hidden layer
  // Blocks that see the mean of their input over the board, in rising order.
  std::vector<int> global_blocks;

  friend bool operator==(const Architecture&, const Architecture&) = default;
};

// The heads are made to fit the tower; no global blocks.
Architecture MakeArchitecture(int blocks, int channels);

// `tiny` 4×32, `small` 6×64, `medium` 10×128, `large` 15×192, `xl` 20×256, or BLOCKSxCHANNELS.
absl::StatusOr<Architecture> ParseArchitecture(absl::string_view text);

// The name of the size if it has one, else BLOCKSxCHANNELS.
std::string ArchitectureName(const Architecture& architecture);

// Whether the numbers are within what the program handles.
absl::Status CheckArchitecture(const Architecture& architecture);

// Multiplications and additions of one evaluation, in floating point operations (two each).
double FlopPerEvaluation(const Architecture& architecture);

}  // namespace chuhe
