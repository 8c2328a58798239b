#include "selfplay/match/played_game.h"

#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/coordinates.h"
#include "nlohmann/json.hpp"

namespace chuhe {
namespace {

using nlohmann::json;

json OrNull(const std::optional<int>& number) { return number ? json(*number) : json(); }

std::optional<int> OptionalInt(const json& value) {
  return value.is_null() ? std::nullopt : std::optional<int>(value.get<int>());
}

// Throws what the JSON library throws.
absl::StatusOr<PlayedGame> Read(const json& object) {
  PlayedGame played;
  played.game = {.index = object.at("game"),
                 .round = object.at("round"),
                 .pair = object.at("pair"),
                 .opening = object.at("opening"),
                 .red = object.at("red"),
                 .black = object.at("black")};
  CHUHE_ASSIGN_OR_RETURN(played.opening, ParseOpening(object.at("start").get<std::string>()));
  GameResult& result = played.result;
  const std::optional<GameOutcome> outcome = OutcomeOfText(object.at("result").get<std::string>());
  if (!outcome.has_value()) return absl::InvalidArgumentError("result: not one of a game");
  result.outcome = *outcome;
  result.reason = object.at("reason").get<std::string>();
  result.detail = object.at("detail").get<std::string>();
  for (int color = 0; color < 2; ++color) {
    result.violations[color] = object.at("violations").at(color);
    result.measured_us[color] = object.at("measured_us").at(color);
    result.reported_us[color] = object.at("reported_us").at(color);
  }
  result.runner_us = object.at("runner_us");
  result.runner_plies = object.at("runner_plies");
  if (const json& audit = object.at("audit"); !audit.is_null()) {
    result.audited = OutcomeOfText(audit.at(0).get<std::string>());
    result.audited_ply = audit.at(1);
  }
  const auto reported_plies = object.find("reported_plies");
  for (int color = 0; color < 2 && reported_plies != object.end(); ++color) {
    result.reported_plies[color] = reported_plies->at(color);
  }
  Game game = played.opening.MakeGame(RuleSet::kComputer);
  for (const json& ply : object.at("plies")) {
    const std::optional<Move> move = ParseUci(ply.at(0).get<std::string>());
    if (!move.has_value() || !IsLegal(game.position(), *move)) {
      return absl::InvalidArgumentError(
          absl::StrCat("plies: move ", result.plies.size() + 1, " is illegal"));
    }
    // Journals that were begun before this was counted: all plies, if any.
    const int mover = Index(game.position().side_to_move());
    if (reported_plies == object.end() && result.reported_us[mover] > 0) {
      ++result.reported_plies[mover];
    }
    game.Make(*move);
    result.plies.push_back({.move = *move,
                            .elapsed_us = ply.at(1),
                            .score_cp = OptionalInt(ply.at(2)),
                            .mate_in = OptionalInt(ply.at(3)),
                            .depth = ply.at(4),
                            .nodes = ply.at(5)});
  }
  return played;
}

}  // namespace

std::string ToJsonLine(const PlayedGame& played) {
  const GameResult& result = played.result;
  json plies = json::array();
  for (const PlayedPly& ply : result.plies) {
    plies.push_back({FormatUci(ply.move), ply.elapsed_us, OrNull(ply.score_cp), OrNull(ply.mate_in),
                     ply.depth, ply.nodes});
  }
  json audit;
  if (result.audited.has_value()) {
    audit = {std::string(OutcomeText(*result.audited)), result.audited_ply};
  }
  const json object = {{"game", played.game.index},
                       {"round", played.game.round},
                       {"pair", played.game.pair},
                       {"opening", played.game.opening},
                       {"red", played.game.red},
                       {"black", played.game.black},
                       {"start", FormatOpening(played.opening)},
                       {"result", std::string(OutcomeText(result.outcome))},
                       {"reason", result.reason},
                       {"detail", result.detail},
                       {"violations", result.violations},
                       {"measured_us", result.measured_us},
                       {"reported_us", result.reported_us},
                       {"reported_plies", result.reported_plies},
                       {"runner_us", result.runner_us},
                       {"runner_plies", result.runner_plies},
                       {"audit", audit},
                       {"plies", plies}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

absl::StatusOr<PlayedGame> FromJsonLine(const std::string& line) {
  try {
    return Read(json::parse(line));
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
}

}  // namespace chuhe
