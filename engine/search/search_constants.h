// The constants of the tree search by name, so that matches can tell what they are worth.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/search/tree_search.h"

namespace chuhe {

// Sets each name to its value in `options`, the others stay. Errors begin with `place` and name the
// nearest known name or what the value should have been; then nothing is set.
absl::Status SetSearchConstants(std::span<const std::pair<std::string, std::string>> values,
                                absl::string_view place, TreeSearchOptions* options);

// One line for each: name, range, what it is in `defaults`, meaning.
std::string SearchConstantsHelp(const TreeSearchOptions& defaults);

}  // namespace chuhe
