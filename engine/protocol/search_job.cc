#include "engine/protocol/search_job.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/board/movegen.h"

namespace chuhe {
namespace {

// An offer is accepted where the own side is not better than this, in UCCI points.
constexpr int kEvenPoints = 10;
// Moves in a row that must look lost.
constexpr int kLostMovesToGiveUp = 3;

bool Contains(const std::vector<Move>& moves, Move move) {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

bool IsLegalAfter(const Position& position, Move first, Move second) {
  Position after = position;
  after.Make(first);
  return IsLegal(after, second);
}

}  // namespace

SearchJob::SearchJob(SearchOrder order)
    : order_(std::move(order)), draw_offered_(order_.limits.draw_offered) {}

void SearchJob::Stop() {
  signal_.Stop();
  // Under the lock, so that who is about to wait has either seen it or is waiting by now.
  const std::lock_guard lock(mutex_);
  signalled_.notify_all();
}

void SearchJob::PonderHit(bool draw_offered) {
  if (draw_offered) {
    draw_offered_.store(true, std::memory_order_relaxed);
  }
  signal_.PonderHit();
  const std::lock_guard lock(mutex_);
  signalled_.notify_all();
}

bool SearchJob::Interject(std::function<void()> interlude) {
  if (!signal_.Interject(std::move(interlude))) {
    return false;
  }
  const std::lock_guard lock(mutex_);
  signalled_.notify_all();
  return true;
}

std::vector<Move> SearchJob::AllowedMoves() const {
  const SearchLimits& limits = order_.limits;
  MoveList legal;
  GenerateLegal(order_.game.position(), &legal);
  std::vector<Move> allowed;
  for (const Move move : legal) {
    const bool is_wanted = limits.search_moves.empty() || Contains(limits.search_moves, move);
    if (is_wanted && !Contains(limits.banned_moves, move)) {
      allowed.push_back(move);
    }
  }
  return allowed;
}

SearchLimits SearchJob::LimitsWith(std::vector<Move> allowed) const {
  SearchLimits limits = order_.limits;
  if (order_.static_only) {
    limits = {.depth = 1};
  }
  const bool are_all = static_cast<int>(allowed.size()) == CountLegal(order_.game.position());
  limits.search_moves = are_all ? std::vector<Move>() : std::move(allowed);
  return limits;
}

void SearchJob::Run(SearcherHolder* holder, LineSink* sink) {
  for (const std::string& notice : holder->TakeNotices()) {
    sink->Write(MessageLine(order_.style.dialect, notice));
  }
  std::vector<Move> allowed = AllowedMoves();
  if (allowed.empty() || holder->searcher() == nullptr) {
    AnswerWithoutMove(sink);
    return;
  }
  const SearchResult result = Search(LimitsWith(std::move(allowed)), holder->searcher(), sink);
  if (order_.static_only) {
    const std::string points =
        result.progress.lines.empty()
            ? std::string()
            : absl::StrCat("info depth 0 score ", UcciPoints(result.progress.lines[0].score), "\n");
    Answer(points + NoMoveLine(order_.style.dialect), sink);
    return;
  }
  WaitUntilDue();
  const Move ponder = result.ponder_move;
  const bool has_ponder = ponder && IsLegalAfter(order_.game.position(), result.best_move, ponder);
  Answer(BestMoveLine(order_.style, result.best_move, has_ponder ? ponder : Move(),
                      RemarkOn(result, holder)),
         sink);
}

void SearchJob::AnswerWithoutMove(LineSink* sink) {
  WaitUntilDue();
  const bool is_over = !HasLegalMove(order_.game.position());
  const bool says_mate = is_over && order_.style.dialect == Dialect::kUci;
  Answer((says_mate ? "info depth 0 score mate 0\n" : "") + NoMoveLine(order_.style.dialect), sink);
}

SearchResult SearchJob::Search(const SearchLimits& limits, Searcher* searcher, LineSink* sink) {
  bool has_shown = false;
  const auto show = [this, sink, &has_shown](const SearchProgress& progress) {
    if (!progress.lines.empty() && !order_.static_only) {
      sink->Write(InfoLines(order_.style, progress));
      has_shown = true;
    }
  };
  searcher->SetGame(order_.game);
  SearchResult result = searcher->Search(limits, signal_, show);
  if (!has_shown) {
    show(result.progress);
  }
  return result;
}

void SearchJob::WaitUntilDue() {
  // Under UCCI an infinite search may end by itself, when it has found a mate.
  const bool is_held_if_infinite = order_.style.dialect == Dialect::kUci;
  const auto is_due = [this, is_held_if_infinite] {
    const bool is_pondering = order_.limits.ponder && !signal_.ponder_hit();
    const bool is_held = is_pondering || (order_.limits.infinite && is_held_if_infinite);
    return signal_.stop_requested() || !is_held;
  };
  while (!is_due()) {
    signal_.RunInterludes();
    std::unique_lock lock(mutex_);
    signalled_.wait(lock, [&] { return is_due() || signal_.has_interludes(); });
  }
}

MoveRemark SearchJob::RemarkOn(const SearchResult& result, SearcherHolder* holder) const {
  if (result.progress.lines.empty() || order_.limits.infinite) {
    return MoveRemark::kNone;
  }
  const int points = UcciPoints(result.progress.lines[0].score);
  const int give_up_below = order_.give_up_below;
  const bool looks_lost = give_up_below > 0 && points <= -give_up_below;
  if (holder->CountLostMoves(looks_lost) >= kLostMovesToGiveUp) {
    return MoveRemark::kResign;
  }
  const bool accepts = order_.accept_offers && draw_offered_.load(std::memory_order_relaxed) &&
                       points <= kEvenPoints;
  return accepts ? MoveRemark::kAcceptDraw : MoveRemark::kNone;
}

void SearchJob::Answer(absl::string_view lines, LineSink* sink) {
  signal_.EndInterludes();
  // In this order: a GUI that has read the answer must find the engine idle.
  is_answered_.store(true, std::memory_order_release);
  sink->Write(lines);
}

}  // namespace chuhe
