// Makes the searcher that the engine plays with: a network's tree search, or the built-in
// alpha-beta where there is no network.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/protocol/searcher_holder.h"
#include "nets/weights/architecture.h"

namespace chuhe {

// Notices say what plays. Errors: a network that was asked for by name and cannot be read or
// evaluated, a book likewise, not enough memory.
absl::StatusOr<MadeSearcher> MakeSearcher(const SearcherOptions& options);

// Steps of the search for mates (TreeSearchOptions::mate_steps) beside each visit, when a network
// of that shape on that device is asked about it: about a hundredth of the time that its evaluation
// takes.
int MateStepsBeside(const Architecture& architecture, absl::string_view device);

}  // namespace chuhe
