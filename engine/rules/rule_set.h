// The rule sets that games are judged by. docs/rules.md says what each of them decides.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace chuhe {

enum class RuleSet {
  kComputer,  // the default: two tiers of chases, own checks void the own chase only
  kPikafish,  // as Pikafish's computer rule: any check in the loop makes it a draw
  kAxf,       // Asian rules: chases as kComputer, natural limit of 50 rounds
  kCxa,       // Chinese rules: kills, joint chases and mixtures are forbidden too
};
inline constexpr RuleSet kAllRuleSets[] = {RuleSet::kComputer, RuleSet::kPikafish, RuleSet::kAxf,
                                           RuleSet::kCxa};

// `computer`, `pikafish`, `axf` or `cxa`, in any letter case.
absl::StatusOr<RuleSet> ParseRuleSet(absl::string_view name);
absl::string_view RuleSetName(RuleSet rules);

// Counted plies without a capture after which the game is drawn.
int NoCaptureLimit(RuleSet rules);

// Of this many checks a side each counts towards the limit; later ones and the replies to them
// do not.
inline constexpr int kCountedChecks = 10;

}  // namespace chuhe
