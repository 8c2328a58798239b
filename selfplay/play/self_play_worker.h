// A thread's worth of self-play: many games, one batch.
//
//   for each game: Select ─► batch ─► evaluator ─► for each game: Apply
//
// Every game asks one question for every batch. Where the evaluator takes several batches at once,
// the games are in two halves: one is searched while the other one is on the device.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/eval/evaluator.h"
#include "selfplay/play/finished_games.h"
#include "selfplay/play/game_journal.h"
#include "selfplay/play/game_numbers.h"
#include "selfplay/play/self_play_game.h"
#include "selfplay/play/worker_control.h"

namespace chuhe {

// What a worker works with. All of it must outlive the worker.
struct WorkerParts {
  int index = 0;
  std::string name;  // in the records
  const SelfPlaySetting* setting = nullptr;
  GameNumbers* numbers = nullptr;
  WorkerControl* control = nullptr;
  FinishedGames* finished = nullptr;
  GameJournal* journal = nullptr;  // may be null
  std::function<int64_t()> clock;
};

// Owned by one thread.
class SelfPlayWorker {
 public:
  // `resumed` are games to go on with, by their numbers.
  SelfPlayWorker(WorkerParts parts, NetworkEvaluator network,
                 std::map<int64_t, GameRecord> resumed);

  // Blocks until the control ends it, or no game is left.
  void Run();

 private:
  struct Slot {
    SelfPlayGame game;
    bool is_busy = false;
    size_t noted_plies = 0;
    int noted_head = 0;
  };
  struct Waiting {
    int64_t number;
    GameRecord record;
  };
  // Games that share a batch.
  struct Group {
    std::vector<Slot> slots;
    std::vector<EvaluationRequest> requests;
    std::vector<size_t> askers;  // by request: the slot
    bool is_under_way = false;
  };

  absl::Status Work();
  void Finish(Group* group);
  // Fills and submits the batch. False if no game of the group has a question: none is left.
  absl::StatusOr<bool> Start(Group* group);
  absl::StatusOr<bool> Ask(Slot* slot, EvaluationRequest* request);
  bool NextGame(Slot* slot);
  void TakeFork(Slot* slot);
  absl::Status HandOver(Slot* slot);
  // Counts what is new in a game, and writes it to the journal.
  void Note(Slot* slot);
  void ChangeNetwork(NetworkEvaluator network);
  absl::Status KeepJournal();

  const WorkerParts parts_;
  NetworkEvaluator network_;
  std::deque<Waiting> waiting_;
  std::vector<Group> groups_;
  SelfPlayStatistics counts_;  // since they were last reported
};

}  // namespace chuhe
