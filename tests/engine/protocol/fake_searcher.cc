#include "tests/engine/protocol/fake_searcher.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"

namespace chuhe {
namespace {

std::vector<Move> AllowedMoves(const Position& position, const SearchLimits& limits) {
  MoveList legal;
  GenerateLegal(position, &legal);
  std::vector<Move> allowed;
  for (const Move move : legal) {
    const auto is_in = [move](const std::vector<Move>& moves) {
      return std::find(moves.begin(), moves.end(), move) != moves.end();
    };
    if ((limits.search_moves.empty() || is_in(limits.search_moves)) &&
        !is_in(limits.banned_moves)) {
      allowed.push_back(move);
    }
  }
  return allowed;
}

bool MustWait(const SearchLimits& limits, const SearchSignal& signal) {
  if (signal.stop_requested()) {
    return false;
  }
  if (limits.ponder && signal.ponder_hit()) {
    return limits.infinite;
  }
  return limits.infinite || limits.ponder || limits.depth >= kEndlessDepth;
}

}  // namespace

void FakeLog::Add(Call call) {
  const std::lock_guard lock(mutex_);
  calls_.push_back(std::move(call));
}

std::vector<FakeLog::Call> FakeLog::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

FakeLog::Call FakeLog::last_call() const {
  const std::lock_guard lock(mutex_);
  return calls_.empty() ? Call() : calls_.back();
}

void FakeLog::CountClear() {
  const std::lock_guard lock(mutex_);
  ++clears_;
}

int FakeLog::clears() const {
  const std::lock_guard lock(mutex_);
  return clears_;
}

SearchResult FakeSearcher::Search(const SearchLimits& limits, const SearchSignal& signal,
                                  const ProgressSink& sink) {
  Position position = game_->position();
  const std::vector<Move> allowed = AllowedMoves(position, limits);
  SearchResult result;
  result.best_move = allowed.front();
  MoveList replies;
  const std::string fen = FormatFen(position);
  position.Make(result.best_move);
  GenerateLegal(position, &replies);
  result.ponder_move = replies.size > 0 ? replies[0] : Move();
  result.progress.nodes = 4000;
  result.progress.time_ms = 2;
  result.progress.hash_permille = 7;
  for (size_t i = 0; i < allowed.size() && i < static_cast<size_t>(limits.multipv); ++i) {
    SearchLine line{.depth = 3,
                    .selective_depth = 5,
                    .score = log_->score,
                    .wdl = log_->wdl,
                    .moves = {allowed[i]}};
    if (i == 0 && result.ponder_move) {
      line.moves.push_back(result.ponder_move);
    }
    result.progress.lines.push_back(line);
  }
  sink(result.progress);
  while (!log_->ends_at_once && MustWait(limits, signal)) {
    signal.RunInterludes();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  log_->Add({.fen = fen,
             .plies = game_->plies(),
             .rules = game_->options().rules,
             .limits = limits,
             .was_hit = signal.ponder_hit(),
             .was_stopped = signal.stop_requested()});
  return result;
}

SearcherFactory FakeFactory(std::shared_ptr<FakeLog> log) {
  return [log](const SearcherOptions&) -> absl::StatusOr<MadeSearcher> {
    MadeSearcher made;
    made.searcher = std::make_unique<FakeSearcher>(log);
    return made;
  };
}

}  // namespace chuhe
