// How a loop's parts share the cores: self-play has those that nobody else uses.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/core_budget.h"
#include "selfplay/play/self_play_runner.h"

namespace chuhe {

// Cores for some other part than self-play, taken from it and given back at the end. Where that
// leaves none, self-play waits meanwhile. Owned by one thread, one at a time; budget and runner
// must outlive it. The runner may be null.
class BorrowedCores {
 public:
  // As many as `cores`, or all there are.
  BorrowedCores(CoreBudget* budget, SelfPlayRunner* runner, std::string_view part, int cores);
  ~BorrowedCores();
  BorrowedCores(const BorrowedCores&) = delete;
  BorrowedCores& operator=(const BorrowedCores&) = delete;

  int cores() const { return lease_.cores(); }

 private:
  CoreBudget* budget_;
  SelfPlayRunner* runner_;
  CoreLease lease_;
};

}  // namespace chuhe
