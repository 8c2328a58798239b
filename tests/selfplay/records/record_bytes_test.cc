#include "selfplay/records/record_bytes.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/fen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/records/game_tsv.h"
#include "selfplay/records/policy_bytes.h"
#include "tests/selfplay/records/random_records.h"

namespace chuhe {
namespace {

using ::chuhe::testing::RandomRecord;
using ::chuhe::testing::SameRecord;
using ::testing::HasSubstr;

constexpr char kEndgameFen[] = "3k5/9/9/9/9/9/9/4R4/4A4/4K4 w - - 7 30";

// Red mates with the only move.
GameRecord MateRecord() {
  auto record = MakeGameRecord("3k5/4R4/9/9/9/9/9/9/4A4/R3K4 w - - 7 30", "a0d0", "*");
  EXPECT_TRUE(record.ok()) << record.status();
  record->end = GameEnd::kRules;
  record->outcome = Outcome::kBlackLoses;
  record->reason = Reason::kCheckmate;
  return *record;
}

TEST(RecordBytesTest, WhatIsWrittenIsReadBack) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const GameRecord record = RandomRecord(seed);
    const auto bytes = EncodeGame(record);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    const auto again = DecodeGame(*bytes, Judging::kRejudge);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_TRUE(SameRecord(record, *again)) << seed;
    EXPECT_EQ(EncodeGame(*again).value(), *bytes);
  }
}

TEST(RecordBytesTest, StartsFromOtherPositionsWithTheirCounter) {
  auto record = MakeGameRecord(kEndgameFen, "e2e3 d9d8", "1/2-1/2");
  ASSERT_TRUE(record.ok()) << record.status();
  const auto again = DecodeGame(EncodeGame(*record).value());
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(FormatFen(again->start, again->start_no_capture_plies), FormatFen(record->start, 7));
}

TEST(RecordBytesTest, RoundsChancesAndKeepsTheirSum) {
  GameRecord record = RandomRecord(1);
  const float odd[] = {0, 1, 0.33335f, 0.99996f, -1, 2};
  for (const float win : odd) {
    for (const float loss : odd) {
      record.plies[0].is_searched = true;
      record.plies[0].root = {win, 1 - win - loss, loss};
      const auto again = DecodeGame(EncodeGame(record).value());
      ASSERT_TRUE(again.ok()) << again.status();
      const Wdl& root = again->plies[0].root;
      EXPECT_NEAR(root.win + root.draw + root.loss, 1, 1e-6);
      EXPECT_NEAR(root.win, std::clamp(win, 0.0f, 1.0f), 5.1e-5);
    }
  }
}

TEST(RecordBytesTest, IdentityIsOfTheBytes) {
  const std::string one = EncodeGame(RandomRecord(1)).value();
  EXPECT_EQ(IdOf(one), IdOf(one));
  EXPECT_NE(IdOf(one), IdOf(EncodeGame(RandomRecord(2)).value()));
  // The XXH3-128 of the empty text, as the reference program prints it.
  EXPECT_EQ(IdOf("").Hex(), "99aa06d3014798d86001c324468d497f");
}

struct BadRecord {
  const char* what;
  std::function<void(GameRecord*)> spoil;
};

TEST(RecordBytesTest, RefusesToWriteWhatCannotBeRead) {
  const std::vector<BadRecord> cases = {
      {"ply 2: the move a0a9 is illegal",
       [](GameRecord* record) { record->plies[1].move = Move(0, 81); }},
      {"ply 1: policy: no move has weight",
       [](GameRecord* record) {
         record->plies[0].policy = {{record->plies[0].move, 0}};
       }},
      {"ply 1: policy: a0a9 is illegal or comes twice",
       [](GameRecord* record) {
         record->plies[0].policy = {{Move(0, 81), 1}};
       }},
      {"illegal or comes twice",
       [](GameRecord* record) {
         record->plies[0].policy = {{record->plies[0].move, 1}, {record->plies[0].move, 2}};
       }},
      {"networks: 'x'",
       [](GameRecord* record) {
         record->networks = {{"x", 0}};
       }},
      {"networks: not in the order",
       [](GameRecord* record) {
         record->networks = {{std::string(64, 'a'), 2}, {std::string(64, 'b'), 1}};
       }},
      {"random plies: -1", [](GameRecord* record) { record->random_plies = -1; }},
      {"outcome: undecided", [](GameRecord* record) { record->outcome = Outcome::kUndecided; }},
      {"outcome: a draw",
       [](GameRecord* record) {
         record->end = GameEnd::kResignation;
         record->reason = Reason::kNone;
         record->outcome = Outcome::kDraw;
       }},
      {"reason: checkmate", [](GameRecord* record) { record->reason = Reason::kCheckmate; }},
      {"ply cap: 999", [](GameRecord* record) { record->ply_cap = 999; }},
      {"worker", [](GameRecord* record) { record->worker = std::string(1000, 'x'); }},
      {"fork: ply: 61",
       [](GameRecord* record) {
         record->fork = {0, 61};
       }},
  };
  for (const BadRecord& bad : cases) {
    GameRecord record = RandomRecord(7);
    ASSERT_EQ(record.end, GameEnd::kPlyCap);
    bad.spoil(&record);
    const auto bytes = EncodeGame(record);
    ASSERT_FALSE(bytes.ok()) << bad.what;
    EXPECT_THAT(std::string(bytes.status().message()), HasSubstr(bad.what));
  }
}

TEST(RecordBytesTest, AsksTheJudgeAboutEndsByTheRules) {
  GameRecord record = MateRecord();
  EXPECT_TRUE(DecodeGame(EncodeGame(record).value(), Judging::kRejudge).ok());
  record.reason = Reason::kStalemate;
  const std::string wrong_reason = EncodeGame(record).value();
  EXPECT_TRUE(DecodeGame(wrong_reason, Judging::kTrust).ok());
  const auto judged = DecodeGame(wrong_reason, Judging::kRejudge);
  ASSERT_FALSE(judged.ok());
  EXPECT_THAT(std::string(judged.status().message()), HasSubstr("the record says black loses by"));
}

TEST(RecordBytesTest, RefusesAGameThatGoesOnAfterItsEnd) {
  // Two lone kings: there is nothing to play for from the first ply on.
  auto record = MakeGameRecord("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "e0e1 d9d8", "1/2-1/2");
  ASSERT_TRUE(record.ok()) << record.status();
  record->end = GameEnd::kRules;
  record->reason = Reason::kInsufficientMaterial;
  const auto judged = DecodeGame(EncodeGame(*record).value(), Judging::kRejudge);
  ASSERT_FALSE(judged.ok());
  EXPECT_THAT(std::string(judged.status().message()), HasSubstr("ply 1: the game was over"));
}

TEST(RecordBytesTest, ReadsEveryPrefixAsDamaged) {
  const std::string bytes = EncodeGame(RandomRecord(3, 12)).value();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeGame(bytes.substr(0, size)).ok()) << size;
  }
}

TEST(RecordBytesTest, SurvivesChangedBytes) {
  const std::string bytes = EncodeGame(RandomRecord(30, 12)).value();
  Random random(1);
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string changed = bytes;
    changed[random.Below(bytes.size())] = static_cast<char>(random.Below(256));
    const auto record = DecodeGame(changed, Judging::kRejudge);
    refused += record.ok() ? 0 : 1;
    if (record.ok()) {
      const auto again = EncodeGame(*record);
      EXPECT_TRUE(again.ok()) << again.status();
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(PolicyBytesTest, RefusesBytesThatNobodyWrites) {
  const struct {
    std::string bytes;
    const char* what;
  } cases[] = {
      {"", "ends early"},
      {std::string("\x01", 1), "ends early"},
      {std::string("\x01\x00", 2), "no weight"},
      {std::string("\x01\x00\x00", 3), "no weight"},
      {std::string("\x01\x00\x80\x00", 4), "no weight"},
      {std::string("\x01\x00\xff\xff\x7f", 5), "no weight"},
      {std::string("\x01\x2c\x01", 3), "move number 44"},
      {std::string("\x02\x05\x01\x05\x01", 5), "move number 5, expected 6 to 43"},
      {std::string("\x2d", 1), "45 moves where 44 are legal"},
  };
  for (const auto& bad : cases) {
    absl::string_view left = bad.bytes;
    const auto policy = TakePolicy(Position::Start(), &left);
    ASSERT_FALSE(policy.ok()) << bad.what;
    EXPECT_THAT(std::string(policy.status().message()), HasSubstr(bad.what));
  }
}

}  // namespace
}  // namespace chuhe
