#include "tests/fuzz/network_file_check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/status/statusor.h"
#include "nets/weights/weights_file.h"

namespace chuhe {
namespace {

[[noreturn]] void Abort(const char* what, const absl::Status& status) {
  std::fprintf(stderr, "%s: %s\n", what, status.ToString().c_str());
  std::abort();
}

}  // namespace

absl::Status CheckNetworkFile(absl::string_view bytes) {
  const absl::StatusOr<NamedNetwork> network = ParseNetwork(bytes, "file");
  if (!network.ok()) {
    if (network.status().message().substr(0, 6) != "file: ") {
      Abort("an error without the file's name", network.status());
    }
    return network.status();
  }
  const absl::StatusOr<std::string> written = SerializeNetwork(network->weights, network->storage);
  if (!written.ok()) {
    Abort("what was read cannot be written", written.status());
  }
  const absl::StatusOr<NamedNetwork> again = ParseNetwork(*written, "file");
  if (!again.ok()) {
    Abort("what was written cannot be read", again.status());
  }
  const absl::StatusOr<std::string> same = SerializeNetwork(again->weights, again->storage);
  if (!same.ok() || *same != *written) {
    Abort("what was written reads as another network", same.status());
  }
  return absl::OkStatus();
}

}  // namespace chuhe
