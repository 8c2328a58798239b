#include "gtest/gtest.h"
#include "tests/fuzz/corpus_check.h"
#include "tests/fuzz/network_file_check.h"

namespace chuhe {
namespace {

TEST(FuzzCorpusTest, EveryFileIsReadOrRefused) {
  testing::CheckCorpus(CHUHE_FUZZ_CORPUS, /*least_good=*/3, /*least_bad=*/20, CheckNetworkFile);
}

}  // namespace
}  // namespace chuhe
