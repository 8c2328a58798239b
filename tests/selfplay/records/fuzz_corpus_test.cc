#include "gtest/gtest.h"
#include "tests/fuzz/corpus_check.h"
#include "tests/fuzz/game_record_check.h"

namespace chuhe {
namespace {

TEST(GameRecordCorpusTest, EveryFileIsReadOrRefused) {
  testing::CheckCorpus(CHUHE_FUZZ_CORPUS, /*least_good=*/3, /*least_bad=*/8, CheckGameRecord);
}

}  // namespace
}  // namespace chuhe
