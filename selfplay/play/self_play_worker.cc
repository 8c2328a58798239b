#include "selfplay/play/self_play_worker.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/base/status_macros.h"
#include "selfplay/records/record_bytes.h"

namespace chuhe {

SelfPlayWorker::SelfPlayWorker(WorkerParts parts, NetworkEvaluator network,
                               std::map<int64_t, GameRecord> resumed)
    : parts_(std::move(parts)), network_(std::move(network)) {
  for (auto& [number, record] : resumed) waiting_.push_back({number, std::move(record)});
  const int games = parts_.setting->options.games;
  const int groups = games > 1 && network_.evaluator->max_in_flight() > 1 ? 2 : 1;
  groups_.resize(static_cast<size_t>(groups));
  for (int i = 0; i < groups; ++i) {
    Group& group = groups_[static_cast<size_t>(i)];
    const auto size = static_cast<size_t>((games + i) / groups);
    group.slots.reserve(size);
    for (size_t slot = 0; slot < size; ++slot) {
      group.slots.push_back({.game = SelfPlayGame(parts_.setting)});
    }
    group.requests.resize(size);
    group.askers.reserve(size);
  }
}

void SelfPlayWorker::Run() {
  absl::Status status = Work();
  for (Group& group : groups_) Finish(&group);
  if (parts_.journal != nullptr) status.Update(parts_.journal->Sync());
  for (const Group& group : groups_) {
    for (const Slot& slot : group.slots) counts_.games_under_way -= slot.is_busy ? 1 : 0;
  }
  parts_.control->Add(std::exchange(counts_, {}));
  if (!status.ok()) parts_.control->Fail(status);
  parts_.control->HasEnded(parts_.index);
}

absl::Status SelfPlayWorker::Work() {
  bool has_games = true;
  while (has_games && parts_.control->MayGoOn(parts_.index)) {
    if (auto network = parts_.control->TakeNetwork(parts_.index)) {
      ChangeNetwork(*std::move(network));
    }
    has_games = false;
    for (Group& group : groups_) {
      Finish(&group);
      CHUHE_ASSIGN_OR_RETURN(const bool has_asked, Start(&group));
      has_games |= has_asked;
    }
    parts_.control->Add(std::exchange(counts_, {}));
  }
  return absl::OkStatus();
}

void SelfPlayWorker::Finish(Group* group) {
  if (!group->is_under_way) return;
  network_.evaluator->Wait();
  group->is_under_way = false;
  for (size_t i = 0; i < group->askers.size(); ++i) {
    if (i + 1 < group->askers.size()) group->slots[group->askers[i + 1]].game.Prefetch();
    group->slots[group->askers[i]].game.Apply(group->requests[i]);
  }
}

absl::StatusOr<bool> SelfPlayWorker::Start(Group* group) {
  group->askers.clear();
  for (size_t i = 0; i < group->slots.size(); ++i) {
    if (i + 1 < group->slots.size()) group->slots[i + 1].game.Prefetch();
    CHUHE_ASSIGN_OR_RETURN(const bool has_asked,
                           Ask(&group->slots[i], &group->requests[group->askers.size()]));
    if (has_asked) group->askers.push_back(i);
  }
  CHUHE_RETURN_IF_ERROR(KeepJournal());
  const size_t size = group->askers.size();
  if (size == 0) return false;
  network_.evaluator->Submit({group->requests.data(), size});
  group->is_under_way = true;
  counts_.evaluations += static_cast<int64_t>(size);
  return true;
}

absl::StatusOr<bool> SelfPlayWorker::Ask(Slot* slot, EvaluationRequest* request) {
  while (slot->is_busy || NextGame(slot)) {
    const bool has_asked = slot->game.Select(request);
    Note(slot);
    TakeFork(slot);
    if (has_asked) return true;
    CHUHE_RETURN_IF_ERROR(HandOver(slot));
  }
  return false;
}

bool SelfPlayWorker::NextGame(Slot* slot) {
  if (!waiting_.empty()) {
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    slot->game.Resume(next.number, std::move(next.record), network_.sha256);
  } else if (const std::optional<int64_t> number = parts_.numbers->Take()) {
    slot->game.Begin(*number, parts_.numbers->SeedOf(*number), network_.sha256);
  } else {
    return false;
  }
  slot->is_busy = true;
  slot->noted_plies = slot->game.record().plies.size();
  slot->noted_head = slot->game.head_version();
  if (parts_.journal != nullptr) {
    parts_.journal->AddGame({slot->game.number(), &slot->game.record()});
  }
  ++counts_.games_under_way;
  return true;
}

void SelfPlayWorker::TakeFork(Slot* slot) {
  std::optional<GameRecord> fork = slot->game.TakeFork();
  if (!fork) return;
  const std::optional<int64_t> number = parts_.numbers->Take();
  if (!number) return;
  fork->seed = parts_.numbers->SeedOf(*number);
  waiting_.push_back({*number, *std::move(fork)});
  if (parts_.journal != nullptr) parts_.journal->AddGame({*number, &waiting_.back().record});
}

void SelfPlayWorker::Note(Slot* slot) {
  const SelfPlayGame& game = slot->game;
  const std::vector<PlyRecord>& plies = game.record().plies;
  // What is over is handed over as a whole.
  const bool is_over = game.record().outcome != Outcome::kUndecided;
  const bool has_new_head = game.head_version() != slot->noted_head;
  slot->noted_head = game.head_version();
  for (; slot->noted_plies < plies.size(); ++slot->noted_plies) {
    const PlyRecord& ply = plies[slot->noted_plies];
    counts_.positions += ply.is_searched ? 1 : 0;
    counts_.samples += ply.policy.empty() ? 0 : 1;
    if (parts_.journal != nullptr && !is_over && !has_new_head) {
      parts_.journal->AddPly(game.number(), static_cast<int>(slot->noted_plies), ply,
                             game.record().evaluations);
    }
  }
  if (parts_.journal != nullptr && !is_over && has_new_head) {
    parts_.journal->AddGame({game.number(), &game.record()});
  }
}

absl::Status SelfPlayWorker::HandOver(Slot* slot) {
  GameRecord record = slot->game.record();
  record.worker = parts_.name;
  record.finished_at = parts_.clock();
  FinishedGame finished;
  CHUHE_ASSIGN_OR_RETURN(finished.record_bytes, EncodeGame(record));
  finished.number = slot->game.number();
  finished.counts.AddGame(record);
  finished.journal = parts_.journal;
  if (parts_.journal != nullptr) {
    // Before the store can have it: else another end of the same game might follow.
    parts_.journal->AddFinished(finished.number, finished.record_bytes);
    CHUHE_RETURN_IF_ERROR(parts_.journal->Flush());
  }
  slot->is_busy = false;
  --counts_.games_under_way;
  if (!parts_.finished->Push(std::move(finished))) {
    return absl::CancelledError("finished games are not taken any more");
  }
  return absl::OkStatus();
}

void SelfPlayWorker::ChangeNetwork(NetworkEvaluator network) {
  for (Group& group : groups_) Finish(&group);
  network_ = std::move(network);
  for (Group& group : groups_) {
    for (Slot& slot : group.slots) {
      if (!slot.is_busy) continue;
      slot.game.UseNetwork(network_.sha256);
      Note(&slot);
    }
  }
}

absl::Status SelfPlayWorker::KeepJournal() {
  if (parts_.journal == nullptr) return absl::OkStatus();
  if (!parts_.journal->is_long()) return parts_.journal->Flush();
  std::vector<JournalGame> games;
  for (const Waiting& waiting : waiting_) games.push_back({waiting.number, &waiting.record});
  for (const Group& group : groups_) {
    for (const Slot& slot : group.slots) {
      if (slot.is_busy) games.push_back({slot.game.number(), &slot.game.record()});
    }
  }
  return parts_.journal->Rewrite(parts_.numbers->next(), games);
}

}  // namespace chuhe
