// The JSON header of a safetensors file, read as it comes: no document is built, so that hostile
// text (deep nesting, millions of values) costs no memory.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "nets/weights/safetensors.h"

namespace chuhe {

// Reads `{"__metadata__": {text: text, …}, name: {"dtype": …, "shape": […], "data_offsets": [begin,
// end]}, …}`. Keys given twice, other keys and values of other types are errors. Whether offsets
// and shapes make sense is not looked at.
absl::StatusOr<SafetensorsHeader> ReadSafetensorsHeader(absl::string_view json);

}  // namespace chuhe
