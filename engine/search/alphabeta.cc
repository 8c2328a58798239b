#include "engine/search/alphabeta.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "engine/board/movegen.h"
#include "engine/search/alphabeta_score.h"
#include "engine/search/alphabeta_tree.h"

namespace chuhe {
namespace {

constexpr int kDepthOfAspiration = 4;
constexpr int kAspiration = 30;

// A next iteration takes several times as long as all before, so one that has not begun by this
// share of the time would probably not end. Less for a best move that has not changed lately.
constexpr double kShareToGoOn = 0.65;
constexpr double kShareWhenStable = 0.4;
constexpr int kStableIterations = 4;

Score ToScore(int score) {
  Score result{.centipawns = score};
  if (IsMateScore(score)) {
    result.mate_in = score > 0 ? (kMate - score + 1) / 2 : -(kMate + score + 1) / 2;
  }
  return result;
}

int DepthLimit(const SearchLimits& limits, const AlphaBetaOptions& options) {
  const bool is_limited = limits.depth > 0 || limits.nodes > 0 || limits.movetime_ms > 0 ||
                          limits.clock.has_value() || limits.infinite || limits.ponder;
  int depth = is_limited ? kMaxAlphaBetaDepth : kDefaultAlphaBetaDepth;
  if (limits.depth > 0) depth = std::min(depth, limits.depth);
  if (options.depth > 0) depth = std::min(depth, options.depth);
  return depth;
}

}  // namespace

AlphaBetaSearcher::AlphaBetaSearcher(const AlphaBetaOptions& options)
    : options_(options), table_(options.hash_bytes), path_(Game(Position::Start())) {}

void AlphaBetaSearcher::SetGame(const Game& game) { path_.Reset(game); }

void AlphaBetaSearcher::Clear() {
  table_.Clear();
  order_.Clear();
}

void AlphaBetaSearcher::CollectRootMoves(const SearchLimits& limits) {
  const auto contains = [](const std::vector<Move>& moves, Move move) {
    return std::find(moves.begin(), moves.end(), move) != moves.end();
  };
  ScoredMoves moves;
  GenerateLegal(path_.position(), &moves.list);
  const auto entry = table_.Find(path_.position().key());
  order_.Score(path_.position(), entry ? entry->move : Move(), /*ply=*/0, &moves);
  root_moves_.clear();
  for (int i = 0; i < moves.list.size; ++i) {
    const Move move = moves.TakeBest(i);
    if (!limits.search_moves.empty() && !contains(limits.search_moves, move)) continue;
    if (contains(limits.banned_moves, move)) continue;
    root_moves_.push_back({.move = move, .line = {move}});
  }
}

bool AlphaBetaSearcher::SearchWindow(AlphaBetaTree* tree, size_t line, int depth, int alpha,
                                     int beta) {
  for (size_t i = line; i < root_moves_.size(); ++i) {
    RootMove& root = root_moves_[i];
    const bool is_first = i == line;
    const int score = tree->SearchRootMove(root.move, alpha, beta, is_first);
    if (tree->is_stopped()) return false;
    if (!is_first && score <= alpha) {
      root.score = -kInfiniteScore;
      continue;
    }
    root.score = score;
    root.depth = depth;
    root.selective_depth = tree->selective_depth();
    root.line.assign(tree->root_line().begin(), tree->root_line().end());
    alpha = std::max(alpha, score);
    if (score >= beta) break;
  }
  return true;
}

bool AlphaBetaSearcher::SearchLineOf(AlphaBetaTree* tree, size_t line, int depth) {
  const auto by_score = [](const RootMove& a, const RootMove& b) { return a.score > b.score; };
  const auto begin = root_moves_.begin() + static_cast<std::ptrdiff_t>(line);
  const int expected = root_moves_[line].previous_score;
  int margin = kAspiration;
  int alpha = -kInfiniteScore;
  int beta = kInfiniteScore;
  if (depth >= kDepthOfAspiration && !IsDecisiveScore(expected)) {
    alpha = expected - margin;
    beta = expected + margin;
  }
  while (true) {
    for (auto root = begin; root != root_moves_.end(); ++root) root->score = -kInfiniteScore;
    const bool is_complete = SearchWindow(tree, line, depth, alpha, beta);
    std::stable_sort(begin, root_moves_.end(), by_score);
    if (!is_complete) return false;
    const int score = root_moves_[line].score;
    if (score > alpha && score < beta) return true;
    root_moves_[line].previous_score = score;
    margin *= 4;
    const bool gives_up = margin > 16 * kAspiration || IsDecisiveScore(score);
    if (score <= alpha) alpha = gives_up ? -kInfiniteScore : score - margin;
    if (score >= beta) beta = gives_up ? kInfiniteScore : score + margin;
  }
}

bool AlphaBetaSearcher::IsEnough(const SearchLimits& limits, SearchClock* clock, int depth,
                                 int stable_iterations) {
  const int score = root_moves_[0].score;
  // Every shorter mate would have been found by now.
  if (limits.multipv <= 1 && IsMateScore(score) && depth > kMate - std::abs(score)) return true;
  if (limits.infinite || !clock->IsRunning()) return false;
  if (limits.clock.has_value() && root_moves_.size() == 1) return true;
  return clock->IsSpent(stable_iterations >= kStableIterations ? kShareWhenStable : kShareToGoOn);
}

SearchProgress AlphaBetaSearcher::Progress(const AlphaBetaTree& tree, const SearchClock& clock,
                                           size_t lines) const {
  SearchProgress progress;
  for (size_t i = 0; i < lines; ++i) {
    const RootMove& root = root_moves_[i];
    SearchLine& line = progress.lines.emplace_back();
    const bool is_new = root.score != -kInfiniteScore;
    line.depth = root.depth;
    line.selective_depth = std::max(root.selective_depth, root.depth);
    line.score = ToScore(is_new ? root.score : root.previous_score);
    line.moves = root.line;
  }
  progress.nodes = tree.nodes();
  progress.time_ms = clock.elapsed_ms();
  progress.hash_permille = table_.used_permille();
  return progress;
}

Move AlphaBetaSearcher::PonderMove(const RootMove& best) const {
  if (best.line.size() > 1) return best.line[1];
  Position position = path_.position();
  position.Make(best.move);
  const auto entry = table_.Find(position.key());
  return entry && entry->move && IsLegal(position, entry->move) ? entry->move : Move();
}

SearchResult AlphaBetaSearcher::Search(const SearchLimits& limits, const SearchSignal& signal,
                                       const ProgressSink& sink) {
  SearchClock clock(limits, signal, now_);
  table_.NextSearch();
  order_.NextSearch();
  CollectRootMoves(limits);
  // On the heap, for it holds the lines of all plies.
  const auto tree = std::make_unique<AlphaBetaTree>(&path_, &table_, &order_, &clock, limits.nodes);
  SearchResult result;
  if (root_moves_.empty()) {
    result.progress = Progress(*tree, clock, 0);
    return result;
  }
  const size_t lines =
      std::min(root_moves_.size(), static_cast<size_t>(std::max(limits.multipv, 1)));
  const int last_depth = DepthLimit(limits, options_);
  int stable_iterations = 0;
  std::vector<RootMove> completed;
  for (int depth = 1; depth <= last_depth; ++depth) {
    const Move best_before = root_moves_[0].move;
    for (RootMove& root : root_moves_) {
      if (root.score != -kInfiniteScore) root.previous_score = root.score;
    }
    tree->BeginIteration(depth, /*is_patient=*/depth == 1);
    bool is_complete = true;
    for (size_t line = 0; line < lines && is_complete; ++line) {
      is_complete = SearchLineOf(tree.get(), line, depth);
    }
    // A later line may have turned out better than an earlier one.
    std::stable_sort(root_moves_.begin(), root_moves_.begin() + static_cast<std::ptrdiff_t>(lines),
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    if (!is_complete) {
      // One line can be better known than before, several would be of different depths.
      if (lines > 1 && !completed.empty()) root_moves_ = completed;
      break;
    }
    if (lines > 1) completed = root_moves_;
    if (sink) sink(Progress(*tree, clock, lines));
    stable_iterations = root_moves_[0].move == best_before ? stable_iterations + 1 : 0;
    if (clock.MustStop() || IsEnough(limits, &clock, depth, stable_iterations)) break;
  }
  result.best_move = root_moves_[0].move;
  result.ponder_move = PonderMove(root_moves_[0]);
  result.progress = Progress(*tree, clock, lines);
  return result;
}

Move AlphaBetaSearcher::BestMove(const Game& game, int depth) {
  Clear();
  SetGame(game);
  SearchLimits limits;
  limits.depth = depth;
  return Search(limits, SearchSignal(), nullptr).best_move;
}

}  // namespace chuhe
