// Who computes on how many cores. Evaluators, search, self-play, trainer and loader take their
// shares from one budget, so that together they never start more busy threads than there are cores.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/core_count.h"
#include "engine/base/mutex.h"

namespace chuhe {

class CoreBudget;

// A share of a budget, given back when it goes. Owned by one thread at a time; the budget must
// outlive it.
class CoreLease {
 public:
  // No cores of no budget.
  CoreLease() = default;
  CoreLease(CoreLease&& other) noexcept { *this = std::move(other); }
  CoreLease& operator=(CoreLease&& other) noexcept;
  ~CoreLease() { Return(); }

  int cores() const { return cores_; }
  // Gives the cores back now.
  void Return();

 private:
  friend class CoreBudget;
  CoreLease(CoreBudget* budget, std::string part, int cores)
      : budget_(budget), part_(std::move(part)), cores_(cores) {}

  CoreBudget* budget_ = nullptr;
  std::string part_;
  int cores_ = 0;
};

// Thread-safe.
class CoreBudget {
 public:
  // At least one core.
  explicit CoreBudget(int cores = AvailableCores());
  CoreBudget(const CoreBudget&) = delete;
  CoreBudget& operator=(const CoreBudget&) = delete;
  // All leases must have ended.
  ~CoreBudget();

  // As many cores as are free from `at_least` (1 or more) to `at_most`, in the name of a part such
  // as "self-play". ResourceExhausted when fewer are free; the error says who has them. Never
  // blocks.
  absl::StatusOr<CoreLease> Lease(std::string_view part, int at_least, int at_most);
  absl::StatusOr<CoreLease> Lease(std::string_view part, int cores) {
    return Lease(part, cores, cores);
  }

  int cores() const { return cores_; }
  int free_cores() const;
  // For logs: "8 cores: self-play 5, trainer 1, free 2", parts in the order of their first lease.
  std::string Describe() const;

 private:
  friend class CoreLease;
  struct Share {
    std::string part;
    int cores;
  };

  void GiveBack(const std::string& part, int cores);
  int FreeLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::string DescribeLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const int cores_;
  mutable Mutex mutex_;
  std::vector<Share> shares_ ABSL_GUARDED_BY(mutex_);  // one for each name
};

}  // namespace chuhe
