// What the engine says, as lines of either protocol without their ends. All of it is ASCII, and no
// free text holds the words draw, resign or bestmove, which some GUIs look for anywhere.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/options.h"
#include "engine/protocol/dialect.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/search/searcher.h"

namespace chuhe {

struct ReplyStyle {
  Dialect dialect = Dialect::kUci;
  RankBase squares = RankBase::kZero;
  bool show_wdl = false;
};

// What UCCI's `bestmove` may add.
enum class MoveRemark { kNone, kAcceptDraw, kResign };

// `option …` under that name.
std::string OptionLine(Dialect dialect, absl::string_view name, const Option& option);

// `info depth …`, one line for each of the progress.
std::string InfoLines(const ReplyStyle& style, const SearchProgress& progress);

// The score in UCCI's points, 100 for a knight or a cannon; mates lie near 30,000.
int UcciPoints(const Score& score);

// `bestmove M [ponder M] [draw | resign]`.
std::string BestMoveLine(const ReplyStyle& style, Move best, Move ponder, MoveRemark remark);

// `pophash [bestmove M] [lowerbound B depth D] [upperbound A depth D]`: what UCCI's `probe` asks
// for. A value is both bounds, a mate the one that is proven. Bare where nothing is stored.
std::string StoredLine(const ReplyStyle& style, const std::optional<StoredPosition>& stored);

// There is no move: `bestmove (none)` or `nobestmove`.
std::string NoMoveLine(Dialect dialect);

// `info string TEXT` or `info message TEXT`.
std::string MessageLine(Dialect dialect, absl::string_view text);

}  // namespace chuhe
