// How a batch lies in staging memory, on its way to the device and back.
//
//   up:    PackedPosition [rows] │ uint32 [rows + 1] first move of each row │ uint16 [moves]
//   down:  float [rows][4] win, draw, loss, plies left │ float [moves] priors
//
// Moves are policy indices (nets/features/policy.h), the rows' one after the other; the last number
// of the uint32s is how many there are. Only what is used is copied: some 130 bytes a position up
// and 180 down. Rows that fill up a bucket hold a valid position and have no moves.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/board/movegen.h"
#include "nets/cuda/network_layout.h"
#include "nets/features/packed_position.h"

namespace chuhe {

// Offsets in bytes. The positions and the outcomes start at 0.
struct BatchLayout {
  explicit constexpr BatchLayout(int row_count) : rows(static_cast<size_t>(row_count)) {}

  constexpr size_t offsets() const { return rows * sizeof(PackedPosition); }
  constexpr size_t moves() const { return offsets() + (rows + 1) * sizeof(uint32_t); }
  constexpr size_t input_bytes(size_t move_count) const {
    return moves() + move_count * sizeof(uint16_t);
  }
  constexpr size_t priors() const { return rows * kOutcomes * sizeof(float); }
  constexpr size_t output_bytes(size_t move_count) const {
    return priors() + move_count * sizeof(float);
  }
  constexpr size_t max_moves() const { return rows * kMaxMoves; }

  size_t rows;
};
static_assert(sizeof(PackedPosition) % alignof(uint32_t) == 0);

}  // namespace chuhe
