#include "engine/search/tree_searcher.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/board/movegen.h"
#include "engine/search/time_manager.h"
#include "engine/search/tree_file.h"

namespace chuhe {
namespace {

// Ranking the root moves and looking at the lines is not for every visit.
constexpr int64_t kVisitsBetweenLooks = 64;
constexpr int64_t kMostVisitsAtOnce = 1 << 20;
// Steps of the search for mates: some hundred microseconds.
constexpr int64_t kMateStepsAtOnce = 8192;
// A mate that may take longer than need be is good enough where nothing but a clock asks for more.
constexpr int kMatesAlwaysExcluded = 3;
// Milliseconds.
constexpr int64_t kShortestPace = 20;
constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

// Decides when it is time to show something again.
class ProgressClock {
 public:
  bool IsDue(int64_t now_ms, Move best) {
    const bool is_news = best != shown_ && now_ms >= shown_ms_ + kShortestPauseMs;
    if (shown_ms_ >= 0 && !is_news && now_ms < shown_ms_ + kLongestPauseMs) return false;
    shown_ = best;
    shown_ms_ = now_ms;
    return true;
  }

 private:
  static constexpr int64_t kShortestPauseMs = 50;
  static constexpr int64_t kLongestPauseMs = 1000;
  int64_t shown_ms_ = -kLongestPauseMs;
  Move shown_;
};

}  // namespace

int CentipawnsOfValue(float value) {
  return static_cast<int>(
      std::lround(90 * std::tan(1.5637541897 * std::clamp(double{value}, -1.0, 1.0))));
}

SearchLine MakeSearchLine(const TreeSearch& search, const Edge& edge) {
  SearchLine line;
  line.depth = std::max(1, static_cast<int>(std::lround(search.mean_path())));
  line.selective_depth = search.longest_path();
  line.score.centipawns = CentipawnsOfValue(edge.value);
  const bool is_mate = (edge.proof_bits & Edge::kByRule) == 0;
  if (edge.proof == Proof::kWin && is_mate) line.score.mate_in = (edge.proof_plies() + 1) / 2;
  if (edge.proof == Proof::kLoss && is_mate) line.score.mate_in = -edge.proof_plies() / 2;
  const float win = (1 - edge.draw + edge.value) / 2;
  const int win_permille = static_cast<int>(std::lround(1000 * win));
  const int draw_permille =
      std::min(1000 - win_permille, static_cast<int>(std::lround(1000 * edge.draw)));
  line.wdl = {win_permille, draw_permille, 1000 - win_permille - draw_permille};
  line.moves = search.LineFrom(edge);
  return line;
}

TreeSearcher::TreeSearcher(Evaluator* evaluator, const TreeSearcherOptions& options)
    : search_(evaluator, options.search),
      network_(options.network),
      temperature_(options.temperature),
      random_(options.seed, StreamId("move")) {}

void TreeSearcher::SetGame(const Game& game) { search_.SetRoot(game); }

void TreeSearcher::Clear() { search_.Clear(); }

std::optional<StoredPosition> TreeSearcher::Probe(const Game& game) const {
  const std::optional<TreeSearch::Known> known = search_.Find(game);
  if (!known) return {};
  const Edge& edge = known->edge;  // of the side that has moved there
  StoredPosition stored;
  stored.depth = static_cast<int>(known->line.size());
  if (!known->line.empty()) stored.best_move = known->line.front();
  stored.score.centipawns = CentipawnsOfValue(-edge.value);
  const bool is_mate = (edge.proof_bits & Edge::kByRule) == 0;
  if (edge.proof == Proof::kLoss && is_mate) stored.score.mate_in = edge.proof_plies() / 2;
  if (edge.proof == Proof::kWin && is_mate) stored.score.mate_in = -(edge.proof_plies() - 1) / 2;
  return stored;
}

absl::Status TreeSearcher::SaveTree(const std::string& path) {
  search_.Drain();
  return chuhe::SaveTree(search_, network_, path);
}

absl::Status TreeSearcher::LoadTree(const std::string& path, RuleSet rules) {
  search_.Drain();
  return chuhe::LoadTree(path, network_, rules, &search_);
}

std::vector<Move> TreeSearcher::AllowedMoves(const SearchLimits& limits) const {
  MoveList list;
  GenerateLegal(search_.game().position(), &list);
  std::vector<Move> allowed(list.begin(), list.end());
  const auto contains = [](const std::vector<Move>& moves, Move move) {
    return std::find(moves.begin(), moves.end(), move) != moves.end();
  };
  std::erase_if(allowed, [&](Move move) {
    return (!limits.search_moves.empty() && !contains(limits.search_moves, move)) ||
           contains(limits.banned_moves, move);
  });
  return allowed;
}

SearchProgress TreeSearcher::Progress(int multipv, int64_t nodes, int64_t time_ms) const {
  SearchProgress progress;
  for (const Edge& edge : search_.RankedRootMoves()) {
    if (static_cast<int>(progress.lines.size()) == multipv) break;
    progress.lines.push_back(MakeSearchLine(search_, edge));
  }
  progress.nodes = nodes;
  progress.time_ms = time_ms;
  progress.hash_permille =
      static_cast<int>(search_.tree().used_bytes() * 1000 / search_.tree().max_bytes());
  return progress;
}

bool TreeSearcher::IsSettled(int64_t visits_left) const {
  const std::vector<Edge> moves = search_.RankedRootMoves();
  if (moves.empty()) return false;
  if (moves.front().proof == Proof::kWin) return !search_.MayHaveShorterMate();
  const int64_t second = moves.size() > 1 ? moves[1].visits : 0;
  return moves.front().proof == Proof::kNone && moves.front().visits - second > visits_left;
}

bool TreeSearcher::IsSettledInTime(SearchClock* clock, int64_t nodes) const {
  const std::optional<int64_t> left_ms = clock->SavableMs();
  const int64_t elapsed_ms = clock->elapsed_ms();
  // The pace of the first moments is no measure.
  if (!left_ms || elapsed_ms < kShortestPace) return false;
  const double pace = static_cast<double>(nodes) / static_cast<double>(elapsed_ms);
  return IsSettled(static_cast<int64_t>(pace * static_cast<double>(*left_ms)) + 1);
}

int64_t TreeSearcher::SeekShorterMate(const SearchLimits& limits) {
  const bool is_bounded =
      limits.nodes > 0 || limits.movetime_ms > 0 || limits.infinite || limits.ponder;
  const int most_moves = is_bounded ? MateSearch::kMostMoves : kMatesAlwaysExcluded;
  if (!search_.MayHaveShorterMate(most_moves)) return 0;
  search_.SeekShorterMate(kMateStepsAtOnce, most_moves);
  return std::max<int64_t>(1, kMateStepsAtOnce / search_.options().mate_steps);
}

Edge TreeSearcher::DrawMove() {
  const std::vector<Edge> moves = search_.RankedRootMoves();
  std::vector<double> weights;
  double sum = 0;
  for (const Edge& edge : moves) {
    const bool is_drawn = edge.proof != Proof::kLoss && edge.visits > 0;
    const double share = static_cast<double>(edge.visits) / moves.front().visits;
    weights.push_back(is_drawn ? std::pow(share, 1 / temperature_) : 0);
    sum += weights.back();
  }
  double left = random_.UniformDouble() * sum;
  for (size_t i = 0; i < moves.size(); ++i) {
    if (weights[i] > 0 && left < weights[i]) return moves[i];
    left -= weights[i];
  }
  return moves.front();
}

SearchResult TreeSearcher::Search(const SearchLimits& limits, const SearchSignal& signal,
                                  const ProgressSink& sink) {
  SearchResult result;
  const std::vector<Move> allowed = AllowedMoves(limits);
  if (allowed.empty()) return result;
  const bool is_restricted = !limits.search_moves.empty() || !limits.banned_moves.empty();
  search_.RestrictRoot(is_restricted ? std::span<const Move>(allowed) : std::span<const Move>());

  SearchClock clock(limits, signal);
  ProgressClock progress_clock;
  const int64_t node_limit = limits.nodes > 0 ? limits.nodes : kNoLimit;
  int64_t nodes = 0;
  int64_t next_look = 0;
  int64_t shown_nodes = 0;
  // The first batch is always made, so that there is a move even when stopped at once.
  do {
    const int64_t left = std::min(node_limit - nodes, kMostVisitsAtOnce);
    int64_t made = search_.RunBatch(static_cast<int>(left));
    if (made == 0) made = std::min(left, SeekShorterMate(limits));
    nodes += made;
    if (made == 0) break;
    if (limits.depth > 0 && search_.mean_path() >= limits.depth) break;
    if (nodes < next_look) continue;
    next_look = nodes + kVisitsBetweenLooks;
    const std::vector<Edge> moves = search_.RankedRootMoves();
    if (sink && progress_clock.IsDue(clock.elapsed_ms(), moves.front().move)) {
      sink(Progress(limits.multipv, nodes, clock.elapsed_ms()));
      shown_nodes = nodes;
    }
    const bool is_pondering = limits.ponder && !signal.ponder_hit();
    if (!limits.infinite && !is_pondering && limits.multipv == 1) {
      if (node_limit != kNoLimit && IsSettled(node_limit - nodes)) break;
      if (allowed.size() == 1 && limits.clock.has_value()) break;
      if (clock.IsSpent() || IsSettledInTime(&clock, nodes)) break;
    }
  } while (nodes < node_limit && !clock.MustStop());
  const int64_t before = search_.visits();
  search_.Drain();
  nodes += search_.visits() - before;

  result.progress = Progress(limits.multipv, nodes, clock.elapsed_ms());
  if (result.progress.lines.empty()) {
    result.best_move = allowed.front();
    return result;
  }
  // What was shown last shall be what the move rests on.
  if (sink && nodes != shown_nodes) sink(result.progress);
  std::vector<Move> line = result.progress.lines.front().moves;
  const bool is_won = search_.RankedRootMoves().front().proof == Proof::kWin;
  if (temperature_ > 0 && !limits.infinite && !is_won) line = search_.LineFrom(DrawMove());
  result.best_move = line.front();
  if (line.size() > 1) result.ponder_move = line[1];
  return result;
}

}  // namespace chuhe
