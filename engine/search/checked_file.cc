#include "engine/search/checked_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace chuhe {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 18;
constexpr uint64_t kChecksumBytes = sizeof(uint64_t);

}  // namespace

CheckedFileWriter::CheckedFileWriter(const std::string& path)
    : path_(path),
      part_path_(path + ".part"),
      file_(part_path_, std::ios::binary | std::ios::trunc) {}

CheckedFileWriter::~CheckedFileWriter() {
  if (!file_.is_open()) return;
  file_.close();
  std::error_code ignored;
  std::filesystem::remove(part_path_, ignored);
}

void CheckedFileWriter::Bytes(const char* bytes, size_t count) {
  buffer_.insert(buffer_.end(), bytes, bytes + count);
  if (buffer_.size() >= kBufferBytes) Flush();
}

void CheckedFileWriter::Flush() {
  hash_.Add(buffer_.data(), buffer_.size());
  file_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

void CheckedFileWriter::Text(absl::string_view text) {
  Number(static_cast<uint32_t>(text.size()));
  Bytes(text.data(), text.size());
}

absl::Status CheckedFileWriter::Finish() {
  Flush();
  Number(hash_.value());
  Flush();
  if (!file_.flush())
    return absl::UnavailableError(absl::StrCat(part_path_, ": cannot be written"));
  std::error_code error;
  std::filesystem::rename(part_path_, path_, error);
  if (error) {
    return absl::UnavailableError(absl::StrCat(path_, ": cannot be written: ", error.message()));
  }
  file_.close();
  return absl::OkStatus();
}

CheckedFileReader::CheckedFileReader(const std::string& path)
    : path_(path), file_(path, std::ios::binary) {}

absl::Status CheckedFileReader::Error(absl::string_view what) const {
  return absl::DataLossError(absl::StrCat(path_, ": ", what));
}

absl::Status CheckedFileReader::Verify(absl::string_view magic) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path_, error);
  if (error || !file_) return absl::NotFoundError(absl::StrCat(path_, ": cannot be read"));
  std::string begin(magic.size(), '\0');
  file_.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin != magic) return absl::InvalidArgumentError(absl::StrCat(path_, ": is no such file"));
  if (size < magic.size() + kChecksumBytes) return Error("is cut off");
  XxHash hash;
  hash.Add(begin.data(), begin.size());
  left_ = size - magic.size() - kChecksumBytes;
  is_good_ = true;
  while (left_ > 0 && is_good_) {
    Fill();
    hash.Add(buffer_.data(), buffer_.size());
  }
  next_ = buffer_.size();
  left_ = kChecksumBytes;
  const auto stored = Number<uint64_t>();
  if (!is_good_ || stored != hash.value()) {
    is_good_ = false;
    return Error("is damaged or cut off: its checksum does not match");
  }
  file_.seekg(static_cast<std::streamoff>(magic.size()));
  buffer_.clear();
  next_ = 0;
  left_ = size - magic.size() - kChecksumBytes;
  return absl::OkStatus();
}

void CheckedFileReader::Fill() {
  buffer_.resize(static_cast<size_t>(std::min<uint64_t>(left_, kBufferBytes)));
  next_ = 0;
  left_ -= buffer_.size();
  file_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  if (buffer_.empty() || file_.fail()) is_good_ = false;
}

void CheckedFileReader::Bytes(char* bytes, size_t count) {
  std::fill(bytes, bytes + count, '\0');
  while (count > 0) {
    if (is_good_ && next_ == buffer_.size()) Fill();
    if (!is_good_) return;
    const size_t part = std::min(count, buffer_.size() - next_);
    std::copy_n(buffer_.data() + next_, part, bytes);
    next_ += part;
    bytes += part;
    count -= part;
  }
}

std::string CheckedFileReader::Text() {
  const auto size = Number<uint32_t>();
  if (size > kMaxTextBytes) is_good_ = false;
  std::string text(is_good_ ? size : 0, '\0');
  Bytes(text.data(), text.size());
  return text;
}

}  // namespace chuhe
