#include "engine/base/core_budget.h"

#include <algorithm>
#include <cassert>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace chuhe {
namespace {

std::string CoresText(int cores) { return absl::StrCat(cores, cores == 1 ? " core" : " cores"); }

}  // namespace

CoreLease& CoreLease::operator=(CoreLease&& other) noexcept {
  if (this != &other) {
    Return();
    budget_ = std::exchange(other.budget_, nullptr);
    part_ = std::move(other.part_);
    cores_ = std::exchange(other.cores_, 0);
  }
  return *this;
}

void CoreLease::Return() {
  if (budget_ != nullptr) budget_->GiveBack(part_, cores_);
  budget_ = nullptr;
  cores_ = 0;
}

CoreBudget::CoreBudget(int cores) : cores_(std::max(1, cores)) {}

CoreBudget::~CoreBudget() { assert(free_cores() == cores_ && "a lease outlives its budget"); }

absl::StatusOr<CoreLease> CoreBudget::Lease(std::string_view part, int at_least, int at_most) {
  std::string name(part);
  if (at_least < 1 || at_most < at_least) {
    return absl::InvalidArgumentError(absl::StrCat(name, " asks for ", at_least, " to ", at_most,
                                                   " cores; expected at least 1, and no less at "
                                                   "most"));
  }
  const MutexLock lock(&mutex_);
  const int free = FreeLocked();
  if (free < at_least) {
    return absl::ResourceExhaustedError(
        absl::StrCat(name, " needs ", CoresText(at_least), ", but of ", DescribeLocked()));
  }
  const int granted = std::min(free, at_most);
  const auto share = std::find_if(shares_.begin(), shares_.end(),
                                  [&](const Share& other) { return other.part == name; });
  if (share == shares_.end()) {
    shares_.push_back({name, granted});
  } else {
    share->cores += granted;
  }
  return CoreLease(this, std::move(name), granted);
}

void CoreBudget::GiveBack(const std::string& part, int cores) {
  const MutexLock lock(&mutex_);
  const auto share = std::find_if(shares_.begin(), shares_.end(),
                                  [&](const Share& other) { return other.part == part; });
  assert(share != shares_.end() && share->cores >= cores);
  share->cores -= cores;
  if (share->cores == 0) shares_.erase(share);
}

int CoreBudget::FreeLocked() const {
  int free = cores_;
  for (const Share& share : shares_) free -= share.cores;
  return free;
}

int CoreBudget::free_cores() const {
  const MutexLock lock(&mutex_);
  return FreeLocked();
}

std::string CoreBudget::DescribeLocked() const {
  std::vector<std::string> words;
  for (const Share& share : shares_) words.push_back(absl::StrCat(share.part, " ", share.cores));
  if (const int free = FreeLocked(); free > 0) words.push_back(absl::StrCat("free ", free));
  return absl::StrCat(CoresText(cores_), ": ", absl::StrJoin(words, ", "));
}

std::string CoreBudget::Describe() const {
  const MutexLock lock(&mutex_);
  return DescribeLocked();
}

}  // namespace chuhe
