// Samples side by side in the arrays that tensors are made of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/sample.h"

namespace chuhe {

// N samples; every array is in row-major order. Values are those of Sample.
struct Batch {
  int size = 0;
  std::vector<uint8_t> levels;           // [N][kSquares][kPlanes]
  std::vector<int64_t> legal;            // [N][width], 0 behind the last legal move
  std::vector<float> policy;             // [N][width]
  std::vector<uint8_t> is_legal;         // [N][width]
  int width = 0;                         // most legal moves of any sample
  std::vector<float> wdl;                // [N][3]
  std::vector<float> wdl_weight;         // [N]
  std::vector<float> plies_left;         // [N]
  std::vector<float> plies_left_weight;  // [N]
  std::vector<int64_t> reply;            // [N], 0 if there is none
  std::vector<float> reply_weight;       // [N]
  std::vector<float> short_term;         // [N][3]
  std::vector<float> short_term_weight;  // [N]
  std::vector<float> survivors;          // [N][kSquares]
  std::vector<float> survivors_weight;   // [N][kSquares]: 1 where a man stands
};

Batch MakeBatch(std::span<const Sample> samples);

}  // namespace chuhe
