#include "tests/fuzz/game_record_check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/status/statusor.h"
#include "selfplay/records/record_bytes.h"

namespace chuhe {
namespace {

[[noreturn]] void Abort(const char* what, const absl::Status& status) {
  std::fprintf(stderr, "%s: %s\n", what, status.ToString().c_str());
  std::abort();
}

}  // namespace

absl::Status CheckGameRecord(absl::string_view bytes) {
  const absl::StatusOr<GameRecord> record = DecodeGame(bytes, Judging::kRejudge);
  if (!record.ok()) return record.status();
  const absl::StatusOr<std::string> written = EncodeGame(*record);
  if (!written.ok()) Abort("what was read cannot be written", written.status());
  const absl::StatusOr<GameRecord> again = DecodeGame(*written, Judging::kRejudge);
  if (!again.ok()) Abort("what was written cannot be read", again.status());
  const absl::StatusOr<std::string> same = EncodeGame(*again);
  if (!same.ok() || *same != *written) {
    Abort("what was written reads as another game", same.status());
  }
  return absl::OkStatus();
}

}  // namespace chuhe
