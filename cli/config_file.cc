#include "cli/config_file.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/input_file.h"
#include "engine/base/status_macros.h"
#include "yaml-cpp/yaml.h"

namespace chuhe {
namespace {

std::string PlaceOf(const YAML::Mark& mark, const std::string& path) {
  return mark.is_null() ? path : absl::StrCat(path, ":", mark.line + 1);
}

absl::Status ReadNode(const YAML::Node& node, const std::string& key, const std::string& path,
                      OptionTable* table) {
  const std::string place = PlaceOf(node.Mark(), path);
  switch (node.Type()) {
    case YAML::NodeType::Map: {
      for (const auto& entry : node) {
        const auto name = entry.first.as<std::string>();
        CHUHE_RETURN_IF_ERROR(
            ReadNode(entry.second, key.empty() ? name : absl::StrCat(key, ".", name), path, table));
      }
      return absl::OkStatus();
    }
    case YAML::NodeType::Scalar:
      return table->Set(key, node.Scalar(), place);
    case YAML::NodeType::Null:
      // An empty section sets nothing.
      return absl::OkStatus();
    default:
      return absl::InvalidArgumentError(
          absl::StrCat(place, ": ", key.empty() ? "the file" : key,
                       " is a list; expected `key: value` or a section of such lines"));
  }
}

// Options of one section stand together whatever the order of their declaration.
using Sections = std::map<std::string, std::vector<std::pair<std::string, const Option*>>>;

Sections SectionsOf(const OptionTable& table) {
  Sections sections;
  for (const Option& option : table.options()) {
    const size_t dot = option.name.find('.');
    const bool has_section = dot != std::string::npos;
    sections[has_section ? option.name.substr(0, dot) : ""].emplace_back(
        has_section ? option.name.substr(dot + 1) : option.name, &option);
  }
  return sections;
}

}  // namespace

absl::Status ReadConfigFile(const std::string& path, OptionTable* table) {
  CHUHE_ASSIGN_OR_RETURN(const std::string text, ReadInputFile(path));
  try {
    return ReadNode(YAML::Load(text), "", path, table);
  } catch (const YAML::Exception& error) {
    return absl::InvalidArgumentError(
        absl::StrCat(PlaceOf(error.mark, path), ": not valid YAML: ", error.msg));
  }
}

absl::Status ApplySettings(const std::vector<std::string>& settings, OptionTable* table) {
  for (const std::string& setting : settings) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(setting, absl::MaxSplits('=', 1));
    if (setting.find('=') == std::string::npos) {
      return absl::InvalidArgumentError(
          absl::StrCat("--set ", setting, ": expected KEY=VALUE, such as train.batch_size=64"));
    }
    CHUHE_RETURN_IF_ERROR(table->Set(parts.first, parts.second, "--set"));
  }
  return absl::OkStatus();
}

std::string FormatConfig(const OptionTable& table) {
  YAML::Emitter yaml;
  yaml << YAML::BeginMap;
  for (const auto& [section, options] : SectionsOf(table)) {
    if (!section.empty()) yaml << YAML::Key << section << YAML::Value << YAML::BeginMap;
    for (const auto& [name, option] : options) {
      yaml << YAML::Key << name << YAML::Value << option->text();
    }
    if (!section.empty()) yaml << YAML::EndMap;
  }
  yaml << YAML::EndMap;
  return absl::StrCat(yaml.c_str(), "\n");
}

std::string DocumentConfig(const OptionTable& table) {
  std::string text;
  for (const auto& [section, options] : SectionsOf(table)) {
    const char* indent = section.empty() ? "" : "  ";
    absl::StrAppend(&text, "\n");
    if (!section.empty()) absl::StrAppend(&text, section, ":\n");
    for (const auto& [name, option] : options) {
      YAML::Emitter line;
      line << YAML::BeginMap << YAML::Key << name << YAML::Value << option->text() << YAML::EndMap;
      absl::StrAppend(&text, indent, "# ", option->help, " (", option->expected, ")\n", indent,
                      line.c_str(), "\n");
    }
  }
  return text;
}

}  // namespace chuhe
