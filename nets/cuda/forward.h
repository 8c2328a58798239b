// The order of work of one evaluation, whoever does it: kernels and cuDNN on a device, plain loops
// in the tests.
#pragma once

#include "nets/cuda/network_layout.h"

namespace chuhe {

// Activations, each [row][point][channels]. Two of the tower's width are enough: a residual sum is
// made in place.
enum class Activations {
  kInput,  // planes
  kTower,  // x
  kInner,  // y
  kHeads,  // p and v
};

// Steps return false where they fail; then the rest is left out.
//
//   ExpandPositions()                    planes of the packed positions
//   Convolve(place, from, to, add)       to = relu(convolution(from) + bias [+ to])
//   SpreadGlobal(offset, from, to)       to = bias of a global block, at every point
//   ValueHidden(), Answers()             the heads behind their convolutions
template <typename Steps>
bool RunNetwork(const NetworkLayout& layout, Steps* steps) {
  if (!steps->ExpandPositions() ||
      !steps->Convolve(layout.stem, Activations::kInput, Activations::kTower, false)) {
    return false;
  }
  for (const BlockPlace& block : layout.blocks) {
    if (block.has_global &&
        !steps->SpreadGlobal(block.global, Activations::kTower, Activations::kInner)) {
      return false;
    }
    if (!steps->Convolve(block.conv1, Activations::kTower, Activations::kInner, block.has_global) ||
        !steps->Convolve(block.conv2, Activations::kInner, Activations::kTower, true)) {
      return false;
    }
  }
  return steps->Convolve(layout.heads, Activations::kTower, Activations::kHeads, false) &&
         steps->ValueHidden() && steps->Answers();
}

}  // namespace chuhe
