#include "engine/rules/rule_set.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(RuleSetTest, IsReadInAnyLetterCase) {
  for (const RuleSet rules : kAllRuleSets) {
    EXPECT_EQ(*ParseRuleSet(RuleSetName(rules)), rules);
  }
  EXPECT_EQ(*ParseRuleSet("COMPUTER"), RuleSet::kComputer);
  EXPECT_EQ(*ParseRuleSet("Axf"), RuleSet::kAxf);
}

TEST(RuleSetTest, AnUnknownNameIsAnErrorThatListsTheKnownOnes) {
  const auto rules = ParseRuleSet("chess");
  ASSERT_FALSE(rules.ok());
  EXPECT_THAT(std::string(rules.status().message()),
              ::testing::AllOf(::testing::HasSubstr("'chess'"),
                               ::testing::HasSubstr("computer, pikafish, axf or cxa")));
}

}  // namespace
}  // namespace chuhe
