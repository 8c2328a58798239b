// Policy targets as bytes: for each ply the number of moves, then for each move its number among
// the legal ones and its weight.
//
//   n | number weight | number weight | …       n, number: a byte; weight: 7 bits a byte, low first
//
// Legal moves are numbered in rising order of their from and to squares, so that no change of the
// move generator changes what a record means.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/movegen.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

// The legal moves as records number them.
std::vector<Move> NumberedMoves(const Position& position);

// Appends one policy. Moves without weight are left out. An error for a move that is not legal or
// comes twice, or if no move of a policy has weight.
absl::Status AppendPolicy(const Position& position, const std::vector<MoveWeight>& policy,
                          std::string* bytes);

// Takes one policy from the front of `bytes`, its moves in rising order. An error for anything that
// AppendPolicy does not write.
absl::StatusOr<std::vector<MoveWeight>> TakePolicy(const Position& position,
                                                   absl::string_view* bytes);

}  // namespace chuhe
