// A finished game of a match: how it went, how it ended and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/board/types.h"

namespace chuhe {

enum class GameOutcome { kUnfinished, kRedWins, kBlackWins, kDraw };

constexpr GameOutcome WinOf(Color color) {
  return color == Color::kRed ? GameOutcome::kRedWins : GameOutcome::kBlackWins;
}

// `1-0`, `0-1`, `1/2-1/2` or `*`.
absl::string_view OutcomeText(GameOutcome outcome);
std::optional<GameOutcome> OutcomeOfText(absl::string_view text);

// Reasons beside those of the rules (ReasonName in engine/rules/verdict.h). A player that fails
// loses.
namespace end_reason {
inline constexpr char kResignation[] = "resignation";
inline constexpr char kAgreement[] = "agreement";
inline constexpr char kIllegalMove[] = "illegal-move";
inline constexpr char kVoidOffer[] = "void-offer";
inline constexpr char kUnreadableMove[] = "unreadable-move";
inline constexpr char kNoMove[] = "no-move";
inline constexpr char kFalseClaim[] = "false-claim";
inline constexpr char kRefusedMove[] = "refused-move";  // a legal one of the opponent
inline constexpr char kDied[] = "died";
inline constexpr char kHung[] = "hung";  // no answer, without a time limit that it broke
inline constexpr char kTime[] = "time";
inline constexpr char kLate[] = "late";  // was not ready to play
inline constexpr char kRoundLimit[] = "round-limit";
inline constexpr char kAdjudication[] = "adjudication";
}  // namespace end_reason

struct PlayedPly {
  Move move;
  int64_t elapsed_us = 0;
  std::optional<int> score_cp;  // the mover's view
  std::optional<int> mate_in;
  int depth = 0;
  int64_t nodes = 0;
};

struct GameResult {
  GameOutcome outcome = GameOutcome::kUnfinished;
  std::string reason;
  std::string detail;            // one line for people
  std::vector<PlayedPly> plies;  // without those of the opening
  int violations[2] = {};        // by colour
  // With the audit of adjudications: what was decided, and when; the game was played on.
  std::optional<GameOutcome> audited;
  int audited_ply = 0;
  // Sums by colour, for the report on time. All of moves with a reported time only.
  int64_t measured_us[2] = {};
  int64_t reported_us[2] = {};
  int64_t reported_plies[2] = {};
  // What the runner itself computed, and in how many plies of external players.
  int64_t runner_us = 0;
  int64_t runner_plies = 0;
};

}  // namespace chuhe
