// What a `go` means for the search: units, whose clock is whose, what stands for nothing.
#pragma once

#include "engine/board/types.h"
#include "engine/protocol/command.h"
#include "engine/search/searcher.h"

namespace chuhe {

struct GoContext {
  Dialect dialect = Dialect::kUci;
  Color side_to_move = Color::kRed;
  bool milliseconds = false;   // UCCI: `time` counts them, not seconds
  bool bare_position = false;  // the position came without the word `position`
};

// Everything but the moves, which need a position to be read.
//
// `wtime` and `btime` go by colour; but a GUI that sends a bare position and wtime first, or either
// of them under UCCI, may mean its own and the opponent's, so that the smaller one counts for both.
SearchLimits LimitsOf(const GoCommand& go, const GoContext& context);

}  // namespace chuhe
