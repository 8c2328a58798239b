// One game of self-play as a state machine: it asks one question at a time, so that one thread can
// play many games over one batch.
//
//   Begin ─► opening ─► search: Select, Apply, Select, Apply, … ─► move ─► search … ─► over
//
// All chance comes from the game's seed and the ply, not from a stream that would have to be kept:
// so a game that is resumed from its record needs nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/memory.h"
#include "engine/eval/evaluator.h"
#include "engine/search/tree_search.h"
#include "selfplay/match/openings.h"
#include "selfplay/play/opening_plan.h"
#include "selfplay/play/resignation.h"
#include "selfplay/play/self_play_options.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

// What all games of a process have in common. Must outlive them.
struct SelfPlaySetting {
  SelfPlayOptions options;
  std::vector<Opening> openings;
  ResignationControl* resignation = nullptr;
};

// Owned by one thread.
class SelfPlayGame {
 public:
  explicit SelfPlayGame(const SelfPlaySetting* setting);

  // Starts a game. `number` counts the games of a run: the first ones have a lower ply cap.
  void Begin(int64_t number, uint64_t seed, const std::string& network_sha256);
  // Goes on with a game, or with one that has branched off, from the moves of its record, which are
  // legal.
  void Resume(int64_t number, GameRecord record, const std::string& network_sha256);

  // Goes on to the next question, and writes it. False: the game is over. To be called when there
  // is no open question.
  bool Select(EvaluationRequest* request);
  void Apply(const EvaluationRequest& answer) {
    ++record_.evaluations;
    search_.ApplyEvaluations({&answer, 1});
  }

  // The present move and those after it are made with this network alone: what the search has found
  // out so far is forgotten. To be called when there is no open question.
  void UseNetwork(const std::string& sha256);

  // A hint that the game will be asked soon: between two batches the network takes its memory out
  // of the caches.
  void Prefetch() const {
    constexpr size_t kLine = 64;
    const auto* const bytes = reinterpret_cast<const std::byte*>(this);
    for (size_t i = 0; i < sizeof(*this); i += kLine) chuhe::Prefetch(bytes + i);
  }

  int64_t number() const { return number_; }
  // Of the game so far; with outcome and end once it is over, without worker and time.
  const GameRecord& record() const { return record_; }
  // Changes when something else in the record than its plies has changed.
  int head_version() const { return head_version_; }
  // The record of a game that has branched off, once; its seed is to be set.
  std::optional<GameRecord> TakeFork();

 private:
  void Enter(int64_t number, const std::string& network_sha256);
  int NextPly() const { return static_cast<int>(record_.plies.size()); }
  // Plays a ply of the opening, or ends it; false if that needs the root's evaluation first.
  bool PlayOpening();
  void BeginSearch();
  // Visits that the search may still make.
  int VisitsLeft() const;
  void FinishMove();
  bool Resigns();
  void BranchOff(Move played);
  void Play(PlyRecord ply);
  void EndIfOver();
  void EndAtCap();
  void End(Outcome outcome, GameEnd end, Reason reason);
  Random ChanceOf(const char* what) const;

  const SelfPlaySetting* setting_;
  TreeSearch search_;
  ResignationWatch watch_;

  int64_t number_ = 0;
  GameRecord record_;
  OpeningPlan opening_;
  bool is_opening_ = false;
  bool is_over_ = true;
  bool is_searching_ = false;
  bool is_fast_ = false;
  bool is_resignation_audited_ = false;
  bool is_adjudication_audited_ = false;
  int fork_ply_ = -1;
  int head_version_ = 0;
  std::optional<GameRecord> fork_;
};

}  // namespace chuhe
