#include "nets/weights/safetensors_header_reader.h"

#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "nets/weights/quoted.h"
#include "nlohmann/json.hpp"

namespace chuhe {
namespace {

constexpr absl::string_view kMetadataKey = "__metadata__";
constexpr size_t kMaxDimensions = 8;

// What nlohmann's parser calls for each piece of the text; false stops it.
class HeaderHandler {
 public:
  using Json = nlohmann::json;

  bool null() { return Unexpected("null"); }
  bool boolean(bool value) { return Unexpected(value ? "true" : "false"); }
  bool number_integer(int64_t value) { return Unexpected(absl::StrCat(value)); }
  bool number_float(double /*value*/, const std::string& text) { return Unexpected(Quoted(text)); }
  bool binary(Json::binary_t& /*value*/) { return Unexpected("bytes"); }

  bool number_unsigned(uint64_t value) {
    if (place_ == Place::kShape && tensor_.shape.size() < kMaxDimensions) {
      tensor_.shape.push_back(value);
      return true;
    }
    if (place_ == Place::kOffsets && offset_count_ < 2) {
      (offset_count_++ == 0 ? tensor_.begin : tensor_.end) = value;
      return true;
    }
    return Unexpected(absl::StrCat(value));
  }

  bool string(std::string& value) {
    if (place_ == Place::kMetadata) {
      header_.metadata[key_] = std::move(value);
      return true;
    }
    if (place_ == Place::kTensor && key_ == "dtype") {
      for (const SafetensorsType type : {SafetensorsType::kF32, SafetensorsType::kF16}) {
        if (value == SafetensorsTypeName(type)) {
          tensor_.type = type;
          return true;
        }
      }
      return Unexpected(Quoted(value));
    }
    return Unexpected(Quoted(value));
  }

  bool key(std::string& key) {
    key_ = std::move(key);
    if (place_ == Place::kTensor && key_ != "dtype" && key_ != "shape" && key_ != "data_offsets") {
      return Fail(absl::StrCat("tensor ", Quoted(tensor_.name), ": unknown key ", Quoted(key_),
                               ", expected dtype, shape and data_offsets"));
    }
    std::set<std::string>& keys = place_ == Place::kHeader ? names_ : inner_keys_;
    if (!keys.insert(key_).second) {
      const std::string inside = place_ == Place::kHeader     ? "header"
                                 : place_ == Place::kMetadata ? "metadata"
                                                              : "tensor " + Quoted(tensor_.name);
      return Fail(absl::StrCat(inside, ": key ", Quoted(key_), " is there twice"));
    }
    return true;
  }

  bool start_object(size_t /*size*/) {
    inner_keys_.clear();
    if (place_ == Place::kStart) {
      place_ = Place::kHeader;
    } else if (place_ == Place::kHeader && key_ == kMetadataKey) {
      place_ = Place::kMetadata;
    } else if (place_ == Place::kHeader) {
      place_ = Place::kTensor;
      tensor_ = {};
      tensor_.name = key_;
      offset_count_ = 0;
    } else {
      return Unexpected("an object");
    }
    return true;
  }

  bool end_object() {
    if (place_ == Place::kTensor) {
      for (const char* key : {"dtype", "shape", "data_offsets"}) {
        if (inner_keys_.count(key) == 0) {
          return Fail(absl::StrCat("tensor ", Quoted(tensor_.name), ": ", key, " is missing"));
        }
      }
      header_.tensors.push_back(std::move(tensor_));
    }
    place_ = place_ == Place::kHeader ? Place::kEnd : Place::kHeader;
    return true;
  }

  bool start_array(size_t /*size*/) {
    if (place_ == Place::kTensor && key_ == "shape") {
      place_ = Place::kShape;
    } else if (place_ == Place::kTensor && key_ == "data_offsets") {
      place_ = Place::kOffsets;
    } else {
      return Unexpected("a list");
    }
    return true;
  }

  bool end_array() {
    if (place_ == Place::kOffsets && offset_count_ != 2) {
      return Unexpected(absl::StrCat("a list of ", offset_count_));
    }
    place_ = Place::kTensor;
    return true;
  }

  bool parse_error(size_t position, const std::string& token, const Json::exception& /*error*/) {
    return Fail(absl::StrCat("header is not JSON at its byte ", position, ", at ", Quoted(token)));
  }

  const std::string& error() const { return error_; }
  SafetensorsHeader TakeHeader() { return std::move(header_); }

 private:
  enum class Place { kStart, kHeader, kMetadata, kTensor, kShape, kOffsets, kEnd };

  bool Fail(std::string error) {
    error_ = std::move(error);
    return false;
  }

  // `found` is not what may stand at this place.
  bool Unexpected(absl::string_view found) {
    switch (place_) {
      case Place::kStart:
      case Place::kEnd:
        return Fail(absl::StrCat("header: expected an object, found ", found));
      case Place::kHeader:
        return Fail(absl::StrCat(Quoted(key_), ": expected an object, found ", found));
      case Place::kMetadata:
        return Fail(absl::StrCat("metadata ", Quoted(key_), ": expected text, found ", found));
      default:
        break;
    }
    const absl::string_view expected = key_ == "dtype"   ? "'F32' or 'F16'"
                                       : key_ == "shape" ? "a list of at most 8 whole numbers"
                                                         : "a list of two whole numbers";
    return Fail(absl::StrCat("tensor ", Quoted(tensor_.name), ": ", key_, ": expected ", expected,
                             ", found ", found));
  }

  Place place_ = Place::kStart;
  std::string key_;
  std::set<std::string> names_;       // keys of the header
  std::set<std::string> inner_keys_;  // keys of the metadata or tensor being read
  SafetensorsTensor tensor_;          // the one being read
  int offset_count_ = 0;
  SafetensorsHeader header_;
  std::string error_;
};

}  // namespace

absl::StatusOr<SafetensorsHeader> ReadSafetensorsHeader(absl::string_view json) {
  // The library skips blanks and a byte order mark, which the format does not allow.
  if (json.empty() || json.front() != '{') {
    return absl::InvalidArgumentError(
        absl::StrCat("header begins with ", Quoted(json.substr(0, 1)), ", expected '{'"));
  }
  HeaderHandler handler;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &handler)) {
    return absl::InvalidArgumentError(handler.error());
  }
  return handler.TakeHeader();
}

}  // namespace chuhe
