#include "engine/protocol/searcher_holder.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace chuhe {

void SearcherHolder::Prepare(const SearcherOptions& options) {
  if (options_ == options) {
    return;
  }
  options_ = options;
  absl::StatusOr<MadeSearcher> made = factory_(options);
  if (!made.ok()) {
    notices_.emplace_back(made.status().message());
    return;
  }
  made_ = *std::move(made);
  std::move(made_.notices.begin(), made_.notices.end(), std::back_inserter(notices_));
  made_.notices.clear();
}

void SearcherHolder::Clear() {
  lost_moves_ = 0;
  if (made_.searcher) {
    made_.searcher->Clear();
  }
}

std::vector<std::string> SearcherHolder::TakeNotices() {
  std::vector<std::string> fresh;
  for (std::string& notice : notices_) {
    if (std::find(told_.begin(), told_.end(), notice) == told_.end()) {
      told_.push_back(notice);
      fresh.push_back(std::move(notice));
    }
  }
  notices_.clear();
  return fresh;
}

}  // namespace chuhe
