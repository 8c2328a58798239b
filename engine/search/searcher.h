// What every engine behind a protocol is: something that searches a game under limits.
//
// Implementations: the built-in alpha-beta (alphabeta.h) and, above an evaluator, the tree search.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/board/types.h"
#include "engine/rules/game.h"
#include "engine/search/search_signal.h"

namespace chuhe {

struct Clock {
  int64_t time_ms = 0;  // may be zero or negative: move at once
  int64_t increment_ms = 0;
  int moves_to_go = 0;  // until the next period; 0 = all moves of the game
};

// Several limits may be set; the first one that is reached ends the search. None at all means one
// move's thought by the searcher's own default.
struct SearchLimits {
  int depth = 0;
  int64_t nodes = 0;
  int64_t movetime_ms = 0;
  std::optional<Clock> clock;           // of the side to move
  std::optional<Clock> opponent_clock;  // a hint only
  bool infinite = false;                // until stopped; so is pondering, until the hit
  bool ponder = false;
  std::vector<Move> search_moves;  // at the root; empty = all
  std::vector<Move> banned_moves;
  int multipv = 1;
  bool draw_offered = false;      // by the opponent, with this move
  int64_t move_overhead_ms = 30;  // lost between the engine and the clock, kept in reserve
};

// From the side to move's point of view at the root.
struct Score {
  int centipawns = 0;
  // Moves (not plies) to mate: n > 0 mates in n, n < 0 is mated in -n. Set only for proven mates.
  std::optional<int> mate_in;
};

struct SearchLine {
  int depth = 0;
  int selective_depth = 0;
  Score score;
  std::optional<std::array<int, 3>> wdl;  // win, draw, loss in permille, the side to move's
  std::vector<Move> moves;                // at least one
};

struct SearchProgress {
  std::vector<SearchLine> lines;  // best first, at most `multipv`
  int64_t nodes = 0;
  int64_t time_ms = 0;
  int hash_permille = 0;
};

// What is known about one of the positions that were searched.
struct StoredPosition {
  Move best_move;  // no move if none has been tried
  // Of the side to move. A mate is a bound: it may be quicker for who gives it, not slower.
  Score score;
  int depth = 0;  // plies of the line of best moves
};

struct SearchResult {
  Move best_move;    // no move when there is none to make
  Move ponder_move;  // the expected answer; no move if unknown
  SearchProgress progress;
};

// Called from the searching thread whenever there is something new to show.
using ProgressSink = std::function<void(const SearchProgress&)>;

// Owned by one thread, except for the signal.
class Searcher {
 public:
  virtual ~Searcher() = default;

  // The game to think about, history included. Keeps from earlier searches what still applies.
  virtual void SetGame(const Game& game) = 0;
  // Forgets everything learnt: a new game begins.
  virtual void Clear() = 0;
  // Blocks until a limit is reached or the signal says stop. A search of a position that has legal
  // moves left by the limits always gives a best move, even when it is stopped at once.
  virtual SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                              const ProgressSink& sink) = 0;

  // What is known about the position where a game stands, if it is there. By default nothing. While
  // a search runs, other threads have it asked by SearchSignal::Interject().
  virtual std::optional<StoredPosition> Probe(const Game& game) const;

  // Writes what has been found out about the game to a file, and reads it back in place of what is
  // there, so that a long analysis survives a restart. Errors name the file; a searcher that has
  // nothing to save says so.
  virtual absl::Status SaveTree(const std::string& path);
  virtual absl::Status LoadTree(const std::string& path, RuleSet rules);
};

}  // namespace chuhe
