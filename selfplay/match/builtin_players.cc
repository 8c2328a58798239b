#include "selfplay/match/builtin_players.h"

#include <chrono>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "engine/base/random.h"
#include "engine/base/status_macros.h"
#include "engine/board/movegen.h"
#include "engine/search/alphabeta.h"

namespace chuhe {
namespace {

constexpr char kRandom[] = "random";
constexpr char kAlphaBeta[] = "alphabeta";

bool IsAlphaBeta(absl::string_view command) {
  return command == kAlphaBeta || absl::StartsWith(command, absl::StrCat(kAlphaBeta, ":"));
}

absl::StatusOr<BuiltinEngine> MakeAlphaBeta(absl::string_view command) {
  AlphaBetaOptions options;
  absl::string_view rest = command.substr(sizeof kAlphaBeta - 1);
  if (!rest.empty()) {
    rest.remove_prefix(1);
    if (!absl::SimpleAtoi(rest, &options.depth) || options.depth < 1 ||
        options.depth > kMaxAlphaBetaDepth) {
      return absl::InvalidArgumentError(absl::StrCat("'", command,
                                                     "': expected alphabeta:DEPTH with a depth "
                                                     "from 1 to ",
                                                     kMaxAlphaBetaDepth));
    }
  }
  return BuiltinEngine{.searcher = std::make_unique<AlphaBetaSearcher>(options)};
}

// Registers a search for stopping while it runs.
class StoppableSearch {
 public:
  explicit StoppableSearch(StopSignal* stop) : stop_(*stop) { stop_.Add(&signal_); }
  StoppableSearch(const StoppableSearch&) = delete;
  StoppableSearch& operator=(const StoppableSearch&) = delete;
  ~StoppableSearch() { stop_.Remove(&signal_); }
  const SearchSignal& signal() const { return signal_; }

 private:
  StopSignal& stop_;
  SearchSignal signal_;
};

template <typename T>
T Tighter(T a, T b) {
  return a == 0 ? b : b == 0 ? a : std::min(a, b);
}

}  // namespace

absl::Status RandomPlayer::NewGame(const GameStart& start) {
  seed_ = start.seed;
  return absl::OkStatus();
}

MoveAnswer RandomPlayer::Think(const MoveRequest& request) {
  MoveList moves;
  GenerateLegal(request.game->position(), &moves);
  MoveAnswer answer;
  if (moves.size == 0) return answer;
  answer.kind = AnswerKind::kMove;
  // By the ply, not from a stream: so a game that was adjourned goes on alike.
  Random random(seed_, StreamId("random player", static_cast<uint64_t>(request.game->plies())));
  answer.move = moves[static_cast<int>(random.Below(static_cast<uint64_t>(moves.size)))];
  return answer;
}

absl::Status SearcherPlayer::NewGame(const GameStart& /*start*/) {
  engine_.searcher->Clear();
  return absl::OkStatus();
}

SearchLimits SearcherPlayer::LimitsOf(const MoveRequest& request) const {
  SearchLimits limits = engine_.limits;
  limits.depth = Tighter(limits.depth, request.control->depth);
  limits.nodes = Tighter(limits.nodes, request.control->nodes);
  limits.movetime_ms = Tighter(limits.movetime_ms, request.control->movetime_ms);
  limits.clock = request.clock;
  limits.opponent_clock = request.opponent_clock;
  limits.draw_offered = request.draw_offered;
  return limits;
}

void SearcherPlayer::Rehearse(const MoveRequest& request) {
  const SearchLimits limits = LimitsOf(request);
  if (limits.clock.has_value() || limits.movetime_ms > 0 || stop_.is_set()) return;
  engine_.searcher->SetGame(*request.game);
  const StoppableSearch search(&stop_);
  engine_.searcher->Search(limits, search.signal(), {});
}

MoveAnswer SearcherPlayer::Think(const MoveRequest& request) {
  using std::chrono::steady_clock;
  const steady_clock::time_point begin = steady_clock::now();
  engine_.searcher->SetGame(*request.game);
  const StoppableSearch search(&stop_);
  const SearchResult result = engine_.searcher->Search(LimitsOf(request), search.signal(), {});
  MoveAnswer answer;
  if (stop_.is_set()) {
    answer.kind = AnswerKind::kStopped;
    return answer;
  }
  const auto elapsed = steady_clock::now() - begin;
  answer.elapsed_us = std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count();
  if (!result.best_move) return answer;
  answer.kind = AnswerKind::kMove;
  answer.move = result.best_move;
  answer.nodes = result.progress.nodes;
  if (!result.progress.lines.empty()) {
    answer.score = result.progress.lines[0].score;
    answer.depth = result.progress.lines[0].depth;
  }
  return answer;
}

bool IsOwnPlayer(absl::string_view command) { return command == kRandom || IsAlphaBeta(command); }

absl::StatusOr<std::unique_ptr<Player>> MakeBuiltinPlayer(const EngineSpec& spec,
                                                          const BuiltinFactory& factory,
                                                          StopSignal* stop) {
  const std::string& command = spec.command;
  if (IsOwnPlayer(command) && !spec.options.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        spec.name, ": ", command, " has no options, and so no '", spec.options[0].first, "'"));
  }
  if (command == kRandom) return std::make_unique<RandomPlayer>();
  absl::StatusOr<BuiltinEngine> engine = absl::InvalidArgumentError(absl::StrCat(
      "no built-in player '", command, "'; expected random, alphabeta:DEPTH or net:FILE:VISITS"));
  if (IsAlphaBeta(command)) {
    engine = MakeAlphaBeta(command);
  } else if (factory) {
    engine = factory(spec);
  }
  if (!engine.ok()) return engine.status();
  return std::make_unique<SearcherPlayer>(*std::move(engine), stop);
}

}  // namespace chuhe
