#include "train/event_file.h"

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

// Wire types of protocol buffers.
constexpr uint8_t kVarint = 0;
constexpr uint8_t kFixed64 = 1;
constexpr uint8_t kBytes = 2;
constexpr uint8_t kFixed32 = 5;

constexpr std::array<uint32_t, 256> kCrcTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
    table[i] = crc;
  }
  return table;
}();

template <typename Int>
void AppendFixed(Int value, std::string* text) {
  for (size_t i = 0; i < sizeof(Int); ++i) text->push_back(static_cast<char>(value >> (8 * i)));
}

void AppendVarint(uint64_t value, std::string* text) {
  for (; value >= 0x80; value >>= 7) text->push_back(static_cast<char>(value | 0x80));
  text->push_back(static_cast<char>(value));
}

void AppendKey(int field, uint8_t wire_type, std::string* text) {
  AppendVarint(static_cast<uint64_t>(field) << 3 | wire_type, text);
}

void AppendBytes(int field, absl::string_view bytes, std::string* text) {
  AppendKey(field, kBytes, text);
  AppendVarint(bytes.size(), text);
  absl::StrAppend(text, bytes);
}

double Now() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_epoch).count();
}

// Event { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5; }
std::string EventAt(int64_t step) {
  std::string event;
  AppendKey(1, kFixed64, &event);
  AppendFixed(std::bit_cast<uint64_t>(Now()), &event);
  AppendKey(2, kVarint, &event);
  AppendVarint(static_cast<uint64_t>(step), &event);
  return event;
}

uint32_t MaskedCrc(absl::string_view bytes) {
  const uint32_t crc = Crc32c(bytes);
  return std::rotr(crc, 15) + 0xa282ead8;
}

}  // namespace

uint32_t Crc32c(absl::string_view bytes) {
  uint32_t crc = 0xffffffff;
  for (const char c : bytes) {
    crc = crc >> 8 ^ kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  }
  return ~crc;
}

absl::StatusOr<EventFile> EventFile::Create(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("cannot create the folder ", folder, ": ", error.message()));
  }
  // Files of one second must not be the same.
  const auto micros = static_cast<int64_t>(Now() * 1e6);
  const std::string path =
      absl::StrCat(folder, "/events.out.tfevents.", micros / 1000000, ".chuhe.", micros % 1000000);
  std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "wbx"));
  if (file == nullptr) {
    return absl::UnavailableError(absl::StrCat("cannot write ", path, ": ", std::strerror(errno)));
  }
  EventFile events(std::move(file), path);
  std::string first = EventAt(0);
  AppendBytes(3, "brain.Event:2", &first);
  CHUHE_RETURN_IF_ERROR(events.WriteFrame(first));
  CHUHE_RETURN_IF_ERROR(events.Flush());
  return events;
}

absl::Status EventFile::AddScalar(absl::string_view tag, int64_t step, float value) {
  // Summary { repeated Value { string tag = 1; float simple_value = 2; } value = 1; }
  std::string point;
  AppendBytes(1, tag, &point);
  AppendKey(2, kFixed32, &point);
  AppendFixed(std::bit_cast<uint32_t>(value), &point);
  std::string summary;
  AppendBytes(1, point, &summary);
  std::string event = EventAt(step);
  AppendBytes(5, summary, &event);
  return WriteFrame(event);
}

absl::Status EventFile::WriteFrame(absl::string_view event) {
  std::string frame;
  AppendFixed(static_cast<uint64_t>(event.size()), &frame);
  AppendFixed(MaskedCrc(frame), &frame);
  absl::StrAppend(&frame, event);
  AppendFixed(MaskedCrc(event), &frame);
  if (std::fwrite(frame.data(), 1, frame.size(), file_.get()) != frame.size()) {
    return absl::UnavailableError(absl::StrCat("cannot write ", path_, ": ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

absl::Status EventFile::Flush() {
  if (std::fflush(file_.get()) != 0) {
    return absl::UnavailableError(absl::StrCat("cannot write ", path_, ": ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

}  // namespace chuhe
