#include "nets/weights/network_metadata.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/rules/rule_set.h"
#include "nets/features/packed_position.h"
#include "nets/weights/quoted.h"
#include "nets/weights/sha256.h"
#include "nlohmann/json.hpp"

namespace chuhe {
namespace {

using Json = nlohmann::ordered_json;
using TextMap = std::map<std::string, std::string>;

// Bounds what hostile text can make the JSON library build.
constexpr size_t kMaxArchitectureBytes = 4096;

absl::Status Error(absl::string_view key, absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat("metadata '", key, "': ", text));
}

// The numbers of an Architecture by their names in the file.
struct ArchitectureField {
  const char* name;
  int Architecture::*number;
};
constexpr ArchitectureField kArchitectureFields[] = {
    {"blocks", &Architecture::blocks},
    {"channels", &Architecture::channels},
    {"policy_channels", &Architecture::policy_channels},
    {"value_channels", &Architecture::value_channels},
    {"value_hidden", &Architecture::value_hidden},
};
constexpr char kGlobalBlocks[] = "global_blocks";

absl::StatusOr<int> SmallNumber(absl::string_view name, const Json& value) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > std::numeric_limits<int>::max()) {
    // Lists may nest deeply, and the library writes them by recursion.
    const std::string found = value.is_primitive()
                                  ? value.dump(-1, ' ', false, Json::error_handler_t::replace)
                                  : value.type_name();
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": expected a whole number, found ", Quoted(found)));
  }
  return value.get<int>();
}

// The document, unless it is no object or has a key twice.
absl::StatusOr<Json> ParseObject(const std::string& text) {
  if (text.size() > kMaxArchitectureBytes) {
    return absl::InvalidArgumentError(absl::StrCat("has ", text.size(), " bytes, at most ",
                                                   kMaxArchitectureBytes, " are allowed"));
  }
  std::set<std::string> keys;
  std::string repeated;
  const auto watch_keys = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::key && depth == 1 &&
        !keys.insert(parsed.get<std::string>()).second) {
      repeated = parsed.get<std::string>();
    }
    return true;
  };
  Json object = Json::parse(text, watch_keys, /*allow_exceptions=*/false);
  if (!object.is_object()) {
    return absl::InvalidArgumentError(absl::StrCat("expected a JSON object, found ", Quoted(text)));
  }
  if (!repeated.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("key ", Quoted(repeated), " is there twice"));
  }
  return object;
}

absl::StatusOr<Architecture> ParseArchitectureJson(const std::string& text) {
  CHUHE_ASSIGN_OR_RETURN(const Json object, ParseObject(text));
  Architecture architecture;
  std::set<std::string> expected = {kGlobalBlocks};
  for (const ArchitectureField& field : kArchitectureFields) {
    expected.insert(field.name);
  }
  for (const std::string& name : expected) {
    if (!object.contains(name)) {
      return absl::InvalidArgumentError(absl::StrCat(name, " is missing"));
    }
  }
  for (const auto& [key, value] : object.items()) {
    // It may change what the numbers mean, so that going on would be wrong.
    if (expected.count(key) == 0) {
      return absl::InvalidArgumentError(absl::StrCat("key ", Quoted(key), " is unknown"));
    }
  }
  for (const ArchitectureField& field : kArchitectureFields) {
    CHUHE_ASSIGN_OR_RETURN(architecture.*field.number, SmallNumber(field.name, object[field.name]));
  }
  const Json& global_blocks = object[kGlobalBlocks];
  if (!global_blocks.is_array()) {
    return absl::InvalidArgumentError(absl::StrCat(kGlobalBlocks, ": expected a list"));
  }
  for (const Json& block : global_blocks) {
    CHUHE_ASSIGN_OR_RETURN(const int number, SmallNumber(kGlobalBlocks, block));
    architecture.global_blocks.push_back(number);
  }
  CHUHE_RETURN_IF_ERROR(CheckArchitecture(architecture));
  return architecture;
}

std::string ArchitectureJson(const Architecture& architecture) {
  Json object;
  for (const ArchitectureField& field : kArchitectureFields) {
    object[field.name] = architecture.*field.number;
  }
  object[kGlobalBlocks] = Json(architecture.global_blocks);
  return object.dump();
}

// A number of digits alone, without sign or blanks.
absl::StatusOr<int64_t> ParseCount(absl::string_view text) {
  int64_t value = 0;
  if (text.empty() || !std::all_of(text.begin(), text.end(), absl::ascii_isdigit) ||
      !absl::SimpleAtoi(text, &value)) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a whole number, found ", Quoted(text)));
  }
  return value;
}

absl::Status CheckFeatureSet(int64_t feature_set) {
  if (feature_set == kFeatureSet) {
    return absl::OkStatus();
  }
  return Error("feature_set", absl::StrCat("the network was made for feature set ", feature_set,
                                           ", this program has feature set ", kFeatureSet));
}

absl::StatusOr<std::string> CheckedRuleSet(absl::string_view name) {
  const absl::StatusOr<RuleSet> rules = ParseRuleSet(name);
  if (!rules.ok()) {
    return Error("rule_set", rules.status().message());
  }
  return std::string(RuleSetName(*rules));
}

absl::StatusOr<std::string> CheckedParent(absl::string_view parent) {
  if (!parent.empty() && !IsSha256Hex(parent)) {
    return Error("parent",
                 absl::StrCat("expected 64 hex digits or nothing, found ", Quoted(parent)));
  }
  return absl::AsciiStrToLower(parent);
}

}  // namespace

absl::StatusOr<NetworkMetadata> ParseNetworkMetadata(const TextMap& metadata) {
  const auto text_of = [&metadata](const std::string& key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
  };
  for (const char* key :
       {"chuhe.format", "architecture", "feature_set", "rule_set", "training_steps"}) {
    if (metadata.count(key) == 0) {
      return Error(key, "is missing");
    }
  }
  if (text_of("chuhe.format") != absl::StrCat(kNetworkFormat)) {
    return Error("chuhe.format", absl::StrCat("expected '", kNetworkFormat, "', found ",
                                              Quoted(text_of("chuhe.format"))));
  }
  NetworkMetadata result;
  absl::StatusOr<int64_t> feature_set = ParseCount(text_of("feature_set"));
  if (!feature_set.ok()) {
    return Error("feature_set", feature_set.status().message());
  }
  CHUHE_RETURN_IF_ERROR(CheckFeatureSet(*feature_set));
  result.origin.feature_set = kFeatureSet;
  CHUHE_ASSIGN_OR_RETURN(result.origin.rule_set, CheckedRuleSet(text_of("rule_set")));
  absl::StatusOr<int64_t> steps = ParseCount(text_of("training_steps"));
  if (!steps.ok()) {
    return Error("training_steps", steps.status().message());
  }
  result.origin.training_steps = *steps;
  CHUHE_ASSIGN_OR_RETURN(result.origin.parent, CheckedParent(text_of("parent")));
  result.origin.note = text_of("note");
  absl::StatusOr<Architecture> architecture = ParseArchitectureJson(text_of("architecture"));
  if (!architecture.ok()) {
    return Error("architecture", architecture.status().message());
  }
  result.architecture = *std::move(architecture);
  return result;
}

absl::StatusOr<TextMap> SerializeNetworkMetadata(const NetworkMetadata& metadata) {
  const NetworkOrigin& origin = metadata.origin;
  if (const absl::Status status = CheckArchitecture(metadata.architecture); !status.ok()) {
    return Error("architecture", status.message());
  }
  CHUHE_RETURN_IF_ERROR(CheckFeatureSet(origin.feature_set));
  if (origin.training_steps < 0) {
    return Error("training_steps", absl::StrCat(origin.training_steps, " is below 0"));
  }
  TextMap result;
  result["chuhe.format"] = absl::StrCat(kNetworkFormat);
  result["architecture"] = ArchitectureJson(metadata.architecture);
  result["feature_set"] = absl::StrCat(origin.feature_set);
  CHUHE_ASSIGN_OR_RETURN(result["rule_set"], CheckedRuleSet(origin.rule_set));
  result["training_steps"] = absl::StrCat(origin.training_steps);
  CHUHE_ASSIGN_OR_RETURN(result["parent"], CheckedParent(origin.parent));
  result["note"] = origin.note;
  return result;
}

}  // namespace chuhe
