#include "selfplay/match/games_under_way.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/stored_file.h"
#include "selfplay/match/checked_line.h"

namespace chuhe {
namespace {

// Of turns of games that are over; then the file is written anew.
constexpr size_t kLongestFile = size_t{4} << 20;

absl::StatusOr<NumberedTurn> ReadTurn(absl::string_view line) {
  const std::optional<absl::string_view> text = CheckedText(line);
  if (!text.has_value()) return absl::DataLossError("damaged");
  return TurnFromJsonLine(std::string(*text));
}

}  // namespace

absl::StatusOr<GamesUnderWay> GamesUnderWay::Open(const std::string& path,
                                                  const std::string& mark) {
  GamesUnderWay games(path, CheckedLine(absl::StrCat("{\"turns\":1,\"match\":\"", mark, "\"}")));
  if (access(path.c_str(), F_OK) == 0) {
    std::ifstream file(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file) return absl::UnavailableError(absl::StrCat("cannot read ", path));
    games.Read(text);
  }
  CHUHE_RETURN_IF_ERROR(games.Rewrite());
  return games;
}

GamesUnderWay::GamesUnderWay(GamesUnderWay&& other) noexcept
    : path_(other.path_),
      header_(other.header_),
      fd_(std::exchange(other.fd_, -1)),
      written_(other.written_),
      lines_(std::move(other.lines_)) {}

GamesUnderWay::~GamesUnderWay() {
  if (fd_ >= 0) close(fd_);
}

void GamesUnderWay::Read(absl::string_view text) {
  if (text.substr(0, header_.size()) != absl::string_view(header_)) return;
  size_t at = header_.size();
  for (size_t end; (end = text.find('\n', at)) != absl::string_view::npos; at = end + 1) {
    const absl::StatusOr<NumberedTurn> turn = ReadTurn(text.substr(at, end - at));
    if (!turn.ok()) return;
    std::vector<std::string>& turns = lines_[turn->game];
    if (turn->number != static_cast<int>(turns.size())) return;
    turns.emplace_back(text.substr(at, end + 1 - at));
  }
}

std::vector<Turn> GamesUnderWay::TurnsOf(int game) const {
  const std::lock_guard lock(mutex_);
  std::vector<Turn> turns;
  const auto found = lines_.find(game);
  if (found == lines_.end()) return turns;
  for (const std::string& line : found->second) {
    const absl::StatusOr<NumberedTurn> turn =
        ReadTurn(absl::string_view(line).substr(0, line.size() - 1));
    if (!turn.ok()) break;
    turns.push_back(turn->turn);
  }
  return turns;
}

size_t GamesUnderWay::size() const {
  const std::lock_guard lock(mutex_);
  return lines_.size();
}

absl::Status GamesUnderWay::Add(int game, const Turn& turn) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string>& turns = lines_[game];
  turns.push_back(CheckedLine(
      ToJsonLine({.game = game, .number = static_cast<int>(turns.size()), .turn = turn})));
  written_ += turns.back().size();
  return WriteAll(path_, fd_, turns.back());
}

absl::Status GamesUnderWay::Remove(int game) {
  const std::lock_guard lock(mutex_);
  if (lines_.erase(game) == 0) return absl::OkStatus();
  return lines_.empty() || written_ > kLongestFile ? Rewrite() : absl::OkStatus();
}

absl::Status GamesUnderWay::Rewrite() {
  std::string text;
  for (const auto& [game, lines] : lines_) {
    for (const std::string& line : lines) text += line;
  }
  if (text.empty() && fd_ >= 0) {
    // What comes often: nothing is left but the header.
    if (ftruncate(fd_, static_cast<off_t>(header_.size())) == 0) {
      written_ = 0;
      return absl::OkStatus();
    }
  }
  CHUHE_RETURN_IF_ERROR(WriteStoredFile(path_, absl::StrCat(header_, text)));
  if (fd_ >= 0) close(fd_);
  fd_ = open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd_ < 0) {
    return absl::UnavailableError(absl::StrCat(path_, ": cannot open: ", std::strerror(errno)));
  }
  written_ = text.size();
  return absl::OkStatus();
}

absl::Status GamesUnderWay::Sync() {
  const std::lock_guard lock(mutex_);
  if (fsync(fd_) == 0) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path_, ": cannot sync: ", std::strerror(errno)));
}

void GamesUnderWay::DeleteFile() { unlink(path_.c_str()); }

}  // namespace chuhe
