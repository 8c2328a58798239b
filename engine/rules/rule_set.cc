#include "engine/rules/rule_set.h"

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace chuhe {

absl::StatusOr<RuleSet> ParseRuleSet(absl::string_view name) {
  for (const RuleSet rules : kAllRuleSets) {
    if (absl::EqualsIgnoreCase(name, RuleSetName(rules))) return rules;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown rule set '", name, "', expected computer, pikafish, axf or cxa"));
}

absl::string_view RuleSetName(RuleSet rules) {
  switch (rules) {
    case RuleSet::kComputer:
      return "computer";
    case RuleSet::kPikafish:
      return "pikafish";
    case RuleSet::kAxf:
      return "axf";
    case RuleSet::kCxa:
      return "cxa";
  }
  return "";
}

int NoCaptureLimit(RuleSet rules) { return rules == RuleSet::kAxf ? 100 : 120; }

}  // namespace chuhe
