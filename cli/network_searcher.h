// Makes the searcher that the engine plays with: a network's tree search, or the built-in
// alpha-beta where there is no network.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/protocol/searcher_holder.h"
#include "engine/search/tree_search.h"
#include "nets/weights/architecture.h"

namespace chuhe {

// Notices say what plays. Errors: a network that was asked for by name and cannot be read or
// evaluated, a book likewise, not enough memory.
absl::StatusOr<MadeSearcher> MakeSearcher(const SearcherOptions& options);

// How a network of that shape on that device is searched where it plays or analyses, and does not
// learn: with the constants that matches found best (docs/search.md), and with as many steps of the
// search for mates as take about a hundredth of the time of an evaluation.
TreeSearchOptions PlayingOptions(const Architecture& architecture, absl::string_view device);

}  // namespace chuhe
