#include "selfplay/play/game_journal.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/play/journal_entry.h"
#include "selfplay/records/record_bytes.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using testing::TemporaryFolder;
using ::testing::UnorderedElementsAre;

PlyRecord Ply(Square from, Square to) {
  PlyRecord ply;
  ply.move = Move(from, to);
  return ply;
}

// h2e2, searched, and i9i8.
std::vector<PlyRecord> TwoPlies() {
  PlyRecord first = Ply(25, 22);
  first.is_searched = true;
  first.root = {.win = 0.5f, .draw = 0.3f, .loss = 0.2f};
  first.plies_left = 77;
  first.policy = {{Move(25, 22), 60000}, {Move(19, 22), 5000}};
  first.is_drawn = true;
  PlyRecord second = Ply(89, 80);
  second.is_fast = true;
  return {first, second};
}

GameRecord Begun(uint64_t seed) {
  GameRecord record;
  record.start = Position::Start();
  record.seed = seed;
  record.ply_cap = 100;
  record.networks = {{std::string(64, 'a'), 0}};
  return record;
}

std::string Bytes(const GameRecord& record) { return EncodeGame(record).value(); }

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteAll(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// A journal as a worker of a process leaves it that is killed.
class GameJournalTest : public ::testing::Test {
 protected:
  std::unique_ptr<GameJournal> NewJournal(const std::string& name = "0-0.journal") {
    std::filesystem::create_directories(folder());
    auto journal = GameJournal::Create(folder() + "/" + name, {});
    EXPECT_TRUE(journal.ok()) << journal.status();
    return *std::move(journal);
  }
  std::string folder() const { return temporary_.path("journals"); }
  std::string file() const { return folder() + "/0-0.journal"; }
  JournalContent Read() const {
    const auto opened = JournalFolder::Open(folder());
    EXPECT_TRUE(opened.ok()) << opened.status();
    return opened.ok() ? opened->content() : JournalContent{};
  }

 private:
  TemporaryFolder temporary_;
};

TEST_F(GameJournalTest, GamesComeBackWithTheirPlies) {
  const auto journal = NewJournal();
  GameRecord record = Begun(7);
  journal->AddGame({3, &record});
  record.plies = TwoPlies();
  record.evaluations = 70'000;
  for (int i = 0; i < 2; ++i) {
    journal->AddPly(3, i, record.plies[static_cast<size_t>(i)], i == 0 ? 40 : 70'000);
  }
  ASSERT_TRUE(journal->Flush().ok());
  const JournalContent content = Read();
  ASSERT_EQ(content.games.size(), 1u);
  EXPECT_EQ(Bytes(content.games.at(3)), Bytes(record));
  EXPECT_EQ(content.next_number, 4);
}

TEST_F(GameJournalTest, AFinishedGameStaysUntilItIsStored) {
  const auto journal = NewJournal();
  const GameRecord record = Begun(7);
  journal->AddGame({3, &record});
  journal->AddFinished(3, "the record");
  ASSERT_TRUE(journal->Flush().ok());
  EXPECT_TRUE(Read().games.empty());
  EXPECT_THAT(Read().finished, UnorderedElementsAre(Pair(3, "the record")));
  ASSERT_TRUE(journal->MarkStored(3).ok());
  EXPECT_TRUE(Read().finished.empty());
  EXPECT_EQ(Read().next_number, 4);
}

TEST_F(GameJournalTest, WhateverIsCutOffTheRestIsRead) {
  const auto journal = NewJournal();
  GameRecord record = Begun(7);
  journal->AddGame({0, &record});
  ASSERT_TRUE(journal->Flush().ok());
  const size_t begun = ReadAll(file()).size();
  const std::vector<PlyRecord> plies = TwoPlies();
  journal->AddPly(0, 0, plies[0], 8);
  ASSERT_TRUE(journal->Flush().ok());
  const size_t one_ply = ReadAll(file()).size();
  journal->AddPly(0, 1, plies[1], 16);
  ASSERT_TRUE(journal->Flush().ok());
  const std::string whole = ReadAll(file());
  for (size_t size = begun; size <= whole.size(); ++size) {
    WriteAll(file(), whole.substr(0, size));
    const size_t expected = size < one_ply ? 0 : size < whole.size() ? 1 : 2;
    EXPECT_EQ(Read().games.at(0).plies.size(), expected) << size;
  }
}

TEST_F(GameJournalTest, ADamagedEntryEndsTheJournal) {
  const auto journal = NewJournal();
  const GameRecord record = Begun(7);
  journal->AddGame({0, &record});
  ASSERT_TRUE(journal->Flush().ok());
  const size_t begun = ReadAll(file()).size();
  const std::vector<PlyRecord> plies = TwoPlies();
  for (int i = 0; i < 2; ++i) journal->AddPly(0, i, plies[static_cast<size_t>(i)], 8);
  ASSERT_TRUE(journal->Flush().ok());
  std::string damaged = ReadAll(file());
  damaged[begun + 12] ^= 1;
  WriteAll(file(), damaged);
  EXPECT_EQ(Read().games.at(0).plies.size(), 0u);
}

TEST_F(GameJournalTest, AnIllegalMoveIsAnErrorThatNamesFileAndGame) {
  const auto journal = NewJournal();
  const GameRecord record = Begun(7);
  journal->AddGame({5, &record});
  journal->AddPly(5, 0, Ply(0, 80), 8);
  ASSERT_TRUE(journal->Flush().ok());
  const absl::Status status = JournalFolder::Open(folder()).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("0-0.journal: game 5"));
}

TEST_F(GameJournalTest, AForeignFileIsAnError) {
  NewJournal();
  WriteAll(file(), "something else");
  EXPECT_THAT(std::string(JournalFolder::Open(folder()).status().message()),
              HasSubstr("no journal of games"));
}

TEST_F(GameJournalTest, OneProcessAtATimeHoldsTheFolder) {
  const auto first = JournalFolder::Open(folder());
  ASSERT_TRUE(first.ok());
  EXPECT_THAT(std::string(JournalFolder::Open(folder()).status().message()),
              HasSubstr("another process"));
}

TEST_F(GameJournalTest, RewritingKeepsWhatCounts) {
  const auto journal = NewJournal();
  const GameRecord old = Begun(1);
  GameRecord live = Begun(2);
  journal->AddGame({0, &old});
  journal->AddGame({1, &live});
  journal->AddFinished(0, "the record");
  live.plies = TwoPlies();
  live.evaluations = 30;
  const std::vector<JournalGame> games = {{1, &live}};
  ASSERT_TRUE(journal->Rewrite(9, games).ok());
  // It goes on after that.
  live.plies.push_back(Ply(0, 9));
  journal->AddPly(1, 2, live.plies.back(), live.evaluations);
  ASSERT_TRUE(journal->Flush().ok());
  const JournalContent content = Read();
  EXPECT_EQ(content.next_number, 9);
  EXPECT_THAT(content.finished, UnorderedElementsAre(Pair(0, "the record")));
  ASSERT_EQ(content.games.size(), 1u);
  EXPECT_EQ(Bytes(content.games.at(1)), Bytes(live));
}

TEST_F(GameJournalTest, GamesAreDealtOutAnewAndOldJournalsGo) {
  {
    const auto first = NewJournal("0-0.journal");
    const auto second = NewJournal("0-1.journal");
    for (int i = 0; i < 5; ++i) {
      const GameRecord record = Begun(static_cast<uint64_t>(i));
      (i % 2 == 0 ? first : second)->AddGame({i, &record});
    }
    second->AddFinished(3, "the record");
    ASSERT_TRUE(first->Flush().ok() && second->Flush().ok());
  }
  for (const int workers : {3, 1}) {
    auto opened = JournalFolder::Open(folder());
    ASSERT_TRUE(opened.ok()) << opened.status();
    std::vector<JournalContent> parts;
    ASSERT_TRUE(opened->Deal(workers, &parts).ok());
    ASSERT_EQ(parts.size(), static_cast<size_t>(workers));
    size_t games = 0;
    for (const JournalContent& part : parts) {
      games += part.games.size();
      EXPECT_LE(part.games.size(), workers == 3 ? 2u : 4u);
    }
    EXPECT_EQ(games, 4u);
    EXPECT_THAT(parts[0].finished, UnorderedElementsAre(Pair(3, "the record")));
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      files += entry.path().extension() == ".journal" ? 1 : 0;
    }
    EXPECT_EQ(files, workers);
  }
}

TEST_F(GameJournalTest, WhatACrashLeavesTwiceIsReadOnce) {
  const auto first = NewJournal("0-0.journal");
  const auto second = NewJournal("1-0.journal");
  GameRecord record = Begun(1);
  first->AddGame({0, &record});
  first->AddGame({1, &record});
  record.plies = TwoPlies();
  second->AddGame({0, &record});
  second->AddFinished(1, "the record");
  ASSERT_TRUE(first->Flush().ok() && second->Flush().ok());
  const JournalContent content = Read();
  ASSERT_EQ(content.games.size(), 1u);
  EXPECT_EQ(content.games.at(0).plies.size(), 2u);
  EXPECT_EQ(content.finished.size(), 1u);
}

}  // namespace
}  // namespace chuhe
