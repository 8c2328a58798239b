#include "selfplay/match/engine_spec.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "engine/base/input_file.h"
#include "engine/base/options.h"
#include "engine/base/status_macros.h"
#include "selfplay/match/engine_text.h"
#include "yaml-cpp/yaml.h"

namespace chuhe {
namespace {

constexpr int64_t kLongestMs = int64_t{1} << 40;
constexpr int kDeepest = 1000;

// The text as it stands in the options table, and what cannot be a field of it.
class EngineKeys {
 public:
  explicit EngineKeys(EngineSpec* spec) : spec_(spec) {
    table_.AddString("name", &spec->name, "what the engine is called in tables");
    table_.AddString("cmd", &spec->command, "command line").aliases = {"command"};
    table_
        .AddChoice<EngineProtocol>("proto", &spec->protocol,
                                   {{"builtin", EngineProtocol::kBuiltin},
                                    {"ucci", EngineProtocol::kUcci},
                                    {"uci", EngineProtocol::kUci},
                                    {"cecp", EngineProtocol::kCecp},
                                    {"xboard", EngineProtocol::kCecp}},
                                   "protocol")
        .aliases = {"protocol"};
    table_.AddString("dir", &spec->directory, "where it runs").aliases = {"directory"};
    table_.AddString("tc", &periods_, "its own clock");
    table_.AddString("anchor", &anchor_, "a known rating");
    table_.AddString("offer_draw", &offer_draw_, "SCORE:MOVES:FROM, when to offer a draw for it");
    table_.AddString("accept_draw", &accept_draw_, "SCORE[:FROM], when to take one for it");
    table_.AddInt<int64_t>("movetime", &spec->control.movetime_ms, 0, kLongestMs, "ms a move");
    table_.AddInt<int64_t>("nodes", &spec->control.nodes, 0, kLongestMs, "nodes a move");
    table_.AddInt("depth", &spec->control.depth, 0, kDeepest, "plies a move");
    table_.AddInt<int64_t>("startup_ms", &spec->startup_ms, 1, kLongestMs, "until it is ready");
    table_.AddInt<int64_t>("quit_ms", &spec->quit_ms, 1, kLongestMs, "until it is gone");
    table_.AddChoice<SquareStyle>("squares", &spec->squares,
                                  {{"auto", SquareStyle::kAuto},
                                   {"a0", SquareStyle::kFromZero},
                                   {"a1", SquareStyle::kFromOne}},
                                  "how squares are written");
    table_.AddChoice<TimeUnit>(
        "time_unit", &spec->time_unit,
        {{"auto", TimeUnit::kAuto}, {"s", TimeUnit::kSeconds}, {"ms", TimeUnit::kMilliseconds}},
        "unit of UCCI clocks");
  }

  absl::Status Set(absl::string_view key, absl::string_view value, absl::string_view place) {
    if (!given_.emplace(key).second) {
      return absl::InvalidArgumentError(absl::StrCat(place, ": ", key, " is given twice"));
    }
    if (absl::StartsWith(key, "option.")) {
      spec_->options.emplace_back(key.substr(7), value);
      return absl::OkStatus();
    }
    if (absl::StartsWith(key, "env.")) {
      spec_->environment.emplace_back(key.substr(4), value);
      return absl::OkStatus();
    }
    has_protocol_ = has_protocol_ || key == "proto" || key == "protocol";
    return table_.Set(key, value, place);
  }

  // After the last key.
  absl::Status Finish(absl::string_view place) {
    if (spec_->command.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(place, ": an engine needs a cmd"));
    }
    if (!has_protocol_) {
      return absl::InvalidArgumentError(
          absl::StrCat(place, ": an engine needs a proto: builtin, ucci, uci or cecp"));
    }
    if (spec_->name.empty()) spec_->name = spec_->command;
    if (!periods_.empty()) {
      CHUHE_ASSIGN_OR_RETURN(spec_->control.periods, ParsePeriods(periods_));
    }
    if (!anchor_.empty()) {
      double anchor = 0;
      if (!absl::SimpleAtod(anchor_, &anchor) || !std::isfinite(anchor)) {
        return absl::InvalidArgumentError(
            absl::StrCat(place, ": anchor: '", anchor_, "' is no finite number"));
      }
      spec_->anchor = anchor;
    }
    if (!offer_draw_.empty()) {
      CHUHE_RETURN_IF_ERROR(
          At(place, "offer_draw", ParseDrawOffer(offer_draw_, &spec_->draw_rule)));
    }
    if (!accept_draw_.empty()) {
      CHUHE_RETURN_IF_ERROR(
          At(place, "accept_draw", ParseDrawAcceptance(accept_draw_, &spec_->draw_rule)));
    }
    return absl::OkStatus();
  }

 private:
  static absl::Status At(absl::string_view place, absl::string_view key,
                         const absl::Status& status) {
    if (status.ok()) return status;
    return absl::Status(status.code(), absl::StrCat(place, ": ", key, ": ", status.message()));
  }

  EngineSpec* spec_;
  OptionTable table_;
  std::set<std::string> given_;
  std::string periods_;
  std::string anchor_;
  std::string offer_draw_;
  std::string accept_draw_;
  bool has_protocol_ = false;
};

// Cuts at commas that are not between double quotes.
std::vector<std::string> SplitAtCommas(absl::string_view text) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  return parts;
}

// A value that is quoted as a whole loses its quotes; others keep them for the command's words.
absl::string_view WithoutQuotes(absl::string_view value) {
  const bool whole = value.size() >= 2 && value.front() == '"' && value.back() == '"' &&
                     value.find('"', 1) == value.size() - 1;
  return whole ? value.substr(1, value.size() - 2) : value;
}

std::string Place(const std::string& path, const YAML::Node& node) {
  return absl::StrCat(path, ":", node.Mark().line + 1);
}

absl::Status ReadMap(const std::string& path, const std::string& prefix, const YAML::Node& map,
                     EngineKeys* keys) {
  if (!map.IsMap()) {
    return absl::InvalidArgumentError(
        absl::StrCat(Place(path, map), ": expected a map of keys and values"));
  }
  for (const auto& entry : map) {
    const auto key = entry.first.as<std::string>();
    const std::string place = Place(path, entry.first);
    if (prefix.empty() && (key == "options" || key == "env" || key == "environment")) {
      CHUHE_RETURN_IF_ERROR(
          ReadMap(path, key == "options" ? "option." : "env.", entry.second, keys));
      continue;
    }
    if (!entry.second.IsScalar() && !entry.second.IsNull()) {
      return absl::InvalidArgumentError(absl::StrCat(place, ": ", key, " takes a single value"));
    }
    const std::string value = entry.second.IsNull() ? "" : entry.second.as<std::string>();
    CHUHE_RETURN_IF_ERROR(keys->Set(absl::StrCat(prefix, key), value, place));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<EngineSpec>> ReadEngines(const std::string& path) {
  CHUHE_ASSIGN_OR_RETURN(const std::string text, ReadInputFile(path));
  YAML::Node root = YAML::Load(text);
  if (root.IsMap() && root.size() == 1 && root["engines"]) root = root["engines"];
  if (!root.IsSequence()) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": expected a list of engines"));
  }
  std::vector<EngineSpec> engines;
  for (const YAML::Node& node : root) {
    EngineSpec spec;
    EngineKeys keys(&spec);
    CHUHE_RETURN_IF_ERROR(ReadMap(path, "", node, &keys));
    CHUHE_RETURN_IF_ERROR(keys.Finish(Place(path, node)));
    engines.push_back(std::move(spec));
  }
  return engines;
}

}  // namespace

absl::string_view ProtocolName(EngineProtocol protocol) {
  switch (protocol) {
    case EngineProtocol::kBuiltin:
      return "builtin";
    case EngineProtocol::kUcci:
      return "ucci";
    case EngineProtocol::kUci:
      return "uci";
    case EngineProtocol::kCecp:
      return "cecp";
  }
  return "";
}

std::string EngineSpec::Identity() const {
  std::string text = absl::StrCat(name, "|", command, "|", ProtocolName(protocol), "|", directory);
  for (const auto& [key, value] : environment) absl::StrAppend(&text, "|env.", key, "=", value);
  for (const auto& [key, value] : options) absl::StrAppend(&text, "|", key, "=", value);
  absl::StrAppend(&text, "|", FormatPeriods(control.periods), "|", control.movetime_ms, "|",
                  control.nodes, "|", control.depth);
  if (draw_rule.is_set()) absl::StrAppend(&text, "|draw ", draw_rule.Text());
  if (squares != SquareStyle::kAuto) {
    absl::StrAppend(&text, "|squares ", squares == SquareStyle::kFromZero ? "a0" : "a1");
  }
  if (time_unit != TimeUnit::kAuto) {
    absl::StrAppend(&text, "|time unit ", time_unit == TimeUnit::kSeconds ? "s" : "ms");
  }
  if (!file_hash.empty()) absl::StrAppend(&text, "|file ", file_hash);
  return text;
}

absl::StatusOr<EngineSpec> ParseEngineSpec(absl::string_view text) {
  EngineSpec spec;
  EngineKeys keys(&spec);
  const std::string place = absl::StrCat("engine '", text, "'");
  for (const std::string& part : SplitAtCommas(text)) {
    const size_t equals = part.find('=');
    if (equals == std::string::npos) {
      return absl::InvalidArgumentError(
          absl::StrCat(place, ": '", part, "' is no KEY=VALUE (a value with commas needs quotes)"));
    }
    const absl::string_view value = WithoutQuotes(absl::string_view(part).substr(equals + 1));
    CHUHE_RETURN_IF_ERROR(keys.Set(part.substr(0, equals), value, place));
  }
  CHUHE_RETURN_IF_ERROR(keys.Finish(place));
  return spec;
}

absl::StatusOr<std::vector<EngineSpec>> ReadEngineFile(const std::string& path) {
  try {
    return ReadEngines(path);
  } catch (const YAML::Exception& error) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ":", error.mark.line + 1, ": ", error.msg));
  }
}

absl::Status CheckEngineNames(const std::vector<EngineSpec>& engines) {
  std::set<std::string> names;
  for (const EngineSpec& engine : engines) {
    if (std::any_of(engine.name.begin(), engine.name.end(),
                    [](char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); })) {
      return absl::InvalidArgumentError(
          absl::StrCat("the name '", Printable(engine.name),
                       "' has control characters; expected one line of text"));
    }
    if (!names.insert(engine.name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("two engines have the name '", engine.name, "'; give them name=…"));
    }
  }
  return absl::OkStatus();
}

}  // namespace chuhe
