#include "selfplay/match/contest_law.h"

#include <cstdlib>

namespace chuhe {

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
