#include "nets/weights/safetensors.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_macros.h"
#include "nets/weights/quoted.h"
#include "nets/weights/safetensors_header_reader.h"
#include "nlohmann/json.hpp"

namespace chuhe {
namespace {

constexpr size_t kLengthBytes = 8;
constexpr size_t kDataAlignment = 8;

uint64_t LoadLittleEndian64(absl::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

absl::Status Error(absl::string_view text) { return absl::InvalidArgumentError(text); }

std::string ShapeText(const std::vector<uint64_t>& shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ","), "]");
}

// Checks one tensor's range of bytes against its type and shape.
absl::Status CheckRange(const SafetensorsTensor& tensor) {
  const uint64_t bytes = tensor.end - tensor.begin;
  uint64_t expected = SafetensorsTypeBytes(tensor.type);
  bool fits = tensor.begin <= tensor.end;
  for (const uint64_t dimension : tensor.shape) {
    // No product that could match overflows; an empty tensor is no use in a network.
    fits = fits && dimension != 0 && dimension <= bytes / expected;
    expected *= fits ? dimension : 1;
  }
  if (fits && expected == bytes) {
    return absl::OkStatus();
  }
  return Error(absl::StrCat("tensor ", Quoted(tensor.name), ": data_offsets [", tensor.begin, ",",
                            tensor.end, "] do not fit its dtype ", SafetensorsTypeName(tensor.type),
                            " and shape ", ShapeText(tensor.shape)));
}

absl::Status CheckLayout(const std::vector<SafetensorsTensor>& tensors, uint64_t data_bytes) {
  std::vector<const SafetensorsTensor*> by_offset;
  by_offset.reserve(tensors.size());
  for (const SafetensorsTensor& tensor : tensors) {
    CHUHE_RETURN_IF_ERROR(CheckRange(tensor));
    by_offset.push_back(&tensor);
  }
  std::sort(by_offset.begin(), by_offset.end(),
            [](const SafetensorsTensor* a, const SafetensorsTensor* b) {
              return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
            });
  uint64_t end = 0;
  for (const SafetensorsTensor* tensor : by_offset) {
    if (tensor->begin != end) {
      return Error(absl::StrCat("tensor ", Quoted(tensor->name), ": data begins at byte ",
                                tensor->begin, ", expected ", end, ": ",
                                tensor->begin < end ? "it overlaps another" : "a gap before it"));
    }
    end = tensor->end;
    if (end > data_bytes) {
      return Error(absl::StrCat("tensor ", Quoted(tensor->name), ": data ends at byte ", end,
                                ", but the file has only ", data_bytes,
                                " bytes of data: it is truncated"));
    }
  }
  if (end < data_bytes) {
    return Error(absl::StrCat("the file has ", data_bytes, " bytes of data, but the tensors take ",
                              end, ": ", data_bytes - end, " bytes too many"));
  }
  return absl::OkStatus();
}

// A JSON string. The library throws where the text is no UTF-8.
absl::StatusOr<std::string> JsonString(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    return Error(absl::StrCat("text ", Quoted(text), " is not UTF-8"));
  }
}

}  // namespace

absl::string_view SafetensorsTypeName(SafetensorsType type) {
  return type == SafetensorsType::kF32 ? "F32" : "F16";
}

size_t SafetensorsTypeBytes(SafetensorsType type) { return type == SafetensorsType::kF32 ? 4 : 2; }

absl::StatusOr<SafetensorsHeader> ParseSafetensors(absl::string_view bytes) {
  if (bytes.size() < kLengthBytes) {
    return Error(absl::StrCat("the file has ", bytes.size(),
                              " bytes, too few for the 8 that a safetensors file begins with"));
  }
  const uint64_t header_bytes = LoadLittleEndian64(bytes);
  if (header_bytes > kMaxSafetensorsHeaderBytes) {
    return Error(absl::StrCat("no safetensors file of a network: header of ", header_bytes,
                              " bytes, expected at most ", kMaxSafetensorsHeaderBytes));
  }
  if (header_bytes > bytes.size() - kLengthBytes) {
    return Error(absl::StrCat("header of ", header_bytes, " bytes, but only ",
                              bytes.size() - kLengthBytes, " follow: the file is truncated"));
  }
  CHUHE_ASSIGN_OR_RETURN(SafetensorsHeader header,
                         ReadSafetensorsHeader(bytes.substr(kLengthBytes, header_bytes)));
  header.data_offset = kLengthBytes + header_bytes;
  CHUHE_RETURN_IF_ERROR(CheckLayout(header.tensors, bytes.size() - header.data_offset));
  return header;
}

absl::StatusOr<std::string> SerializeSafetensorsHeader(const SafetensorsHeader& header) {
  std::string json = R"({"__metadata__":{)";
  absl::string_view comma = "";
  for (const auto& [key, value] : header.metadata) {
    CHUHE_ASSIGN_OR_RETURN(const std::string key_text, JsonString(key));
    CHUHE_ASSIGN_OR_RETURN(const std::string value_text, JsonString(value));
    absl::StrAppend(&json, comma, key_text, ":", value_text);
    comma = ",";
  }
  json += "}";
  for (const SafetensorsTensor& tensor : header.tensors) {
    CHUHE_ASSIGN_OR_RETURN(const std::string name, JsonString(tensor.name));
    absl::StrAppend(&json, ",", name, R"(:{"dtype":")", SafetensorsTypeName(tensor.type),
                    R"(","shape":)", ShapeText(tensor.shape), R"(,"data_offsets":[)", tensor.begin,
                    ",", tensor.end, "]}");
  }
  json += "}";
  json.resize((json.size() + kDataAlignment - 1) / kDataAlignment * kDataAlignment, ' ');
  if (json.size() > kMaxSafetensorsHeaderBytes) {
    return Error(absl::StrCat("header of ", json.size(), " bytes, at most ",
                              kMaxSafetensorsHeaderBytes, " are allowed"));
  }
  std::string bytes;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    bytes += static_cast<char>((static_cast<uint64_t>(json.size()) >> (8 * i)) & 0xff);
  }
  return bytes + json;
}

}  // namespace chuhe
