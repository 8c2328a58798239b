#include "engine/base/options.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

enum class Shape { kRound, kSquare };

struct Settings {
  bool loud = false;
  int count = 3;
  int64_t big = 10'000'000'000;
  double rate = 1.5;
  std::string file = "a b.txt";
  Shape shape = Shape::kSquare;
};

class OptionsTest : public ::testing::Test {
 protected:
  OptionsTest() {
    table_.AddBool("run.loud", &settings_.loud, "make noise");
    table_.AddInt("run.count", &settings_.count, 1, 20, "how many").aliases = {"number"};
    table_.AddInt<int64_t>("run.big", &settings_.big, 0, int64_t{1} << 60, "how many more");
    table_.AddDouble("search.rate", &settings_.rate, 0, 4, "how fast");
    table_.AddString("file", &settings_.file, "from where");
    table_.AddChoice<Shape>(
        "shape", &settings_.shape,
        {{"round", Shape::kRound}, {"square", Shape::kSquare}, {"box", Shape::kSquare, false}},
        "what form");
    table_.AddButton(
        "Press Me", [this] { ++pressed_; }, "does it");
  }

  std::string ErrorOf(const std::string& name, const std::string& value,
                      const std::string& place = "") {
    return std::string(table_.Set(name, value, place).message());
  }

  Settings settings_;
  int pressed_ = 0;
  OptionTable table_;
};

TEST_F(OptionsTest, SetsFieldsOfEveryType) {
  EXPECT_TRUE(table_.Set("run.loud", "on").ok());
  EXPECT_TRUE(table_.Set("run.count", "20").ok());
  EXPECT_TRUE(table_.Set("run.big", "99999999999").ok());
  EXPECT_TRUE(table_.Set("search.rate", "0.25").ok());
  EXPECT_TRUE(table_.Set("file", "路径 1/x;y").ok());
  EXPECT_TRUE(table_.Set("shape", "ROUND").ok());
  EXPECT_TRUE(table_.Set("press me", "").ok());
  EXPECT_TRUE(settings_.loud);
  EXPECT_EQ(settings_.count, 20);
  EXPECT_EQ(settings_.big, 99999999999);
  EXPECT_EQ(settings_.rate, 0.25);
  EXPECT_EQ(settings_.file, "路径 1/x;y");
  EXPECT_EQ(settings_.shape, Shape::kRound);
  EXPECT_EQ(pressed_, 1);
}

TEST_F(OptionsTest, BoolsHaveManySpellings) {
  for (const char* text : {"true", "ON", "yes", "1"}) {
    settings_.loud = false;
    EXPECT_TRUE(table_.Set("run.loud", text).ok());
    EXPECT_TRUE(settings_.loud) << text;
  }
  for (const char* text : {"False", "off", "NO", "0"}) {
    settings_.loud = true;
    EXPECT_TRUE(table_.Set("run.loud", text).ok());
    EXPECT_FALSE(settings_.loud) << text;
  }
  EXPECT_EQ(ErrorOf("run.loud", "maybe"), "run.loud is true or false, not 'maybe'");
}

TEST_F(OptionsTest, NamesDoNotDependOnCaseOrBlanks) {
  EXPECT_TRUE(table_.Set("PRESS_ME", "").ok());
  EXPECT_TRUE(table_.Set("press-me", "").ok());
  EXPECT_EQ(pressed_, 2);
  EXPECT_TRUE(table_.Set("Number", "7").ok());
  EXPECT_EQ(settings_.count, 7);
}

TEST_F(OptionsTest, ValuesOutsideTheRangeChangeNothing) {
  for (const char* text : {"0", "21", "-1", "3.5", "", "many", "99999999999999999999"}) {
    EXPECT_EQ(ErrorOf("run.count", text),
              "run.count is a whole number from 1 to 20, not '" + std::string(text) + "'");
  }
  EXPECT_EQ(settings_.count, 3);
  for (const char* text : {"-0.1", "4.1", "nan", "inf", "x"}) {
    EXPECT_THAT(ErrorOf("search.rate", text), HasSubstr("a number from 0 to 4, not '"));
  }
  EXPECT_EQ(settings_.rate, 1.5);
  EXPECT_EQ(ErrorOf("shape", "oval"), "shape is one of round, square, not 'oval'");
  EXPECT_EQ(settings_.shape, Shape::kSquare);
}

TEST_F(OptionsTest, ErrorsNameThePlaceAndTheNearestName) {
  EXPECT_EQ(ErrorOf("run.cuont", "3", "run.yaml:12"),
            "run.yaml:12: unknown name 'run.cuont', the nearest is run.count");
  EXPECT_EQ(ErrorOf("numbr", "3"), "unknown name 'numbr', the nearest is number");
  EXPECT_THAT(ErrorOf("run.count", "x", "run.yaml:13"), HasSubstr("run.yaml:13: run.count is"));
}

TEST_F(OptionsTest, NamesForOneValueAreWrittenAsTheFirst) {
  EXPECT_TRUE(table_.Set("shape", "box").ok());
  const Option* shape = table_.Find("shape");
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->text(), "square");
  EXPECT_EQ(shape->choices, (std::vector<std::string>{"round", "square"}));
}

TEST_F(OptionsTest, DefaultsAreTheValuesAtTheDeclaration) {
  EXPECT_TRUE(table_.Set("run.count", "9").ok());
  const Option* count = table_.Find("run.count");
  ASSERT_NE(count, nullptr);
  EXPECT_EQ(count->default_text, "3");
  EXPECT_EQ(count->text(), "9");
  EXPECT_EQ(count->min_text, "1");
  EXPECT_EQ(count->max_text, "20");
}

TEST_F(OptionsTest, SettingIsToldToWhoAskedForIt) {
  int told = 0;
  table_.AddBool("watched", &settings_.loud, "").on_set = [&told] { ++told; };
  EXPECT_FALSE(table_.Set("watched", "perhaps").ok());
  EXPECT_EQ(told, 0);
  EXPECT_TRUE(table_.Set("watched", "true").ok());
  EXPECT_EQ(told, 1);
}

TEST_F(OptionsTest, HelpHasALineForEach) {
  const std::string help = table_.Help();
  EXPECT_THAT(help, HasSubstr("run.count (a whole number from 1 to 20; default 3): how many\n"));
  EXPECT_THAT(help, HasSubstr("shape (one of round, square; default square): what form\n"));
  EXPECT_THAT(help, HasSubstr("Press Me: does it\n"));
}

}  // namespace
}  // namespace chuhe
