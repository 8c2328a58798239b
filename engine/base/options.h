// Named settings bound to the fields of a plain struct.
//
// Each key is declared once, in a table; from that come parsing, the check of the range, help, and
// what other programs are told of it (UCI and UCCI options). The struct's values at the time of
// the declaration are the defaults.
#pragma once

#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace chuhe {

enum class OptionType : uint8_t { kBool, kInt, kDouble, kChoice, kString, kButton };

// One setting. Immutable after its declaration, but for the value that it is bound to.
struct Option {
  std::string name;
  std::vector<std::string> aliases;  // other names by which it may be set
  OptionType type = OptionType::kBool;
  std::string help;
  std::string default_text;
  std::string min_text;              // of numbers
  std::string max_text;              // of numbers
  std::vector<std::string> choices;  // those to show; more may be understood
  std::string expected;              // for errors: `a whole number from 1 to 64`

  std::function<bool(absl::string_view)> parse;  // false: not what was expected; nothing changed
  std::function<std::string()> text;             // the value as it is now
  std::function<void()> on_set;                  // called after each setting, may be empty
};

// A name of a value of an enum. Of several names for a value the first one is written.
template <typename Enum>
struct OptionChoice {
  std::string name;
  Enum value;
  bool shown = true;  // false: understood, but not listed
};

// Owned by one thread. The fields must outlive the table.
class OptionTable {
 public:
  OptionTable() = default;
  OptionTable(const OptionTable&) = delete;
  OptionTable& operator=(const OptionTable&) = delete;

  // The declarations return the new entry, to which aliases and on_set may be added.
  Option& AddBool(const std::string& name, bool* field, const std::string& help);
  template <std::integral Int>
  Option& AddInt(const std::string& name, Int* field, Int min, Int max, const std::string& help);
  Option& AddDouble(const std::string& name, double* field, double min, double max,
                    const std::string& help);
  Option& AddString(const std::string& name, std::string* field, const std::string& help);
  template <typename Enum>
  Option& AddChoice(const std::string& name, Enum* field,
                    const std::vector<OptionChoice<Enum>>& choices, const std::string& help);
  Option& AddButton(const std::string& name, std::function<void()> press, const std::string& help);

  // Names are compared without regard to case; blanks, `_` and `-` are the same. Null: no such
  // name.
  const Option* Find(absl::string_view name) const;

  // Sets by text. `place` names where the text stands (`run.yaml:12`) and begins the error, which
  // names the nearest known key or what the value should have been. A button takes any value.
  absl::Status Set(absl::string_view name, absl::string_view value, absl::string_view place = {});

  // The known name that is most like `name`. The table must not be empty.
  const std::string& Nearest(absl::string_view name) const;

  // One line for each setting whose name begins with `start`: name, what it takes, its default,
  // what it is for.
  std::string Help(absl::string_view start = {}) const;

  const std::deque<Option>& options() const { return options_; }

 private:
  Option& Add(const std::string& name, OptionType type, const std::string& help);
  Option& AddWholeNumber(const std::string& name, int64_t min, int64_t max, const std::string& help,
                         std::function<void(int64_t)> store, std::function<int64_t()> load);
  Option& AddNamedValue(const std::string& name, const std::vector<OptionChoice<int64_t>>& choices,
                        const std::string& help, std::function<void(int64_t)> store,
                        std::function<int64_t()> load);

  std::deque<Option> options_;  // entries stay where they are
};

// Reads true, on, yes, 1 and false, off, no, 0 in any letter case. False: none of them.
bool ParseBool(absl::string_view text, bool* value);

template <std::integral Int>
Option& OptionTable::AddInt(const std::string& name, Int* field, Int min, Int max,
                            const std::string& help) {
  static_assert(!std::same_as<Int, bool> && std::signed_integral<Int>);
  return AddWholeNumber(
      name, min, max, help, [field](int64_t value) { *field = static_cast<Int>(value); },
      [field] { return *field; });
}

template <typename Enum>
Option& OptionTable::AddChoice(const std::string& name, Enum* field,
                               const std::vector<OptionChoice<Enum>>& choices,
                               const std::string& help) {
  std::vector<OptionChoice<int64_t>> numbers;
  numbers.reserve(choices.size());
  for (const OptionChoice<Enum>& choice : choices) {
    numbers.push_back({choice.name, static_cast<int64_t>(choice.value), choice.shown});
  }
  return AddNamedValue(
      name, numbers, help, [field](int64_t value) { *field = static_cast<Enum>(value); },
      [field] { return static_cast<int64_t>(*field); });
}

}  // namespace chuhe
