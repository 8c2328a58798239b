// One `go`: from the order to its one answer.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/board/types.h"
#include "engine/protocol/line_io.h"
#include "engine/protocol/reply_text.h"
#include "engine/protocol/searcher_holder.h"
#include "engine/rules/game.h"
#include "engine/search/search_signal.h"
#include "engine/search/searcher.h"

namespace chuhe {

struct SearchOrder {
  Game game;
  SearchLimits limits;
  ReplyStyle style;
  bool static_only = false;  // UCCI's `depth 0`: show the value, make no move
  bool accept_offers = false;
  int give_up_below = 0;  // UCCI points behind; 0: never
};

// Thread-safe, except for Run().
class SearchJob {
 public:
  explicit SearchJob(SearchOrder order);

  // Searches and writes exactly one `bestmove` or `nobestmove`, at the end. Blocks until a limit is
  // reached; a search that must not end by itself ends by Stop() or PonderHit() only.
  void Run(SearcherHolder* holder, LineSink* sink);

  void Stop();
  // Without effect when the job does not ponder. The offer is the opponent's.
  void PonderHit(bool draw_offered);
  // Has the searching thread do something meanwhile; false when the job is done already.
  bool Interject(std::function<void()> interlude);

  // The answer is written, or is just being written.
  bool is_answered() const { return is_answered_.load(std::memory_order_acquire); }
  // It may take for ever.
  bool is_endless() const {
    return order_.limits.infinite || (order_.limits.ponder && !signal_.ponder_hit());
  }

 private:
  // The moves that may be played, search moves and bans applied.
  std::vector<Move> AllowedMoves() const;
  SearchLimits LimitsWith(std::vector<Move> allowed) const;
  void AnswerWithoutMove(LineSink* sink);
  SearchResult Search(const SearchLimits& limits, Searcher* searcher, LineSink* sink);
  // Blocks while GUIs do not expect an answer yet.
  void WaitUntilDue();
  MoveRemark RemarkOn(const SearchResult& result, SearcherHolder* holder) const;
  void Answer(absl::string_view lines, LineSink* sink);

  const SearchOrder order_;
  SearchSignal signal_;
  std::atomic<bool> draw_offered_;
  std::atomic<bool> is_answered_ = false;
  std::mutex mutex_;
  std::condition_variable signalled_;
};

}  // namespace chuhe
