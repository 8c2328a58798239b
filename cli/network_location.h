// Where the network that comes with the program is.
#pragma once

#include <optional>
#include <string>

namespace chuhe {

// The first that is there of: the file named by the environment variable CHUHE_NET;
// default.safetensors in nets/weights/ beside the program or in one of the three folders above it
// (as in a build folder of a clone), and in ../share/chuhe/ (as after an installation). Not looked
// for from the working directory, as GUIs start engines anywhere.
std::optional<std::string> FindDefaultNetwork();

}  // namespace chuhe
