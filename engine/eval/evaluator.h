// What the search asks about a position, and who answers: a batch in, the same batch out.
#pragma once

#include <span>

#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/rules/game.h"

namespace chuhe {

// Chances of the side to move; they sum to 1.
struct Wdl {
  float win = 0;
  float draw = 1;
  float loss = 0;

  float value() const { return win - loss; }
};

// How far back a question reaches.
constexpr int kRecentPlies = 6;
constexpr int kMaxChecksInARow = 6;

// One position to evaluate and the place for the answer.
struct EvaluationRequest {
  Position position;
  int occurrences = 1;        // of the position since the last capture, this one included
  int no_capture_plies = 0;   // counted, as the rules do
  Move recent[kRecentPlies];  // the last plies, newest first; no move before the start
  // By colour: how many of its last moves gave check without a break, at most kMaxChecksInARow.
  int checks_in_a_row[2] = {};
  MoveList moves;  // the legal ones, at least one

  // Written by the evaluator. Priors of `moves`, in their order; they sum to 1.
  float priors[kMaxMoves];
  Wdl wdl;               // of the side to move
  float plies_left = 0;  // expected length of the rest of the game

  // Fills the question from where the game stands. The moves are for the caller to generate.
  void SetPosition(const Game& game);
};

// Which network, device and precision stand behind an evaluator is nobody's business above. The
// answer depends on the request alone, not on what else is in the batch.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Blocks until all requests are answered. Called by one thread at a time, and not while a
  // submitted batch waits to be fetched.
  virtual void Evaluate(std::span<EvaluationRequest> requests) = 0;

  // The same in two halves, so that the caller can collect the next batch while a device works on
  // this one. Wait() blocks until the oldest batch not yet waited for is answered. The requests
  // must stay where they are until then. By default all the work is done in Submit().
  virtual void Submit(std::span<EvaluationRequest> requests) { Evaluate(requests); }
  virtual void Wait() {}
  // How many submitted batches may wait at once. Above 1 it pays to collect ahead.
  virtual int max_in_flight() const { return 1; }
};

}  // namespace chuhe
