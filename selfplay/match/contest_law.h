// What a contest adds to the rules of the board: offers of a draw, violations, limits of length,
// and results that nobody needs to see played out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/types.h"
#include "engine/search/searcher.h"

namespace chuhe {

struct ContestLaw {
  // So many violations of a kind are forgiven: illegal moves, which are taken back, and void offers
  // of a draw. One more loses. 0: an illegal move loses at once, void offers are only counted.
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
  // Whether an offer by the player would count.
  bool MayOffer(Color color) const { return may_offer_[Index(color)]; }

  // The player's answer came with or without the word. Moving on without it refuses an offer.
  Effect Answer(Color color, bool says_draw);

 private:
  std::optional<Color> offered_by_;
  bool may_offer_[2] = {true, true};
};

// When the runner offers a draw or takes one in the name of a player, for those whose protocol has
// no word for it. The player's own scores decide.
struct DrawRule {
  // Offers with its move when its last `offer_moves` scores, this one included, are no further from
  // level than this. The law of offers holds: one that would be void is not made.
  int offer_cp = 0;
  int offer_moves = 0;  // 0: never
  int offer_from = 0;   // not before this ply
  // Takes an offer when its score is this or less.
  std::optional<int> accept_cp;
  int accept_from = 0;  // not before this ply

  bool is_set() const { return offer_moves > 0 || accept_cp.has_value(); }
  // `offer 10:6:80 accept 0:40`, as far as it is set.
  std::string Text() const;
};

// `SCORE:MOVES:FROM` and `SCORE` or `SCORE:FROM`. Errors say what was expected.
absl::Status ParseDrawOffer(absl::string_view text, DrawRule* rule);
absl::Status ParseDrawAcceptance(absl::string_view text, DrawRule* rule);

// Applies a player's rule to its moves. Owned by one thread.
class DrawRuleWatch {
 public:
  explicit DrawRuleWatch(const DrawRule& rule) : rule_(rule) {}

  // To be called for each of the player's moves, with the plies before it. Whether the runner says
  // "draw" with the move.
  bool SaysDraw(Color color, const std::optional<Score>& score, int ply, const DrawOffers& offers);

 private:
  DrawRule rule_;
  int level_ = 0;  // moves in a row
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
