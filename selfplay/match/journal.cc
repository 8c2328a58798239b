#include "selfplay/match/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/random.h"
#include "engine/base/status_macros.h"
#include "nlohmann/json.hpp"
#include "selfplay/match/checked_line.h"

namespace chuhe {
namespace {

constexpr int kVersion = 1;

absl::Status SystemError(const std::string& path, const char* what) {
  return absl::UnavailableError(absl::StrCat(path, ": ", what, ": ", std::strerror(errno)));
}

// A new file's name is on the disk only after its folder.
absl::Status SyncFolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return SystemError(folder, "cannot open");
  const int failed = fsync(fd);
  const absl::Status status = failed == 0 ? absl::OkStatus() : SystemError(folder, "cannot sync");
  close(fd);
  return status;
}

// The text as it can stand in JSON. Where that is not the text itself (a path, a name may be of any
// bytes), a hash of the bytes tells it from others that look alike.
std::string JsonText(const std::string& text) {
  using nlohmann::json;
  const std::string quoted = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  const auto read = json::parse(quoted).get<std::string>();
  return read == text ? text : absl::StrCat(read, " bytes=", absl::Hex(StreamId(text)));
}

absl::StatusOr<std::string> ReadFile(const std::string& path, int fd) {
  std::string text;
  char chunk[1 << 16];
  for (;;) {
    const ssize_t count = read(fd, chunk, sizeof chunk);
    if (count == 0) return text;
    if (count > 0) text.append(chunk, static_cast<size_t>(count));
    if (count < 0 && errno != EINTR) return SystemError(path, "cannot read");
  }
}

}  // namespace

absl::StatusOr<Journal> Journal::Open(const std::string& path, const std::string& identity) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return SystemError(path, "cannot open the journal");
  Journal journal(path, fd);
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": another match is writing this journal"));
  }
  CHUHE_RETURN_IF_ERROR(journal.ReadAll(identity));
  return journal;
}

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      mark_(std::move(other.mark_)),
      games_(std::move(other.games_)) {}

Journal::~Journal() {
  if (fd_ >= 0) close(fd_);
}

absl::Status Journal::ReadAll(const std::string& match) {
  const std::string identity = JsonText(match);
  CHUHE_ASSIGN_OR_RETURN(const std::string text, ReadFile(path_, fd_));
  size_t at = 0;
  int line = 0;
  for (size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    CHUHE_RETURN_IF_ERROR(ReadLine(absl::string_view(text).substr(at, end - at), ++line, identity));
  }
  if (at < text.size() && ftruncate(fd_, static_cast<off_t>(at)) != 0) {
    return SystemError(path_, "cannot cut off the last line");
  }
  if (line > 0) return absl::OkStatus();
  mark_ = absl::StrFormat("%08x%08x", std::random_device()(), std::random_device()());
  const nlohmann::json header = {{"journal", kVersion}, {"match", identity}, {"mark", mark_}};
  CHUHE_RETURN_IF_ERROR(WriteLine(header.dump()));
  return SyncFolderOf(path_);
}

absl::Status Journal::ReadLine(absl::string_view text, int line, const std::string& identity) {
  const std::string place = absl::StrCat(path_, ":", line, ": ");
  const std::optional<absl::string_view> checked = CheckedText(text);
  if (!checked.has_value()) {
    return absl::DataLossError(absl::StrCat(place, "damaged: the checksum does not fit"));
  }
  const std::string json(*checked);
  if (line > 1) {
    absl::StatusOr<PlayedGame> game = FromJsonLine(json);
    if (!game.ok()) {
      return absl::DataLossError(absl::StrCat(place, game.status().message()));
    }
    const int index = game->game.index;
    const bool is_known =
        std::any_of(games_.begin(), games_.end(),
                    [index](const PlayedGame& played) { return played.game.index == index; });
    if (is_known) {
      return absl::DataLossError(absl::StrCat(place, "game ", index, " is there already"));
    }
    games_.push_back(*std::move(game));
    return absl::OkStatus();
  }
  const nlohmann::json header = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object() || header.value("journal", 0) != kVersion) {
    return absl::FailedPreconditionError(absl::StrCat(place, "no journal of version ", kVersion));
  }
  if (const std::string other = header.value("match", ""); other != identity) {
    return absl::FailedPreconditionError(absl::StrCat(
        path_,
        " is the journal of another match; give another file, or play the match that it "
        "was begun for:\n  journal: ",
        other, "\n  now:     ", identity));
  }
  mark_ = header.value("mark", "");
  return absl::OkStatus();
}

absl::Status Journal::WriteLine(absl::string_view text) {
  CHUHE_RETURN_IF_ERROR(WriteAll(path_, fd_, CheckedLine(text)));
  if (fsync(fd_) != 0) return SystemError(path_, "cannot sync");
  return absl::OkStatus();
}

absl::Status Journal::Append(const PlayedGame& game) { return WriteLine(ToJsonLine(game)); }

}  // namespace chuhe
