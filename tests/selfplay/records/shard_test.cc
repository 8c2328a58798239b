#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/records/shard_reader.h"
#include "selfplay/records/shard_writer.h"
#include "tests/selfplay/records/random_records.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using ::chuhe::testing::RandomRecord;
using ::chuhe::testing::SameRecord;
using ::chuhe::testing::TemporaryFolder;
using ::testing::HasSubstr;

class ShardTest : public ::testing::Test {
 protected:
  // A shard of `count` games; returns the places behind each of them.
  std::vector<uint64_t> WriteShard(int count) {
    auto writer = ShardWriter::Create(path_, 1000);
    EXPECT_TRUE(writer.ok()) << writer.status();
    std::vector<uint64_t> ends;
    for (int i = 0; i < count; ++i) {
      const std::string bytes = EncodeGame(RandomRecord(static_cast<uint64_t>(i), 6)).value();
      EXPECT_TRUE(writer->Add(CompressGame(bytes)).ok());
      ends.push_back(writer->bytes());
    }
    EXPECT_TRUE(writer->Sync().ok());
    return ends;
  }

  std::string Read() {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void Write(const std::string& bytes) {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file << bytes;
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_.path("a.games");
};

TEST_F(ShardTest, GamesAreReadInAnyOrder) {
  WriteShard(5);
  const auto reader = ShardReader::Open(path_);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ(reader->first_game(), 1000u);
  EXPECT_EQ(reader->tail(), ShardTail::kClean);
  ASSERT_EQ(reader->size(), 5u);
  for (const size_t i : {size_t{3}, size_t{0}, size_t{4}, size_t{3}}) {
    const auto game = reader->ReadGame(i, Judging::kRejudge);
    ASSERT_TRUE(game.ok()) << game.status();
    EXPECT_TRUE(SameRecord(*game, RandomRecord(i, 6)));
    EXPECT_EQ(reader->ReadId(i).value(), IdOf(EncodeGame(*game).value()));
  }
}

TEST_F(ShardTest, WhatComesBeforeACutStaysReadable) {
  const std::vector<uint64_t> ends = WriteShard(3);
  const std::string bytes = Read();
  ASSERT_EQ(bytes.size(), ends.back());
  for (size_t size = kShardHeaderBytes; size < bytes.size(); ++size) {
    Write(bytes.substr(0, size));
    const auto reader = ShardReader::Open(path_);
    ASSERT_TRUE(reader.ok()) << reader.status();
    size_t whole = 0;
    while (ends[whole] <= size) ++whole;
    EXPECT_EQ(reader->size(), whole);
    const bool is_boundary = size == (whole == 0 ? kShardHeaderBytes : ends[whole - 1]);
    EXPECT_EQ(reader->tail(), is_boundary ? ShardTail::kClean : ShardTail::kCut) << size;
  }
}

TEST_F(ShardTest, AppendingCutsOffWhatIsNotWhole) {
  const std::vector<uint64_t> ends = WriteShard(3);
  Write(Read().substr(0, ends[2] - 1));
  {
    auto writer = ShardWriter::Append(path_);
    ASSERT_TRUE(writer.ok()) << writer.status();
    EXPECT_EQ(writer->games(), 2u);
    ASSERT_TRUE(writer->Add(CompressGame(EncodeGame(RandomRecord(9, 6)).value())).ok());
  }
  const auto reader = ShardReader::Open(path_);
  ASSERT_TRUE(reader.ok()) << reader.status();
  ASSERT_EQ(reader->size(), 3u);
  EXPECT_TRUE(SameRecord(reader->ReadGame(2).value(), RandomRecord(9, 6)));
}

TEST_F(ShardTest, ReaderFindsWhatIsAppended) {
  WriteShard(1);
  auto reader = ShardReader::Open(path_);
  ASSERT_TRUE(reader.ok()) << reader.status();
  auto writer = ShardWriter::Append(path_);
  ASSERT_TRUE(writer.ok()) << writer.status();
  ASSERT_TRUE(writer->Add(CompressGame(EncodeGame(RandomRecord(5, 6)).value())).ok());
  EXPECT_EQ(reader->size(), 1u);
  ASSERT_TRUE(reader->Refresh().ok());
  ASSERT_EQ(reader->size(), 2u);
  EXPECT_TRUE(SameRecord(reader->ReadGame(1).value(), RandomRecord(5, 6)));
}

TEST_F(ShardTest, EveryChangedByteIsNoticed) {
  const std::vector<uint64_t> ends = WriteShard(2);
  const std::string bytes = Read();
  for (size_t i = 0; i < bytes.size(); i += 3) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    Write(changed);
    const auto reader = ShardReader::Open(path_);
    if (i < kShardHeaderBytes) {
      EXPECT_FALSE(reader.ok()) << i;
      continue;
    }
    ASSERT_TRUE(reader.ok()) << reader.status();
    const size_t hit = i < ends[0] ? 0 : 1;
    if (hit == 1) {
      EXPECT_TRUE(reader->ReadGame(0).ok());
    }
    const bool is_noticed =
        reader->size() == hit ? reader->tail() == ShardTail::kDamaged : !reader->ReadGame(hit).ok();
    EXPECT_TRUE(is_noticed) << i;
  }
}

TEST_F(ShardTest, DamagedShardsAreNotAppendedTo) {
  const std::vector<uint64_t> ends = WriteShard(2);
  std::string bytes = Read();
  bytes[ends[0]] = static_cast<char>(bytes[ends[0]] + 1);
  Write(bytes);
  const auto writer = ShardWriter::Append(path_);
  ASSERT_FALSE(writer.ok());
  EXPECT_THAT(std::string(writer.status().message()),
              HasSubstr("damaged behind its first 1 games"));
  EXPECT_EQ(Read(), bytes);
}

TEST_F(ShardTest, OtherFilesAreRefused) {
  Write("no shard");
  EXPECT_THAT(std::string(ShardReader::Open(path_).status().message()),
              HasSubstr("not a file of game records"));
  EXPECT_FALSE(ShardReader::Open(folder_.path("nothing")).ok());
  EXPECT_FALSE(ShardWriter::Create(path_, 0).ok());
}

TEST_F(ShardTest, OneGameIsAShardToo) {
  const std::string record = EncodeGame(RandomRecord(4)).value();
  Write(OneGameShard(record));
  const auto reader = ShardReader::Open(path_);
  ASSERT_TRUE(reader.ok()) << reader.status();
  ASSERT_EQ(reader->size(), 1u);
  EXPECT_EQ(reader->ReadBytes(0).value(), record);
}

}  // namespace
}  // namespace chuhe
