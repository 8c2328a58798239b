#include "train/loop/core_shares.h"

#include <algorithm>
#include <utility>

namespace chuhe {

BorrowedCores::BorrowedCores(CoreBudget* budget, SelfPlayRunner* runner, std::string_view part,
                             int cores)
    : budget_(budget), runner_(runner) {
  // Nobody else takes cores, so what is asked for is free.
  if (absl::StatusOr<CoreLease> lease =
          budget_->Lease(part, 1, std::clamp(cores, 1, budget_->cores()));
      lease.ok()) {
    lease_ = std::move(*lease);
  }
  if (runner_ != nullptr) runner_->SetActiveWorkers(budget_->free_cores());
}

BorrowedCores::~BorrowedCores() {
  lease_.Return();
  if (runner_ != nullptr) runner_->SetActiveWorkers(budget_->free_cores());
}

}  // namespace chuhe
