#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/stored_file.h"
#include "nets/weights/half.h"
#include "nets/weights/network_metadata.h"
#include "nets/weights/safetensors.h"
#include "nets/weights/sha256.h"
#include "nets/weights/tensors.h"
#include "nets/weights/weights_file.h"

namespace chuhe {
namespace {

constexpr float kMaxHalf = 65504;

absl::Status Error(absl::string_view text) { return absl::InvalidArgumentError(text); }

template <typename Word>
void AppendLittleEndian(Word word, std::string* bytes) {
  for (size_t i = 0; i < sizeof word; ++i) {
    bytes->push_back(static_cast<char>((word >> (8 * i)) & 0xff));
  }
}

absl::Status AppendFloats(const ConstTensor& tensor, SafetensorsType type, std::string* bytes) {
  for (size_t i = 0; i < tensor.values->size(); ++i) {
    const float value = (*tensor.values)[i];
    if (type == SafetensorsType::kF32) {
      AppendLittleEndian(std::bit_cast<uint32_t>(value), bytes);
      continue;
    }
    const uint16_t half = HalfFromFloat(value);
    if (std::isinf(FloatFromHalf(half))) {
      return Error(absl::StrCat("tensor '", tensor.name, "': number ", i, " is ", value,
                                ", beyond the ", kMaxHalf, " that 16 bits hold"));
    }
    AppendLittleEndian(half, bytes);
  }
  return absl::OkStatus();
}

// Whether the numbers fit the architecture, so that what is written can be read.
absl::StatusOr<std::vector<ConstTensor>> ListCheckedTensors(const NetworkWeights& weights) {
  std::vector<ConstTensor> all;
  for (const TensorGroup group : kTensorGroups) {
    if (!HasGroup(group, weights)) continue;
    if (!HasBlockCount(group, weights)) {
      return Error(absl::StrCat("tensors ", TensorGroupPrefix(group), "blocks: as many as the ",
                                weights.architecture.blocks, " blocks are expected"));
    }
    for (const ConstTensor& tensor : ListTensors(group, weights)) {
      if (tensor.values->size() != tensor.size()) {
        return Error(absl::StrCat("tensor '", tensor.name, "': has ", tensor.values->size(),
                                  " numbers, expected shape ", ShapeText(tensor.shape)));
      }
      CHUHE_RETURN_IF_ERROR(CheckNumbers(tensor.name, group, *tensor.values));
      all.push_back(tensor);
    }
  }
  const std::vector<int>& global_blocks = weights.architecture.global_blocks;
  const auto with_global = std::count_if(weights.blocks.begin(), weights.blocks.end(),
                                         [](const BlockWeights& b) { return !b.global.empty(); });
  if (static_cast<size_t>(with_global) != global_blocks.size()) {
    return Error(absl::StrCat("tensors blocks.N.global.weight: ", with_global,
                              " blocks have one, but global_blocks names ", global_blocks.size()));
  }
  return all;
}

}  // namespace

absl::StatusOr<std::string> SerializeNetwork(const NetworkWeights& weights, StorageType storage) {
  SafetensorsHeader header;
  CHUHE_ASSIGN_OR_RETURN(header.metadata,
                         SerializeNetworkMetadata({weights.architecture, weights.origin}));
  CHUHE_ASSIGN_OR_RETURN(const std::vector<ConstTensor> tensors, ListCheckedTensors(weights));
  uint64_t end = 0;
  for (const ConstTensor& tensor : tensors) {
    SafetensorsTensor& stored = header.tensors.emplace_back();
    stored.name = tensor.name;
    // The 32-bit groups come first, so that all numbers are aligned.
    stored.type = storage == StorageType::kFloat16 && tensor.group == TensorGroup::kWeights
                      ? SafetensorsType::kF16
                      : SafetensorsType::kF32;
    stored.shape.assign(tensor.shape.begin(), tensor.shape.end());
    stored.begin = end;
    end += tensor.size() * SafetensorsTypeBytes(stored.type);
    stored.end = end;
  }
  CHUHE_ASSIGN_OR_RETURN(std::string bytes, SerializeSafetensorsHeader(header));
  if (bytes.size() + end > kMaxNetworkFileBytes) {
    return Error(absl::StrCat("the file would have ", bytes.size() + end, " bytes, at most ",
                              kMaxNetworkFileBytes, " are allowed"));
  }
  bytes.reserve(bytes.size() + end);
  for (size_t i = 0; i < tensors.size(); ++i) {
    CHUHE_RETURN_IF_ERROR(AppendFloats(tensors[i], header.tensors[i].type, &bytes));
  }
  return bytes;
}

absl::StatusOr<std::string> WriteNetwork(const NetworkWeights& weights, StorageType storage,
                                         const std::string& path) {
  absl::StatusOr<std::string> bytes = SerializeNetwork(weights, storage);
  if (!bytes.ok()) {
    return absl::Status(bytes.status().code(), absl::StrCat(path, ": ", bytes.status().message()));
  }
  CHUHE_RETURN_IF_ERROR(WriteStoredFile(path, *bytes));
  return Sha256Hex(*bytes);
}

}  // namespace chuhe
