// What a contest adds to the rules of the board: offers of a draw, violations, limits of length,
// and results that nobody needs to see played out.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/board/types.h"
#include "engine/search/searcher.h"

namespace chuhe {

struct ContestLaw {
  // Illegal moves that a player may take back; one more loses.
  int allowed_violations = 0;
  // The game is drawn after so many rounds without a capture, if that is before the rule set's own
  // limit (限着). 0: the rule set's alone.
  int round_limit = 0;
  int ply_cap = 0;  // the game is drawn after so many plies; 0: no cap
  // Overstepping a clock by no more than this is forgiven.
  int64_t margin_ms = 0;
  // How long a player without a time limit may think before it counts as hanging.
  int64_t patience_ms = 120'000;
};

// Offers of a draw as over the board: one comes with a move and stands until it is answered;
// whoever was refused may not offer again before the other has offered. Owned by one thread.
class DrawOffers {
 public:
  enum class Effect { kNone, kOffered, kAgreed, kVoid };

  // Whether the player to move has an offer before it.
  bool StandsFor(Color color) const { return offered_by_ == Opponent(color); }

  // The player's answer came with or without the word. Moving on without it refuses an offer.
  Effect Answer(Color color, bool says_draw);

 private:
  std::optional<Color> offered_by_;
  bool may_offer_[2] = {true, true};
};

struct AdjudicationOptions {
  // Won: for `win_moves` moves in a row of each player, both see the same side ahead by at least
  // this.
  int win_cp = 0;  // 0: never
  int win_moves = 4;
  // Drawn: for `draw_moves` moves in a row of each player no score is above this.
  int draw_cp = 0;
  int draw_moves = 0;  // 0: never
  int draw_after_ply = 80;
  // The share of games that are played out nevertheless, to see whether they end as decided.
  double audit_share = 0;
};

enum class Adjudication { kNone, kRedWins, kBlackWins, kDraw };

// Watches the scores of a game. Owned by one thread.
class Adjudicator {
 public:
  explicit Adjudicator(const AdjudicationOptions& options) : options_(options) {}

  // The player's own view of the position in which it moved; without one nothing is decided.
  Adjudication Observe(Color mover, const std::optional<Score>& score, int ply);

 private:
  AdjudicationOptions options_;
  int ahead_[2] = {};  // plies in a row that see this side winning
  int level_ = 0;      // plies in a row that see a draw
};

}  // namespace chuhe
