#include "selfplay/records/pgn_game.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"

namespace chuhe {
namespace {

std::string DateOf(const GameRecord& record) {
  if (record.finished_at == 0) return "????.??.??";
  return absl::FormatTime("%Y.%m.%d", absl::FromUnixSeconds(record.finished_at),
                          absl::UTCTimeZone());
}

std::string PlayerOf(const GameRecord& record) {
  return record.networks.empty() ? "?" : record.networks.front().sha256.substr(0, 12);
}

std::string EndOf(const GameRecord& record) {
  if (record.end != GameEnd::kRules) return std::string(GameEndName(record.end));
  return std::string(ReasonName(record.reason));
}

std::string CommentOn(const PlyRecord& ply) {
  if (!ply.is_searched) return "";
  return absl::StrFormat("%.1f %.1f %.1f", 100 * ply.root.win, 100 * ply.root.draw,
                         100 * ply.root.loss);
}

}  // namespace

absl::string_view PgnGame::Tag(absl::string_view name) const {
  for (const auto& [tag, value] : tags) {
    if (absl::EqualsIgnoreCase(tag, name)) return value;
  }
  return {};
}

absl::string_view ResultText(Outcome outcome) {
  switch (outcome) {
    case Outcome::kUndecided:
      return "*";
    case Outcome::kDraw:
      return "1/2-1/2";
    case Outcome::kRedLoses:
      return "0-1";
    case Outcome::kBlackLoses:
      return "1-0";
  }
  return "*";
}

GameRecord RecordOf(const PgnGame& game) {
  GameRecord record;
  record.start = game.start;
  record.start_no_capture_plies = game.start_no_capture_plies;
  record.outcome = game.outcome;
  const bool is_won = game.outcome == Outcome::kRedLoses || game.outcome == Outcome::kBlackLoses;
  // Real games that are won end by resignation or mate; agreed draws end anywhere.
  record.end = is_won ? GameEnd::kResignation : GameEnd::kUnknown;
  for (const Move move : game.moves) record.plies.push_back({.move = move});
  return record;
}

PgnGame PgnOf(const GameRecord& record) {
  PgnGame game;
  const std::string player = PlayerOf(record);
  game.tags = {{"Event", "Self-play"},
               {"Site", record.worker.empty() ? "?" : record.worker},
               {"Date", DateOf(record)},
               {"Round", absl::StrCat(record.seed)},
               {"Red", player},
               {"Black", player},
               {"Termination", EndOf(record)}};
  game.start = record.start;
  game.start_no_capture_plies = record.start_no_capture_plies;
  game.outcome = record.outcome;
  for (const PlyRecord& ply : record.plies) {
    game.moves.push_back(ply.move);
    game.comments.push_back(CommentOn(ply));
  }
  return game;
}

}  // namespace chuhe
