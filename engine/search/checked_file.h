// A binary file under one checksum: numbers in little-endian order and texts, then the XXH3 of all
// that came before. For what is too large to be built in memory first.
#pragma once

#include <xxhash.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace chuhe {

class XxHash {
 public:
  XxHash() : state_(XXH3_createState()) { XXH3_64bits_reset(state_.get()); }
  void Add(const char* bytes, size_t count) { XXH3_64bits_update(state_.get(), bytes, count); }
  uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  struct Deleter {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Deleter> state_;
};

// Writes `path` with ".part" behind its name, which gets its right name when all is there. Owned by
// one thread.
class CheckedFileWriter {
 public:
  explicit CheckedFileWriter(const std::string& path);
  // Removes what was not finished.
  ~CheckedFileWriter();
  CheckedFileWriter(const CheckedFileWriter&) = delete;
  CheckedFileWriter& operator=(const CheckedFileWriter&) = delete;

  void Bytes(const char* bytes, size_t count);
  // Of an integer or float type; the type decides how many bytes are written.
  template <typename T>
  void Number(T value) {
    if constexpr (std::is_same_v<T, float>) {
      Number(std::bit_cast<uint32_t>(value));
    } else {
      char bytes[sizeof(T)];
      for (size_t i = 0; i < sizeof(T); ++i) {
        bytes[i] = static_cast<char>(static_cast<uint64_t>(value) >> (8 * i) & 0xff);
      }
      Bytes(bytes, sizeof(T));
    }
  }
  // At most CheckedFileReader::kMaxTextBytes.
  void Text(absl::string_view text);

  // Writes the checksum and gives the file its name. Errors name the file.
  absl::Status Finish();

 private:
  void Flush();

  std::string path_;
  std::string part_path_;
  std::ofstream file_;
  std::vector<char> buffer_;
  XxHash hash_;
};

// Owned by one thread.
class CheckedFileReader {
 public:
  static constexpr uint32_t kMaxTextBytes = 1 << 16;

  explicit CheckedFileReader(const std::string& path);

  // Reads the whole file once: an error if it cannot be read, does not begin with `magic`, or its
  // checksum does not match. Then reading begins behind the magic.
  absl::Status Verify(absl::string_view magic);

  // Beyond the end everything is 0, and is_good() false from then on.
  void Bytes(char* bytes, size_t count);
  template <typename T>
  T Number() {
    if constexpr (std::is_same_v<T, float>) {
      return std::bit_cast<float>(Number<uint32_t>());
    } else {
      char bytes[sizeof(T)];
      Bytes(bytes, sizeof(T));
      uint64_t value = 0;
      for (size_t i = 0; i < sizeof(T); ++i) {
        value |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
      }
      return static_cast<T>(value);
    }
  }
  std::string Text();

  bool is_good() const { return is_good_; }
  // Everything before the checksum has been read.
  bool is_at_end() const { return is_good_ && left_ == 0 && next_ == buffer_.size(); }
  // An error about the contents, with the file's name.
  absl::Status Error(absl::string_view what) const;

 private:
  void Fill();

  std::string path_;
  std::ifstream file_;
  std::vector<char> buffer_;
  size_t next_ = 0;
  uint64_t left_ = 0;  // not yet in the buffer, the checksum not counted
  bool is_good_ = false;
};

}  // namespace chuhe
