#include "nets/weights/weights_file.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_macros.h"
#include "engine/base/stored_file.h"
#include "nets/weights/half.h"
#include "nets/weights/network_metadata.h"
#include "nets/weights/quoted.h"
#include "nets/weights/safetensors.h"
#include "nets/weights/sha256.h"
#include "nets/weights/tensors.h"

namespace chuhe {
namespace {

absl::Status Error(absl::string_view text) { return absl::InvalidArgumentError(text); }

template <typename Word>
Word LoadLittleEndian(const char* bytes) {
  Word word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, bytes, sizeof word);
  } else {
    for (size_t i = 0; i < sizeof word; ++i) {
      word = static_cast<Word>(word | (Word{static_cast<unsigned char>(bytes[i])} << (8 * i)));
    }
  }
  return word;
}

std::vector<float> LoadFloats(SafetensorsType type, absl::string_view bytes) {
  std::vector<float> values(bytes.size() / SafetensorsTypeBytes(type));
  const char* next = bytes.data();
  for (float& value : values) {
    if (type == SafetensorsType::kF32) {
      value = std::bit_cast<float>(LoadLittleEndian<uint32_t>(next));
    } else {
      value = FloatFromHalf(LoadLittleEndian<uint16_t>(next));
    }
    next += SafetensorsTypeBytes(type);
  }
  return values;
}

// Fills a network from the tensors of a file.
class TensorReader {
 public:
  TensorReader(absl::string_view bytes, const SafetensorsHeader& header)
      : data_(bytes.substr(header.data_offset)) {
    for (const SafetensorsTensor& tensor : header.tensors) {
      by_name_[tensor.name] = &tensor;
    }
  }

  absl::Status ReadAll(NetworkWeights* network) {
    for (const TensorGroup group : kTensorGroups) {
      if (group == TensorGroup::kWeights || HasPrefix(TensorGroupPrefix(group))) {
        CHUHE_RETURN_IF_ERROR(ReadGroup(group, network));
      }
    }
    if (!by_name_.empty()) {
      return Error(absl::StrCat("tensor ", Quoted(by_name_.begin()->first),
                                ": not part of this architecture"));
    }
    return absl::OkStatus();
  }

  // Of the weights.
  SafetensorsType type() const { return type_; }

 private:
  bool HasPrefix(absl::string_view prefix) const {
    const auto found = by_name_.lower_bound(prefix);
    return found != by_name_.end() && absl::StartsWith(found->first, prefix);
  }

  absl::Status ReadGroup(TensorGroup group, NetworkWeights* network) {
    SetBlockCount(group, network);
    const std::vector<Tensor> tensors = ListTensors(group, network);
    for (const Tensor& tensor : tensors) {
      const auto found = by_name_.find(tensor.name);
      if (found == by_name_.end()) {
        return Error(absl::StrCat("tensor '", tensor.name, "' is missing, expected shape ",
                                  ShapeText(tensor.shape)));
      }
      const SafetensorsTensor& stored = *found->second;
      const bool is_first_weight =
          group == TensorGroup::kWeights && tensor.name == tensors.front().name;
      if (is_first_weight) {
        type_ = stored.type;
      }
      const SafetensorsType type = group == TensorGroup::kWeights ? type_ : SafetensorsType::kF32;
      if (stored.type != type) {
        return Error(absl::StrCat("tensor '", tensor.name, "': dtype is ",
                                  SafetensorsTypeName(stored.type), ", expected ",
                                  SafetensorsTypeName(type)));
      }
      if (!std::equal(stored.shape.begin(), stored.shape.end(), tensor.shape.begin(),
                      tensor.shape.end(),
                      [](uint64_t a, int b) { return a == static_cast<uint64_t>(b); })) {
        return Error(absl::StrCat("tensor '", tensor.name, "': shape is [",
                                  absl::StrJoin(stored.shape, ","), "], expected ",
                                  ShapeText(tensor.shape)));
      }
      *tensor.values =
          LoadFloats(stored.type, data_.substr(stored.begin, stored.end - stored.begin));
      CHUHE_RETURN_IF_ERROR(CheckNumbers(tensor.name, group, *tensor.values));
      by_name_.erase(found);
    }
    return absl::OkStatus();
  }

  absl::string_view data_;
  std::map<absl::string_view, const SafetensorsTensor*> by_name_;  // those not read yet
  SafetensorsType type_ = SafetensorsType::kF32;
};

absl::StatusOr<NamedNetwork> ParseContent(absl::string_view bytes) {
  CHUHE_ASSIGN_OR_RETURN(const SafetensorsHeader header, ParseSafetensors(bytes));
  CHUHE_ASSIGN_OR_RETURN(NetworkMetadata metadata, ParseNetworkMetadata(header.metadata));
  NamedNetwork network;
  network.weights.architecture = std::move(metadata.architecture);
  network.weights.origin = std::move(metadata.origin);
  TensorReader reader(bytes, header);
  CHUHE_RETURN_IF_ERROR(reader.ReadAll(&network.weights));
  network.storage =
      reader.type() == SafetensorsType::kF32 ? StorageType::kFloat32 : StorageType::kFloat16;
  return network;
}

absl::StatusOr<NamedNetwork> ParseNamed(absl::string_view bytes, absl::string_view name,
                                        std::string sha256) {
  absl::StatusOr<NamedNetwork> network = ParseContent(bytes);
  if (!network.ok()) {
    return absl::Status(network.status().code(),
                        absl::StrCat(name, ": ", network.status().message()));
  }
  network->sha256 = std::move(sha256);
  return network;
}

}  // namespace

absl::StatusOr<NamedNetwork> ReadNetwork(const std::string& path,
                                         absl::string_view expected_sha256) {
  if (!expected_sha256.empty() && !IsSha256Hex(expected_sha256)) {
    return Error(absl::StrCat(path, ": SHA-256 ", Quoted(expected_sha256),
                              " asked for, expected 64 hex digits"));
  }
  CHUHE_ASSIGN_OR_RETURN(const std::string bytes, ReadStoredFile(path, kMaxNetworkFileBytes));
  std::string sha256 = Sha256Hex(bytes);
  if (!expected_sha256.empty() && absl::AsciiStrToLower(expected_sha256) != sha256) {
    return Error(absl::StrCat(path, ": SHA-256 is ", sha256, ", expected ",
                              absl::AsciiStrToLower(expected_sha256)));
  }
  const std::string stem = std::filesystem::path(path).stem().string();
  if (IsSha256Hex(stem) && absl::AsciiStrToLower(stem) != sha256) {
    return Error(absl::StrCat(path, ": SHA-256 is ", sha256, ", but the file is named by another"));
  }
  return ParseNamed(bytes, path, std::move(sha256));
}

absl::StatusOr<NamedNetwork> ParseNetwork(absl::string_view bytes, absl::string_view name) {
  return ParseNamed(bytes, name, Sha256Hex(bytes));
}

}  // namespace chuhe
