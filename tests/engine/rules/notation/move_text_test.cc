#include "engine/rules/notation/move_text.h"

#include <string>
#include <vector>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/notation/reading.h"

namespace chuhe {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Position kStart = Position::Start();
constexpr char kBlackFirst[] = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";
constexpr char kOpening[] = "h2e2 h9g7 h0g2 i9h9";

// Each text must read as kOpening.
void ExpectOpening(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    EXPECT_EQ(Read(kStart, text), kOpening) << text;
  }
}

TEST(MoveTextTest, EmptyTextHasNoMoves) {
  for (const char* text : {"", " ", "\r\n\t\u3000", "{nothing}", "1.", "1. *", "\ufeff"}) {
    EXPECT_EQ(Read(kStart, text), "") << text;
  }
}

TEST(MoveTextTest, RunTogetherLinesOfClassicTutorials) {
  EXPECT_EQ(Read(kStart,
                 "1.兵七进一炮2平3 2.炮八平五炮8平5 3.马二进三马8进7 4.车一平二卒3进1 "
                 "5.马八进九卒3进1 6.车九平八马2进1"),
            "c3c4 b7c7 b2e2 h7e7 h0g2 h9g7 i0h0 c6c5 b0a2 c5c4 a0b0 b9a7");
  EXPECT_EQ(Read("4k3r/9/9/9/9/7R1/9/9/9/3K5 b", "8.…………车9平8 9.车二平七车8进3"),
            "i9h9 h4c4 h9h6");
  const char* kAfterPawn = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/2P6/P3P1P1P/1C5C1/9/RNBAKABNR b";
  EXPECT_EQ(Read(kAfterPawn, "炮2平32.炮八平五"), "b7c7 b2e2");
  EXPECT_EQ(Read(kStart, "1.兵七进一炮2平32.炮八平五炮8平53.马二进三"), "c3c4 b7c7 b2e2 h7e7 h0g2");
}

TEST(MoveTextTest, NumberRunsIntoTheMoveBeforeItInEveryNotation) {
  ExpectOpening({"1.炮二平五马8进72.马二进三车9平8", "1.炮二平五马8进7102.马二进三车9平8",
                 "1.C2.5H8+72.H2+3R9.8", "1.C2=5h8+72.h2+3r9=8", "1.h2e2h9g72.h0g2i9h9",
                 "1.H2-E2H9-G72.H0-G2I9-H9", "1．炮二平五马８进７２．马二进三车９平８"});
  // Ten moves with ranks from one; a rank 1 in front of `10.` stays a rank.
  EXPECT_EQ(Read(kStart, "9.h3e3h10g810.h1g3i10h10"), kOpening);
}

TEST(MoveTextTest, MoveNumbersOfAllKinds) {
  ExpectOpening({"1.炮二平五 马8进7 2.马二进三 车9平8", "1. 炮二平五 马8进7\n2. 马二进三 车9平8",
                 "1、炮二平五 马8进7 2、马二进三 车9平8",
                 "1．炮二平五　马８进７　２．马二进三　车９平８",
                 "1 炮二平五 马8进7 2 马二进三 车9平8", "1)炮二平五 马8进7 2）马二进三 车9平8",
                 "1：炮二平五 马8进7 2: 马二进三 车9平8", "1炮二平五马8进7 2马二进三车9平8",
                 "1 . C2.5 H8+7 2 . H2+3 R9.8", "①炮二平五 马8进7②马二进三 车9平8",
                 "⒈炮二平五马8进7⒉马二进三车9平8", "27.炮二平五 马8进7 1.马二进三 车9平8",
                 "1.炮二平五 1.马8进7 2.马二进三 2.车9平8", "炮二平五 马8进7 马二进三 车9平8"});
}

TEST(MoveTextTest, BlanksAndPunctuationOfAllKinds) {
  ExpectOpening({"炮二平五\u3000马8进7\u00a0马二进三\r\n\r\r\n车9平8\f",
                 "炮二平五马8进7马二进三车9平8", "\ufeff炮二平五\t马8进7\n\n马二进三\v车9平8\n",
                 "炮二平五，马8进7；马二进三、车9平8。", "炮二平五, 马8进7; 马二进三! 车9平8??",
                 "炮二平五！ 马8进7？！ 马二进三 $1 车9平8 $14"});
}

TEST(MoveTextTest, MixedNotationsAndDigits) {
  ExpectOpening(
      {"炮二平五 H8+7 h0g2 I9-H9", "炮2平5 馬８進７ Ｈ２＋３ 車九平八", "c2.5 馬八進七 h2+3 i9h9"});
}

TEST(MoveTextTest, CommentsAreSkipped) {
  ExpectOpening({"{开局}1.炮二平五{中炮}马8进7 2.马二进三(正着)车9平8{完}",
                 "1.炮二平五（如改走 1.马二进三，则另有变化）马8进7 2.马二进三 车9平8",
                 "1.炮二平五(1.马二进三(1.兵七进一)卒7进1)马8进7 马二进三 车9平8",
                 "1.炮二平五{ ( }马8进7 马二进三 ({ ) })车9平8",
                 "1.炮二平五（半角与全角)马8进7 马二进三 ｛注｝ 车9平8"});
}

TEST(MoveTextTest, CommentThatDoesNotEndIsAnError) {
  EXPECT_THAT(Read(kStart, "炮二平五 {马8进7"),
              AllOf(StartsWith("error: "), HasSubstr("column 6"), HasSubstr("comment")));
  EXPECT_THAT(Read(kStart, "炮二平五 (a (b) 马8进7"), HasSubstr("column 6"));
}

TEST(MoveTextTest, ResultsAreSkipped) {
  for (const char* result : {"1-0",
                             "0-1",
                             "1/2-1/2",
                             "1/2",
                             "½-½",
                             "*",
                             "１－０",
                             "红胜",
                             "黑胜",
                             "和",
                             "紅勝",
                             "红先胜",
                             "红先负",
                             "红先和",
                             "和棋",
                             "和局",
                             "双方议和",
                             "黑方认负",
                             "红优",
                             "(红胜)",
                             "未知",
                             "1-0 红胜",
                             "1-0\n=====\n欢迎访问 http://example.com",
                             "*\n  ========="}) {
    ExpectOpening({"炮二平五马8进7马二进三车9平8" + std::string(result),
                   "炮二平五马8进7马二进三车9平8 " + std::string(result) + "\n"});
  }
  EXPECT_EQ(Read(kStart, "C2.5 H8+7 H2+3 R9.8 1-0"), kOpening);
  EXPECT_EQ(Read(kStart, "红先胜 炮二平五马8进7马二进三车9平8"), kOpening);
  EXPECT_EQ(Read(kStart, "1-0"), "");
}

TEST(MoveTextTest, MovesBehindTheResultAreAnError) {
  EXPECT_THAT(Read(kStart, "炮二平五 1-0 马8进7"),
              AllOf(StartsWith("error: move 2 \"马8进7\""), HasSubstr("result")));
}

TEST(MoveTextTest, DotsAtTheBeginningMakeBlackMoveFirst) {
  const std::string moves = "h9g7 h2e2";
  for (const char* text :
       {"1.…………马8进7 2.炮二平五", "1.……马8进72.炮二平五", "1. … 马8进7 炮二平五",
        "1...马8进7 炮二平五", "1. ... 马8进7 炮二平五", "1 ... 马8进7 炮二平五",
        "……马8进7 炮二平五", "...马8进7 炮二平五", "1．．．．马８进７ 炮二平五",
        "{注}1.…………（注）马8进7 炮二平五", "1.⋯⋯馬８進７ 炮二平五", "1、……马8进7 炮二平五",
        "1.——马8进7 炮二平五", "1.…h9g7 h2e2", "1...H8+7 C2.5", "1...H9-G7 2.H2-E2"}) {
    EXPECT_EQ(Read(kStart, text), moves) << text;
    EXPECT_EQ(Read(kBlackFirst, text), moves) << text;
  }
  const MoveTextReading reading = ReadMoveText(kStart, "1.…………马8进7");
  EXPECT_EQ(reading.start.side_to_move(), Color::kBlack);
  EXPECT_EQ(ReadMoveText(kStart, "1.炮二平五").start.side_to_move(), Color::kRed);
}

TEST(MoveTextTest, BlankColumnAtTheBeginningMakesBlackMoveFirstIfRedCannot) {
  const char* kRedKnightMoved = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1CN4C1/9/R1BAKABNR w";
  for (const char* text : {"1.          马8进7 2.炮二平五", "1.　　　　马8进7 炮二平五",
                           "{注}\n  1.          h9g7 h2e2", "1.\t馬８進７ 炮二平五"}) {
    EXPECT_EQ(Read(kRedKnightMoved, text), "h9g7 h2e2") << text;
  }
  EXPECT_EQ(Read(kRedKnightMoved, "1.          炮2平5"), "h2e2");
  EXPECT_THAT(Read(kRedKnightMoved, "1. 马8进7"), StartsWith("error: "));
  EXPECT_THAT(Read(kRedKnightMoved, "1.          马6进7"),
              HasSubstr("Red has no knight on file 6"));
  EXPECT_THAT(Read(kRedKnightMoved, "1.炮二平五 马8进7 2.          马8进9"),
              StartsWith("error: move 3"));
}

TEST(MoveTextTest, DotsCannotMakeBlackMoveWhileRedIsInCheck) {
  const char* kCheck = "5k3/9/9/9/9/9/9/3r5/9/3K5 w";
  EXPECT_THAT(Read(kCheck, "1.…………车4进1"),
              AllOf(StartsWith("error: move 1 \"车4进1\""), HasSubstr("attacked")));
  EXPECT_EQ(Read(kCheck, "帅六进一"),
            "error: move 1 \"帅六进一\" at line 1, column 1 is illegal: "
            "Red's king stays attacked");
}

TEST(MoveTextTest, DotsInTheMiddleMustAgreeWithTheSideToMove) {
  ExpectOpening({"1.炮二平五{好}1.……马8进7 2.马二进三 …… 2.………… 车9平8",
                 "1.炮二平五 …… 1.…………马8进7 2.马二进三 2...车9平8"});
  EXPECT_THAT(Read(kStart, "1.炮二平五马8进7 2.…………车9平8"),
              AllOf(StartsWith("error: move 3 \"车9平8\" at line 1, column 18"),
                    HasSubstr("column 14"), HasSubstr("Red's turn")));
  EXPECT_EQ(Read(kStart, "炮二平五 马8进7 ……"), "h2e2 h9g7");
  EXPECT_EQ(Read(kStart, "炮二平五. 马8进7. 马二进三."), "h2e2 h9g7 h0g2");
}

TEST(MoveTextTest, DigitsOfIndexAndFileAreToldFromMoveNumbers) {
  constexpr char kPawns[] = "3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w";  // files 7 and 3
  EXPECT_EQ(Read(kPawns, "33.4 K4+1 3+.2"), "g6f6 d9d8 g7h7");
  EXPECT_EQ(Read(kPawns, "1.33.4K4+12.3+.2"), "g6f6 d9d8 g7h7");
  EXPECT_EQ(Read(kPawns, "12.3+.4"), "g7f7");
  EXPECT_EQ(Read(kPawns, "13.33.4"), "g6f6");
  EXPECT_EQ(Read(kPawns, "13.13=4"), "g7f7");
  EXPECT_EQ(Read(kPawns, "13 13=4"), "g7f7");
  EXPECT_EQ(Read(kPawns, "33. 33=4"), "g6f6");
  EXPECT_EQ(Read(kPawns, "3.+3.4"), "g7f7");
  EXPECT_EQ(Read(kPawns, "17.8K4+123.4"), "c7b7 d9d8 g6f6");
}

TEST(MoveTextTest, FirstDigitMayBeANumberWithoutADot) {
  EXPECT_EQ(Read(kStart, "1炮二平五1马8进7"), "h2e2 h9g7");
  constexpr char kPawns[] = "3k5/9/2P6/2P6/2P6/9/9/9/9/4K4 w";
  EXPECT_EQ(Read(kPawns, "2兵七平八"), "c6b6");  // here it is the second pawn of the file
}

TEST(MoveTextTest, UnreadableTextIsNamedWithItsPlace) {
  EXPECT_EQ(Read(kStart, "炮二平五 马8进7\n2. 马二xx"),
            "error: move 3 \"马二xx\" at line 2, column 4 is unreadable: no move in any notation");
  EXPECT_EQ(Read(kStart, "炮二平五马8进"),
            "error: move 2 \"马8进\" at line 1, column 5 is unreadable: no move in any notation");
  for (const char* text :
       {"炮二平", "炮",    "炮二平十",      "炮零平五", "炮二五平", "xyz",   "C2.", "C0.5",
        "C2.0",   "h2e",   "H2-",           "Q2.5",     ")",        "}",     "-",   "+",
        "9-9",    "=====", "[Event \"x\"]", "六兵进一", "前前进一", "兵七进"}) {
    EXPECT_THAT(Read(kStart, text), AllOf(StartsWith("error: move 1 "), HasSubstr("unreadable")))
        << text;
  }
}

TEST(MoveTextTest, IllegalMovesAreNamedWithTheReason) {
  const struct {
    const char* fen;
    const char* text;
    const char* reason;
  } kCases[] = {
      {"start", "车二进一", "Red has no rook on file 2"},
      {"start", "前车进一", "Red has no such rook"},
      {"start", "马二进五", "does not exist"},
      {"start", "炮二平二", "does not exist"},
      {"start", "炮二退三", "does not exist"},
      {"start", "炮二进八", "does not exist"},
      {"start", "仕四平五", "does not exist"},
      {"start", "马二进四", "as the other men stand"},
      {"start", "车一平二", "its own knight"},
      {"start", "兵七退一", "does not move"},
      {"start", "兵七平八", "does not move"},
      {"start", "相三进七", "does not exist"},
      {"start", "帅五平五", "does not exist"},
      {"start", "h2e3", "a cannon does not move from h2 to e3"},
      {"start", "h2h8", "as the other men stand"},
      {"start", "h7e7", "Red is to move, and the cannon on h7 is Black's"},
      {"start", "d4d5", "no man on d4"},
      {"3k5/9/9/9/9/9/9/3A5/9/3AK4 w", "车一进一", "Red has no rook"},
      {"4k4/9/9/9/4r4/9/4R4/9/9/4K4 w", "车五平四", "leaves Red's king attacked"},
      {"4k4/4R4/4P4/9/9/9/9/9/9/3K5 b", "将5平4", "king stays attacked"},
      {"3k5/9/9/9/9/9/9/9/4A4/4K4 w", "帅五进一", "its own advisor"},
  };
  for (const auto& row : kCases) {
    const std::string fen = row.fen == std::string("start") ? FormatFen(kStart) : row.fen;
    EXPECT_THAT(Read(fen, row.text), AllOf(StartsWith("error: move 1 "), HasSubstr("is illegal: "),
                                           HasSubstr(row.reason)))
        << row.text;
  }
}

TEST(MoveTextTest, MovesBehindTheEndOfTheGameAreNamedSo) {
  const char* kMated = "3R1k3/9/5R3/9/9/9/9/9/9/4K4 b";
  EXPECT_THAT(Read(kMated, "将6进1"), HasSubstr("attacked; Black is mated, the game is over"));
  const char* kStalemated = "3k5/4P4/9/9/9/9/9/9/9/4K4 b";
  EXPECT_THAT(Read(kStalemated, "d9d8"), HasSubstr("Black is stalemated, the game is over"));
}

TEST(MoveTextTest, BrokenUtf8IsAClearError) {
  EXPECT_THAT(Read(kStart, "\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5"),  // 炮二平五 in GBK
              AllOf(StartsWith("error: move 1 \"\\xc5\" at line 1, column 1"),
                    HasSubstr("not UTF-8"), HasSubstr("GBK")));
  EXPECT_THAT(Read(kStart, "炮二平五 \xff"), AllOf(HasSubstr("column 6"), HasSubstr("not UTF-8")));
  EXPECT_THAT(Read(kStart, "炮二平五 {\xff}"), AllOf(HasSubstr("column 7"), HasSubstr("UTF-8")));
  EXPECT_THAT(Read(kStart, "炮二\xe5\xb9"), StartsWith("error: "));
  EXPECT_THAT(Read(kStart, std::string("炮二平五\0马8进7", 21)), HasSubstr("\\x00"));
}

TEST(MoveTextTest, ErrorMessagesAreValidUtf8WithoutControlCharacters) {
  const std::string message = Read(kStart, "\x1b[31m" + std::string(1000, 'x'));
  EXPECT_THAT(message, HasSubstr("\\x1b[31m"));
  EXPECT_LT(message.size(), 200u);
}

TEST(MoveTextTest, MovesBeforeTheErrorAreKept) {
  const MoveTextReading reading = ReadMoveText(kStart, "炮二平五 马8进7 马二进九");
  EXPECT_FALSE(reading.status.ok());
  EXPECT_EQ(reading.moves, (std::vector<Move>{MoveOf("h2e2"), MoveOf("h9g7")}));
}

TEST(ReadMoveTest, TakesExactlyOneMove) {
  EXPECT_EQ(*ReadMove(kStart, "炮二平五"), MoveOf("h2e2"));
  EXPECT_EQ(*ReadMove(kStart, " C2.5 "), MoveOf("h2e2"));
  EXPECT_EQ(*ReadMove(kStart, "h3e3", {.rank_base = RankBase::kOne}), MoveOf("h2e2"));
  EXPECT_FALSE(ReadMove(kStart, "h3e3", {.rank_base = RankBase::kZero}).ok());
  EXPECT_FALSE(ReadMove(kStart, "").ok());
  EXPECT_FALSE(ReadMove(kStart, "炮二平五 马8进7").ok());
  EXPECT_FALSE(ReadMove(kStart, "炮二平九").ok());
}

}  // namespace
}  // namespace chuhe
