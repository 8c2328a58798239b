// What LibTorch's exceptions say, without the stack of addresses that it adds.
#pragma once

#include <exception>
#include <string>

#include "c10/util/Exception.h"

namespace chuhe {

inline std::string TorchErrorText(const std::exception& error) {
  const auto* torch_error = dynamic_cast<const c10::Error*>(&error);
  return torch_error != nullptr ? torch_error->what_without_backtrace() : error.what();
}

}  // namespace chuhe
