#include "selfplay/play/worker_control.h"

#include <algorithm>
#include <utility>

namespace chuhe {

WorkerControl::WorkerControl(int workers)
    : active_(workers),
      states_(static_cast<size_t>(workers), State::kWorking),
      networks_(static_cast<size_t>(workers)) {}

void WorkerControl::Stop() {
  const MutexLock lock(&mutex_);
  is_stopped_ = true;
  changed_.NotifyAll();
}

bool WorkerControl::OthersWait() const {
  return std::none_of(states_.begin() + active_, states_.end(),
                      [](State state) { return state == State::kWorking; });
}

void WorkerControl::SetActive(int count) {
  const MutexLock lock(&mutex_);
  active_ = std::clamp(count, 0, static_cast<int>(states_.size()));
  changed_.NotifyAll();
  while (!OthersWait() && !is_stopped_) changed_.Wait(&mutex_);
}

void WorkerControl::GiveNetworks(std::vector<NetworkEvaluator> networks) {
  const MutexLock lock(&mutex_);
  for (size_t i = 0; i < networks.size(); ++i) networks_[i] = std::move(networks[i]);
}

SelfPlayStatistics WorkerControl::statistics() const {
  const MutexLock lock(&mutex_);
  return statistics_;
}

absl::Status WorkerControl::status() const {
  const MutexLock lock(&mutex_);
  return status_;
}

bool WorkerControl::all_have_ended() const {
  const MutexLock lock(&mutex_);
  return std::all_of(states_.begin(), states_.end(),
                     [](State state) { return state == State::kEnded; });
}

bool WorkerControl::MayGoOn(int worker) {
  const MutexLock lock(&mutex_);
  State& state = states_[static_cast<size_t>(worker)];
  while (!is_stopped_ && worker >= active_) {
    if (state != State::kWaiting) {
      state = State::kWaiting;
      changed_.NotifyAll();
    }
    changed_.Wait(&mutex_);
  }
  state = State::kWorking;
  return !is_stopped_;
}

std::optional<NetworkEvaluator> WorkerControl::TakeNetwork(int worker) {
  const MutexLock lock(&mutex_);
  return std::exchange(networks_[static_cast<size_t>(worker)], std::nullopt);
}

void WorkerControl::Add(const SelfPlayStatistics& counts) {
  const MutexLock lock(&mutex_);
  statistics_.Add(counts);
}

void WorkerControl::Fail(const absl::Status& status) {
  const MutexLock lock(&mutex_);
  if (status_.ok()) status_ = status;
  is_stopped_ = true;
  changed_.NotifyAll();
}

void WorkerControl::HasEnded(int worker) {
  const MutexLock lock(&mutex_);
  states_[static_cast<size_t>(worker)] = State::kEnded;
  changed_.NotifyAll();
}

}  // namespace chuhe
