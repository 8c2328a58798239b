#include "selfplay/match/pgn_writer.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "selfplay/records/pgn_writer.h"

namespace chuhe {
namespace {

std::string ScoreText(const PlayedPly& ply) {
  if (ply.mate_in.has_value()) return absl::StrFormat("%+dM", *ply.mate_in);
  if (!ply.score_cp.has_value()) return "";
  return absl::StrFormat("%+.2f", *ply.score_cp / 100.0);
}

std::string CommentOn(const PlayedPly& ply) {
  const std::string score = ScoreText(ply);
  return absl::StrFormat("%s%s%.3fs", score, score.empty() ? "" : absl::StrCat("/", ply.depth, " "),
                         static_cast<double>(ply.elapsed_us) / 1e6);
}

Outcome OutcomeOf(GameOutcome outcome) {
  switch (outcome) {
    case GameOutcome::kUnfinished:
      return Outcome::kUndecided;
    case GameOutcome::kRedWins:
      return Outcome::kBlackLoses;
    case GameOutcome::kBlackWins:
      return Outcome::kRedLoses;
    case GameOutcome::kDraw:
      return Outcome::kDraw;
  }
  return Outcome::kUndecided;
}

}  // namespace

std::string FormatPgn(const MatchOptions& options, const PlayedGame& played,
                      const PgnStyle& style) {
  const auto name = [&](int engine) { return options.engines[static_cast<size_t>(engine)].name; };
  PgnGame game;
  game.tags = {{"Event", style.event},
               {"Site", "Chuhe match"},
               {"Date", style.date},
               {"Round", absl::StrCat(played.game.round + 1, ".", played.game.index + 1)},
               {"Red", name(played.game.red)},
               {"Black", name(played.game.black)},
               {"Termination", std::string(played.result.reason)}};
  game.start = played.opening.start;
  game.start_no_capture_plies = played.opening.halfmove;
  game.moves = played.opening.moves;
  game.comments.resize(game.moves.size());
  for (const PlayedPly& ply : played.result.plies) {
    game.moves.push_back(ply.move);
    game.comments.push_back(style.comments ? CommentOn(ply) : "");
  }
  game.outcome = OutcomeOf(played.result.outcome);
  return WritePgn(game, style.notation);
}

}  // namespace chuhe
