// Configurations as YAML files, read into a table of options.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/options.h"

namespace chuhe {

// Sets what the file sets; `train: {batch_size: 64}` is the option train.batch_size. Errors name
// file and line; an unknown key also names the nearest known one.
absl::Status ReadConfigFile(const std::string& path, OptionTable* table);

// Settings of the command line, each `KEY=VALUE`.
absl::Status ApplySettings(const std::vector<std::string>& settings, OptionTable* table);

// All options with their present values, as a file that ReadConfigFile() reads.
std::string FormatConfig(const OptionTable& table);

// The same with a comment on each option.
std::string DocumentConfig(const OptionTable& table);

}  // namespace chuhe
