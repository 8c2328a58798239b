#include "selfplay/match/contest_law.h"

#include <cstdlib>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace chuhe {
namespace {

constexpr int kLargest = 1'000'000;

// Numbers separated by colons.
bool ReadNumbers(absl::string_view text, std::vector<int>* numbers) {
  for (const absl::string_view part : absl::StrSplit(text, ':')) {
    int number = 0;
    if (!absl::SimpleAtoi(part, &number) || std::abs(number) > kLargest) return false;
    numbers->push_back(number);
  }
  return true;
}

}  // namespace

std::string DrawRule::Text() const {
  std::string text;
  if (offer_moves > 0) {
    absl::StrAppend(&text, "offer ", offer_cp, ":", offer_moves, ":", offer_from);
  }
  if (accept_cp.has_value()) {
    absl::StrAppend(&text, text.empty() ? "" : " ", "accept ", *accept_cp, ":", accept_from);
  }
  return text;
}

absl::Status ParseDrawOffer(absl::string_view text, DrawRule* rule) {
  std::vector<int> numbers;
  if (!ReadNumbers(text, &numbers) || numbers.size() != 3 || numbers[0] < 0 || numbers[1] < 1 ||
      numbers[2] < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", text, "': expected SCORE:MOVES:FROM: centipawns from level, moves in a row, ply"));
  }
  rule->offer_cp = numbers[0];
  rule->offer_moves = numbers[1];
  rule->offer_from = numbers[2];
  return absl::OkStatus();
}

absl::Status ParseDrawAcceptance(absl::string_view text, DrawRule* rule) {
  std::vector<int> numbers;
  if (!ReadNumbers(text, &numbers) || numbers.size() > 2 ||
      (numbers.size() == 2 && numbers[1] < 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "': expected SCORE or SCORE:FROM: centipawns, ply"));
  }
  rule->accept_cp = numbers[0];
  rule->accept_from = numbers.size() == 2 ? numbers[1] : 0;
  return absl::OkStatus();
}

bool DrawRuleWatch::SaysDraw(Color color, const std::optional<Score>& score, int ply,
                             const DrawOffers& offers) {
  if (!score.has_value()) {
    level_ = 0;
    return false;
  }
  level_ = std::abs(score->centipawns) <= rule_.offer_cp ? level_ + 1 : 0;
  if (offers.StandsFor(color)) {
    return rule_.accept_cp.has_value() && score->centipawns <= *rule_.accept_cp &&
           ply >= rule_.accept_from;
  }
  return rule_.offer_moves > 0 && level_ >= rule_.offer_moves && ply >= rule_.offer_from &&
         offers.MayOffer(color);
}

DrawOffers::Effect DrawOffers::Answer(Color color, bool says_draw) {
  const bool was_offered = StandsFor(color);
  offered_by_.reset();
  if (!says_draw) return Effect::kNone;
  if (was_offered) return Effect::kAgreed;
  if (!may_offer_[Index(color)]) return Effect::kVoid;
  offered_by_ = color;
  may_offer_[Index(color)] = false;
  may_offer_[Index(Opponent(color))] = true;
  return Effect::kOffered;
}

Adjudication Adjudicator::Observe(Color mover, const std::optional<Score>& score, int ply) {
  if (!score.has_value()) {
    ahead_[0] = ahead_[1] = level_ = 0;
    return Adjudication::kNone;
  }
  const int red_cp = mover == Color::kRed ? score->centipawns : -score->centipawns;
  for (const Color color : {Color::kRed, Color::kBlack}) {
    const int cp = color == Color::kRed ? red_cp : -red_cp;
    ahead_[Index(color)] =
        options_.win_cp > 0 && cp >= options_.win_cp ? ahead_[Index(color)] + 1 : 0;
  }
  level_ = std::abs(red_cp) <= options_.draw_cp ? level_ + 1 : 0;
  if (ahead_[0] >= 2 * options_.win_moves) return Adjudication::kRedWins;
  if (ahead_[1] >= 2 * options_.win_moves) return Adjudication::kBlackWins;
  const bool is_level = options_.draw_moves > 0 && level_ >= 2 * options_.draw_moves;
  return is_level && ply >= options_.draw_after_ply ? Adjudication::kDraw : Adjudication::kNone;
}

}  // namespace chuhe
