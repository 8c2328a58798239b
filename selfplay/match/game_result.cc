#include "selfplay/match/game_result.h"

namespace chuhe {

absl::string_view OutcomeText(GameOutcome outcome) {
  switch (outcome) {
    case GameOutcome::kUnfinished:
      return "*";
    case GameOutcome::kRedWins:
      return "1-0";
    case GameOutcome::kBlackWins:
      return "0-1";
    case GameOutcome::kDraw:
      return "1/2-1/2";
  }
  return "";
}

std::optional<GameOutcome> OutcomeOfText(absl::string_view text) {
  for (const GameOutcome outcome : {GameOutcome::kUnfinished, GameOutcome::kRedWins,
                                    GameOutcome::kBlackWins, GameOutcome::kDraw}) {
    if (text == OutcomeText(outcome)) return outcome;
  }
  return std::nullopt;
}

}  // namespace chuhe
