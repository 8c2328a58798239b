// The shared table of rule cases, which asks for large perft counts too.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/judge_cases.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(JudgeCasesTest, SharedCases) {
  const char* const shared = std::getenv("CHUHE_SHARED");
  if (shared == nullptr) GTEST_SKIP() << "CHUHE_SHARED is not set";
  const auto path = std::filesystem::path(shared) / "cases" / "rules.tsv";
  std::ifstream in(path);
  ASSERT_TRUE(in) << path;
  std::ostringstream out;
  const auto totals = JudgeCases(in, path.string(), out);
  ASSERT_TRUE(totals.ok()) << totals.status();
  EXPECT_EQ(totals->failed, 0) << out.str();
  EXPECT_GE(totals->passed, 160) << out.str();
}

}  // namespace
}  // namespace chuhe
