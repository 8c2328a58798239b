#include "engine/base/options.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace chuhe {
namespace {

std::string Normalized(absl::string_view name) {
  std::string normalized = absl::AsciiStrToLower(name);
  std::replace(normalized.begin(), normalized.end(), '_', ' ');
  std::replace(normalized.begin(), normalized.end(), '-', ' ');
  return normalized;
}

// Levenshtein's distance: how many characters must be put in, left out or replaced.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string Quoted(absl::string_view text) {
  constexpr size_t kLongest = 60;
  const bool cut = text.size() > kLongest;
  return absl::StrCat("'", absl::Utf8SafeCEscape(text.substr(0, kLongest)), cut ? "...'" : "'");
}

std::string WithPlace(absl::string_view place, const std::string& message) {
  return place.empty() ? message : absl::StrCat(place, ": ", message);
}

}  // namespace

bool ParseBool(absl::string_view text, bool* value) {
  const std::string lower = absl::AsciiStrToLower(text);
  const bool is_true = lower == "true" || lower == "on" || lower == "yes" || lower == "1";
  const bool is_false = lower == "false" || lower == "off" || lower == "no" || lower == "0";
  if (is_true || is_false) {
    *value = is_true;
  }
  return is_true || is_false;
}

Option& OptionTable::Add(const std::string& name, OptionType type, const std::string& help) {
  assert(Find(name) == nullptr);
  Option& option = options_.emplace_back();
  option.name = name;
  option.type = type;
  option.help = help;
  return option;
}

Option& OptionTable::AddBool(const std::string& name, bool* field, const std::string& help) {
  Option& option = Add(name, OptionType::kBool, help);
  option.expected = "true or false";
  option.parse = [field](absl::string_view text) { return ParseBool(text, field); };
  option.text = [field] { return std::string(*field ? "true" : "false"); };
  option.default_text = option.text();
  return option;
}

Option& OptionTable::AddWholeNumber(const std::string& name, int64_t min, int64_t max,
                                    const std::string& help, std::function<void(int64_t)> store,
                                    std::function<int64_t()> load) {
  Option& option = Add(name, OptionType::kInt, help);
  option.min_text = absl::StrCat(min);
  option.max_text = absl::StrCat(max);
  option.expected = absl::StrCat("a whole number from ", min, " to ", max);
  option.parse = [min, max, store = std::move(store)](absl::string_view text) {
    int64_t value = 0;
    if (!absl::SimpleAtoi(text, &value) || value < min || value > max) {
      return false;
    }
    store(value);
    return true;
  };
  option.text = [load = std::move(load)] { return absl::StrCat(load()); };
  option.default_text = option.text();
  return option;
}

Option& OptionTable::AddDouble(const std::string& name, double* field, double min, double max,
                               const std::string& help) {
  Option& option = Add(name, OptionType::kDouble, help);
  option.min_text = absl::StrCat(min);
  option.max_text = absl::StrCat(max);
  option.expected = absl::StrCat("a number from ", min, " to ", max);
  option.parse = [min, max, field](absl::string_view text) {
    double value = 0;
    // Not a number compares as false with everything.
    if (!absl::SimpleAtod(text, &value) || !(value >= min && value <= max)) {
      return false;
    }
    *field = value;
    return true;
  };
  option.text = [field] { return absl::StrCat(*field); };
  option.default_text = option.text();
  return option;
}

Option& OptionTable::AddString(const std::string& name, std::string* field,
                               const std::string& help) {
  Option& option = Add(name, OptionType::kString, help);
  option.expected = "text";
  option.parse = [field](absl::string_view text) {
    *field = std::string(text);
    return true;
  };
  option.text = [field] { return *field; };
  option.default_text = option.text();
  return option;
}

Option& OptionTable::AddNamedValue(const std::string& name,
                                   const std::vector<OptionChoice<int64_t>>& choices,
                                   const std::string& help, std::function<void(int64_t)> store,
                                   std::function<int64_t()> load) {
  Option& option = Add(name, OptionType::kChoice, help);
  for (const OptionChoice<int64_t>& choice : choices) {
    if (choice.shown) {
      option.choices.push_back(choice.name);
    }
  }
  option.expected = absl::StrCat("one of ", absl::StrJoin(option.choices, ", "));
  option.parse = [choices, store = std::move(store)](absl::string_view text) {
    for (const OptionChoice<int64_t>& choice : choices) {
      if (absl::EqualsIgnoreCase(choice.name, text)) {
        store(choice.value);
        return true;
      }
    }
    return false;
  };
  option.text = [choices, load = std::move(load)] {
    const auto named =
        std::find_if(choices.begin(), choices.end(),
                     [value = load()](const auto& choice) { return choice.value == value; });
    assert(named != choices.end());
    return named->name;
  };
  option.default_text = option.text();
  return option;
}

Option& OptionTable::AddButton(const std::string& name, std::function<void()> press,
                               const std::string& help) {
  Option& option = Add(name, OptionType::kButton, help);
  option.parse = [](absl::string_view) { return true; };
  option.text = [] { return std::string(); };
  option.on_set = std::move(press);
  return option;
}

const Option* OptionTable::Find(absl::string_view name) const {
  const std::string wanted = Normalized(name);
  for (const Option& option : options_) {
    const bool is_alias =
        std::any_of(option.aliases.begin(), option.aliases.end(),
                    [&wanted](const std::string& alias) { return Normalized(alias) == wanted; });
    if (is_alias || Normalized(option.name) == wanted) {
      return &option;
    }
  }
  return nullptr;
}

absl::Status OptionTable::Set(absl::string_view name, absl::string_view value,
                              absl::string_view place) {
  const Option* option = Find(name);
  if (option == nullptr) {
    return absl::NotFoundError(WithPlace(
        place, absl::StrCat("unknown name ", Quoted(name), ", the nearest is ", Nearest(name))));
  }
  if (!option->parse(value)) {
    return absl::InvalidArgumentError(WithPlace(
        place, absl::StrCat(option->name, " is ", option->expected, ", not ", Quoted(value))));
  }
  if (option->on_set) {
    option->on_set();
  }
  return absl::OkStatus();
}

const std::string& OptionTable::Nearest(absl::string_view name) const {
  assert(!options_.empty());
  const std::string wanted = Normalized(name);
  const std::string* nearest = nullptr;
  size_t smallest = 0;
  for (const Option& option : options_) {
    const size_t distance = EditDistance(wanted, Normalized(option.name));
    if (nearest == nullptr || distance < smallest) {
      nearest = &option.name;
      smallest = distance;
    }
    for (const std::string& alias : option.aliases) {
      const size_t alias_distance = EditDistance(wanted, Normalized(alias));
      if (alias_distance < smallest) {
        nearest = &alias;
        smallest = alias_distance;
      }
    }
  }
  return *nearest;
}

std::string OptionTable::Help(absl::string_view start) const {
  std::string help;
  for (const Option& option : options_) {
    if (!absl::StartsWith(option.name, start)) continue;
    absl::StrAppend(&help, option.name);
    if (option.type != OptionType::kButton) {
      absl::StrAppend(&help, " (", option.expected);
      if (!option.default_text.empty()) {
        absl::StrAppend(&help, "; default ", option.default_text);
      }
      absl::StrAppend(&help, ")");
    }
    absl::StrAppend(&help, ": ", option.help, "\n");
  }
  return help;
}

}  // namespace chuhe
