#include "engine/base/status_macros.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

absl::Status PassOn(const absl::Status& status, bool* went_on) {
  CHUHE_RETURN_IF_ERROR(status);
  *went_on = true;
  return absl::OkStatus();
}

TEST(StatusMacrosTest, ReturnIfErrorPassesOnTheErrorAndStops) {
  bool went_on = false;
  const absl::Status status = PassOn(absl::DataLossError("line 3: cut off"), &went_on);
  EXPECT_EQ(status, absl::DataLossError("line 3: cut off"));
  EXPECT_FALSE(went_on);
}

TEST(StatusMacrosTest, ReturnIfErrorGoesOnWhenOk) {
  bool went_on = false;
  EXPECT_TRUE(PassOn(absl::OkStatus(), &went_on).ok());
  EXPECT_TRUE(went_on);
}

absl::StatusOr<int> Sum(const absl::StatusOr<int>& a, const absl::StatusOr<int>& b) {
  CHUHE_ASSIGN_OR_RETURN(const int first, a);
  int second = 0;
  CHUHE_ASSIGN_OR_RETURN(second, b);
  return first + second;
}

TEST(StatusMacrosTest, AssignOrReturnDeclaresAndAssigns) { EXPECT_EQ(Sum(40, 2).value(), 42); }

TEST(StatusMacrosTest, AssignOrReturnPassesOnTheFirstError) {
  EXPECT_EQ(Sum(absl::NotFoundError("a"), absl::NotFoundError("b")).status(),
            absl::NotFoundError("a"));
  EXPECT_EQ(Sum(1, absl::NotFoundError("b")).status(), absl::NotFoundError("b"));
}

TEST(StatusMacrosTest, AssignOrReturnMovesValuesThatCannotBeCopied) {
  const auto unwrap =
      [](absl::StatusOr<std::unique_ptr<std::string>> text) -> absl::StatusOr<std::string> {
    CHUHE_ASSIGN_OR_RETURN(const std::unique_ptr<std::string> owned, std::move(text));
    return *owned;
  };
  EXPECT_EQ(unwrap(std::make_unique<std::string>("chuhe")).value(), "chuhe");
}

}  // namespace
}  // namespace chuhe
