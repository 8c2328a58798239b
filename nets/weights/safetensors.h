// The container of safetensors files (https://github.com/huggingface/safetensors, "Format"): which
// named tensors lie where. It knows nothing of networks; bytes are taken to come from an enemy.
//
//   8 bytes, little-endian: N │ N bytes of JSON: metadata, tensors with offsets │ data, to the end
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace chuhe {

// Headers above this are refused, so that reading one takes little memory whatever it says. A
// network of 64 blocks has one of 80 KiB.
constexpr size_t kMaxSafetensorsHeaderBytes = size_t{1} << 20;

// The types of numbers that networks are stored in; files with others are refused.
enum class SafetensorsType { kF32, kF16 };
absl::string_view SafetensorsTypeName(SafetensorsType type);  // `F32`, `F16`
size_t SafetensorsTypeBytes(SafetensorsType type);

struct SafetensorsTensor {
  std::string name;
  SafetensorsType type = SafetensorsType::kF32;
  std::vector<uint64_t> shape;
  uint64_t begin = 0;  // of its numbers in the data, little-endian, last dimension fastest
  uint64_t end = 0;
};

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<SafetensorsTensor> tensors;  // in the order of the header
  size_t data_offset = 0;                  // of the data in the file
};

// Reads the header of a whole file and checks that it describes the file exactly: tensors of
// distinct names, whose data fits their type and shape, and fills the rest of the file without gap
// or overlap. Errors name the tensor, but not the file.
absl::StatusOr<SafetensorsHeader> ParseSafetensors(absl::string_view bytes);

// The part of the file before the data; `data_offset` is not looked at. The data will begin at a
// multiple of 8. Texts must be UTF-8, and the whole within kMaxSafetensorsHeaderBytes.
absl::StatusOr<std::string> SerializeSafetensorsHeader(const SafetensorsHeader& header);

}  // namespace chuhe
