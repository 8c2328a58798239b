#include "engine/board/fen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/position.h"
#include "tests/engine/board/drawn_board.h"
#include "tests/reference/reference_board.h"

namespace chuhe {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr char kStartBoard[] = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

std::string With(absl::string_view rest) { return kStartBoard + std::string(rest); }

// The position that the text stands for; the start position where it is refused, which fails.
FenRecord Read(absl::string_view text) {
  const absl::StatusOr<FenRecord> record = ParseFen(text);
  EXPECT_TRUE(record.ok()) << record.status() << "\nin: " << text;
  return record.ok() ? *record : FenRecord{Position::Start()};
}

void ExpectCounters(const std::string& text, int halfmove, int fullmove) {
  const FenRecord record = Read(text);
  EXPECT_EQ(record.halfmove, halfmove) << text;
  EXPECT_EQ(record.fullmove, fullmove) << text;
}

std::string ErrorOf(absl::string_view text) {
  const absl::StatusOr<FenRecord> record = ParseFen(text);
  if (record.ok()) return "accepted";
  EXPECT_EQ(record.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(record.status().message());
}

TEST(FenTest, StartposStandsForTheStartPosition) {
  const auto record = ParseFen(" startpos ");
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(FormatFen(record->position, record->halfmove, record->fullmove), kStartFen);
  EXPECT_FALSE(ParseFen("startpos w").ok());
}

TEST(FenTest, ReadsTheStartPosition) {
  const FenRecord record = Read(kStartFen);
  EXPECT_TRUE(record.position == Position::Start());
  EXPECT_EQ(record.position.key(), Position::Start().key());
  EXPECT_EQ(record.halfmove, 0);
  EXPECT_EQ(record.fullmove, 1);
}

TEST(FenTest, ReadsEverySquareWhereItStands) {
  const FenRecord record = Read("2Pa1kN2/3ra4/4PP3/N7R/1c7/2B6/2R3C2/3pB1n2/p1rcA4/3AK1p2 w");
  EXPECT_TRUE(record.position == DrawnBoard(R"(
      ..Pa.kN..
      ...ra....
      ....PP...
      N.......R
      .c.......
      ..B......
      ..R...C..
      ...pB.n..
      p.rcA....
      ...AK.p..)",
                                            Color::kRed));
}

TEST(FenTest, ReadsEverySpellingOfTheSide) {
  for (const char* side : {" w", " W", " r", " R"}) {
    EXPECT_EQ(Read(With(side)).position.side_to_move(), Color::kRed) << side;
  }
  for (const char* side : {" b", " B"}) {
    EXPECT_EQ(Read(With(side)).position.side_to_move(), Color::kBlack) << side;
  }
}

TEST(FenTest, MissingSideMeansRed) {
  for (const char* rest : {"", " ", " - -", " - - 0 1", " -- 0 1", " 0 1", " - - 0 0"}) {
    EXPECT_TRUE(Read(With(rest)).position == Position::Start()) << "'" << rest << "'";
  }
  ExpectCounters(With(" - - 12 34"), 12, 34);
  ExpectCounters(With(" 12 34"), 12, 34);
}

TEST(FenTest, ReadsFormsOfOneToSixFields) {
  ExpectCounters(With(""), 0, 1);
  ExpectCounters(With(" b"), 0, 1);
  ExpectCounters(With(" b 5 1"), 5, 1);
  ExpectCounters(With(" b 7 20"), 7, 20);
  ExpectCounters(With(" b - -"), 0, 1);
  ExpectCounters(With(" b - - 8"), 8, 1);
  ExpectCounters(With(" b - - 8 30"), 8, 30);
  ExpectCounters(With(" w - - 0 0"), 0, 0);
  for (const char* rest : {" b", " b 5 1", " b - -", " b -- 8 30"}) {
    EXPECT_EQ(Read(With(rest)).position.side_to_move(), Color::kBlack) << rest;
  }
}

TEST(FenTest, ReadsJoinedDashes) {
  ExpectCounters(With(" w -- 0 1"), 0, 1);
  ExpectCounters(With(" b -- 9 40"), 9, 40);
}

TEST(FenTest, ReadsAnyRunOfBlanks) {
  ExpectCounters(With("  w   -  -   3   17  "), 3, 17);
  ExpectCounters("   " + With(" w - - 3 17"), 3, 17);
  ExpectCounters(With("\tw\t-\t-\t3\t17\t"), 3, 17);
  ExpectCounters(With(" w - - 3 17\r\n"), 3, 17);
  ExpectCounters(With(" w -- 0 1 "), 0, 1);
}

TEST(FenTest, ReadsTheOtherLettersForKnightBishopAndKing) {
  const Position start = Position::Start();
  for (const char* board : {"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w",
                            "rmbakabmr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RMBAKABMR w",
                            "rnbagabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAGABNR w",
                            "rhbakaenr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RMEAGABHR w"}) {
    EXPECT_TRUE(Read(board).position == start) << board;
    EXPECT_EQ(FormatFen(Read(board).position), kStartFen) << board;
  }
}

TEST(FenTest, ReadsHalfmoveBeyondAnyLimit) {
  ExpectCounters(With(" w - - 120 61"), 120, 61);
  ExpectCounters(With(" w - - 5000 3000"), 5000, 3000);
}

TEST(FenTest, ReadsHandicapStarts) {
  const FenRecord record =
      Read("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 0 1");
  EXPECT_EQ(record.position.count(Color::kRed, PieceType::kRook), 1);
}

TEST(FenTest, ReadsBareKings) {
  EXPECT_EQ(Read("4k4/9/9/9/9/9/9/9/9/3K5 b").position.occupied().count(), 2);
}

TEST(FenTest, SideToMoveMayBeInCheck) {
  EXPECT_EQ(ErrorOf("3k5/9/9/9/3R5/9/9/9/9/4K4 b"), "accepted");
}

TEST(FenTest, WritesWhatItReads) {
  for (const char* fen :
       {kStartFen, "2bakab2/9/9/4p4/9/9/9/9/9/2BAKAB2 w - - 0 1",
        "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 b - - 119 88",
        "3k5/9/9/9/3R5/9/9/9/9/4K4 b - - 1000 2000"}) {
    const FenRecord record = Read(fen);
    EXPECT_EQ(FormatFen(record.position, record.halfmove, record.fullmove), fen);
  }
  EXPECT_EQ(FormatFen(Position::Start()), kStartFen);
}

TEST(FenTest, WritesWhatTheReferenceWrites) {
  const Position position =
      Read("2Pa1kN2/3ra4/4PP3/N7R/1c7/2B6/2R3C2/3pB1n2/p1rcA4/3AK1p2 b").position;
  EXPECT_EQ(FormatFen(position, 3, 4), WriteReferenceFen(ReferenceOf(position)) + " - - 3 4");
}

// No control bytes, and every lead byte followed by as many others as it announces.
bool IsPrintableUtf8(absl::string_view text) {
  int pending = 0;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if ((byte & 0xc0) == 0x80) {
      if (pending-- == 0) return false;
      continue;
    }
    if (pending != 0 || byte < ' ' || byte == 0x7f || byte > 0xf4) return false;
    pending = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0;
  }
  return pending == 0;
}

// Refusals: what the text has wrong, and what the message must name.
struct Refusal {
  const char* fen;
  std::vector<const char*> names;
};

void ExpectRefused(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    const std::string error = ErrorOf(refusal.fen);
    for (const char* name : refusal.names) {
      EXPECT_THAT(error, HasSubstr(name)) << "for " << refusal.fen;
    }
  }
}

TEST(FenTest, RefusesBoardsOfAnotherShape) {
  ExpectRefused({
      {"", {"board", "empty"}},
      {"   \t ", {"board", "empty"}},
      {"9 w", {"board", "rows"}},
      {"9/9/9/9/9/9/9/9/9 w", {"board", "9 rows", "10"}},
      {"9/9/9/9/9/9/9/9/9/9/9 w", {"board", "11 rows", "10"}},
      {"4k4/9/9/9/9/9/9/9/9/3K5/ w", {"board", "11 rows"}},
      {"4k4/9/9/9/9/9/9/9/9/3K4 w", {"board", "rank 0", "8"}},
      {"4k4/9/9/8/9/9/9/9/9/3K5 w", {"board", "rank 6", "8"}},
      {"4k4/9/9/91/9/9/9/9/9/3K5 w", {"board", "rank 6", "10"}},
      {"4k4/9//9/9/9/9/9/9/3K5 w", {"board", "rank 7", "0"}},
      {"4k4r/9/9/9/9/9/9/9/9/3K5 w", {"board", "rank 9", "10"}},
      {"4k4/9/9/999999999999999999999999/9/9/9/9/9/3K5 w", {"board", "rank 6"}},
  });
}

TEST(FenTest, RefusesUnknownLettersWithTheirSquare) {
  ExpectRefused({
      {"4k4/9/9/9/9/2x6/9/9/9/3K5 w", {"board", "'x'", "c4"}},
      {"4k4/9/9/9/9/0P8/9/9/9/3K5 w", {"board", "'0'", "a4"}},
      {"4k4/9/9/9/9/9/9/9/9/3K4? w", {"board", "'?'", "i0"}},
      {"4k4/9/9/9/9/9/9/9/9/3K4+ w", {"board", "'+'", "i0"}},
  });
}

TEST(FenTest, RefusesAWrongNumberOfKings) {
  ExpectRefused({
      {"9/9/9/9/9/9/9/9/9/9 w", {"board", "king"}},
      {"rnba1abnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", {"board", "black king"}},
      {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBA1ABNR w", {"board", "red king"}},
      {"4k4/9/9/9/9/9/9/9/3K5/3K5 w", {"board", "red king", "d0"}},
      {"3kk4/9/9/9/9/9/9/9/9/5K3 w", {"board", "black king", "e9"}},
  });
}

TEST(FenTest, RefusesMoreMenThanASet) {
  ExpectRefused({
      {"4k4/9/9/9/9/9/9/R8/R8/R2K5 w", {"board", "red rook", "a0", "2"}},
      {"3k5/9/9/9/n3nn3/9/9/9/9/5K3 w", {"board", "black knight", "f5", "2"}},
      {"3k5/9/9/9/9/C3C4/9/9/8C/5K3 w", {"board", "red cannon", "i1", "2"}},
      {"3k5/9/9/9/9/9/9/B3B3B/9/5K3 w", {"board", "red bishop", "i2", "2"}},
      {"3k5/9/9/9/9/9/9/3A1A3/4A4/5K3 w", {"board", "red advisor", "e1", "2"}},
      {"3k5/9/9/9/9/p1p1p1p1p/p8/9/9/5K3 w", {"board", "black pawn", "a3", "5"}},
  });
}

TEST(FenTest, RefusesMenOnImpossiblePoints) {
  ExpectRefused({
      {"4k4/9/9/9/4K4/9/9/9/9/9 w", {"board", "red king", "e5"}},
      {"4k4/9/9/9/9/9/9/9/9/2K6 w", {"board", "red king", "c0"}},
      {"4k4/9/9/9/9/9/3K5/9/9/9 w", {"board", "red king", "d3"}},
      {"9/9/9/4k4/9/9/9/9/9/3K5 w", {"board", "black king", "e6"}},
      {"4k4/9/9/9/9/9/9/9/9/3KA4 w", {"board", "red advisor", "e0"}},
      {"4k4/9/9/9/9/9/9/9/3A5/3K5 w", {"board", "red advisor", "d1"}},
      {"4k4/3a5/9/9/9/9/9/9/9/3K5 w", {"board", "black advisor", "d8"}},
      {"4k4/9/9/9/9/9/9/9/9/3AK3A w", {"board", "red advisor", "i0"}},
      {"4k4/9/9/9/9/9/9/9/9/B2K5 w", {"board", "red bishop", "a0"}},
      {"4k4/9/9/9/2B6/9/9/9/9/3K5 w", {"board", "red bishop", "c5"}},
      {"4k4/9/2B6/9/9/9/9/9/9/3K5 w", {"board", "red bishop", "c7"}},
      {"4k4/9/9/9/9/2b6/9/9/9/3K5 w", {"board", "black bishop", "c4"}},
      {"4k4/9/9/9/9/9/9/P8/9/3K5 w", {"board", "red pawn", "a2"}},
      {"4k4/9/9/9/9/9/9/9/9/P2K5 w", {"board", "red pawn", "a0"}},
      {"4k4/9/9/9/9/9/1P7/9/9/3K5 w", {"board", "red pawn", "b3"}},
      {"4k4/9/9/9/9/7P1/9/9/9/3K5 w", {"board", "red pawn", "h4"}},
      {"4k4/9/p8/9/9/9/9/9/9/3K5 w", {"board", "black pawn", "a7"}},
      {"4k4/9/9/9/1p7/9/9/9/9/3K5 w", {"board", "black pawn", "b5"}},
      {"p3k4/9/9/9/9/9/9/9/9/3K5 w", {"board", "black pawn", "a9"}},
  });
}

TEST(FenTest, AcceptsEveryPossiblePointAndNoOther) {
  // Letters for Red, with the points of the rules counted out.
  struct Points {
    char letter;
    std::string squares;
  };
  const std::vector<Points> all = {
      {'A', "d0 f0 e1 d2 f2 "},
      {'B', "c0 g0 a2 e2 i2 c4 g4 "},
      {'P', "a3 c3 e3 g3 i3 a4 c4 e4 g4 i4 "},
  };
  for (const Points& points : all) {
    std::string accepted;
    for (int s = 0; s < kSquares / 2; ++s) {
      ReferenceBoard board;
      board.at[s == SquareOf("d0") ? 1 : 0][3] = 'K';
      board.at[9][5] = 'k';
      board.at[s / kFiles][s % kFiles] = points.letter;
      if (ParseFen(WriteReferenceFen(board)).ok()) {
        accepted += TextOf(static_cast<Square>(s)) + ' ';
      }
    }
    EXPECT_EQ(accepted, points.squares) << points.letter;
  }
}

TEST(FenTest, RefusesFacingKings) {
  ExpectRefused({
      {"4k4/9/9/9/9/9/9/9/9/4K4 w", {"king", "e0", "e9"}},
      {"4k4/9/9/9/9/9/9/9/9/4K4 b", {"king", "e0", "e9"}},
  });
}

TEST(FenTest, RefusesCheckOfTheSideThatIsNotToMove) {
  ExpectRefused({
      {"3k5/9/9/9/3R5/9/9/9/9/4K4 w", {"side", "black king", "d9", "red rook", "d5"}},
      {"5k3/9/9/9/9/9/9/3n5/9/4K4 b", {"side", "red king", "e0", "black knight", "d2"}},
      {"5k3/4c4/9/9/9/9/9/9/4A4/4K4 b", {"side", "red king", "e0", "black cannon", "e8"}},
      {"3k5/9/9/9/9/9/9/9/4p4/4K4 b", {"side", "red king", "e0", "black pawn", "e1"}},
  });
}

TEST(FenTest, RefusesOtherSides) {
  for (const char* side : {" x", " red", " wb", " ww", " black", " w-"}) {
    EXPECT_THAT(ErrorOf(With(side)), HasSubstr("side")) << side;
  }
}

TEST(FenTest, RefusesCountersThatAreNoNumbers) {
  for (const char* halfmove :
       {"-1", "x", "1x", "+1", "1.5", "99999999999999999999", "0x10", "--1"}) {
    EXPECT_THAT(ErrorOf(With(" w - - " + std::string(halfmove) + " 1")),
                AllOf(HasSubstr("halfmove"), HasSubstr(halfmove)));
  }
  for (const char* fullmove : {"-1", "x", "2147483648", "1,"}) {
    EXPECT_THAT(ErrorOf(With(" w - - 0 " + std::string(fullmove))),
                AllOf(HasSubstr("fullmove"), HasSubstr(fullmove)));
  }
}

TEST(FenTest, RefusesMoreFields) {
  EXPECT_THAT(ErrorOf(With(" w - - 0 1 moves h2e2")), HasSubstr("'moves'"));
  EXPECT_THAT(ErrorOf(With(" w - - 0 1 2")), HasSubstr("'2'"));
  EXPECT_NE(ErrorOf(With(" w - - - 0 1")), "accepted");
  EXPECT_NE(ErrorOf(With(" w b - - 0 1")), "accepted");
}

TEST(FenTest, RefusesOddBytesInAReadableMessage) {
  const std::string nul(1, '\0');
  EXPECT_NE(ErrorOf(nul), "accepted");
  EXPECT_NE(ErrorOf(With(" w" + nul)), "accepted");
  EXPECT_NE(ErrorOf(With(nul)), "accepted");
  // Messages go into JSON and onto terminals: they may hold neither control bytes nor halves of
  // UTF-8 characters.
  EXPECT_TRUE(IsPrintableUtf8(ErrorOf("帥4k4/9/9/9/9/9/9/9/9/3K5 w")));
  EXPECT_TRUE(
      IsPrintableUtf8(ErrorOf(With(" w - - 0 1 帅帅帅帅帅帅帅帅帅帅帅帅帅帅帅帅帅帅帅帅"))));
  for (int byte = 0; byte < 256; ++byte) {
    const std::string odd(1, static_cast<char>(byte));
    for (const std::string& text :
         {"4k4/9/9/9/9/9/9/9/9/3K4" + odd, With(" w - - 0" + odd), With(" x" + odd)}) {
      const std::string error = ErrorOf(text);
      ASSERT_TRUE(IsPrintableUtf8(error)) << "byte " << byte << ": " << error;
    }
  }
}

TEST(FenTest, RefusesVeryLongTextWithAShortMessage) {
  for (const std::string& text :
       {std::string(1'000'000, 'r'), std::string(1'000'000, '/'), std::string(1'000'000, '9'),
        With(" " + std::string(1'000'000, 'w')), With(" w - - " + std::string(1'000'000, '1')),
        With(" w - - 0 1 " + std::string(1'000'000, 'x'))}) {
    const std::string error = ErrorOf(text);
    EXPECT_NE(error, "accepted");
    EXPECT_LT(error.size(), 300u);
  }
  ExpectCounters(With(std::string(1'000'000, ' ') + "w - - 3 4"), 3, 4);
}

TEST(FenTest, FirstErrorInTheTextIsNamed) {
  EXPECT_THAT(ErrorOf("4k4/9/x8/9/9/y8/9/9/9/3K5 q - - z 1"), HasSubstr("a7"));
}

}  // namespace
}  // namespace chuhe
