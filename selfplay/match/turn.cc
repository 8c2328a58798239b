#include "selfplay/match/turn.h"

#include <exception>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/rules/notation/coordinates.h"
#include "nlohmann/json.hpp"

namespace chuhe {
namespace {

using nlohmann::json;

template <typename T>
std::string OrNull(const std::optional<T>& number) {
  return number.has_value() ? absl::StrCat(*number) : "null";
}

template <typename T>
std::optional<T> Optional(const json& value) {
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

// Throws what the JSON library throws.
absl::StatusOr<NumberedTurn> Read(const json& list) {
  NumberedTurn numbered;
  numbered.game = list.at(0);
  numbered.number = list.at(1);
  MoveAnswer& answer = numbered.turn.answer;
  const std::optional<Move> move = ParseUci(list.at(2).get<std::string>());
  if (!move.has_value()) return absl::InvalidArgumentError("no move");
  answer.kind = AnswerKind::kMove;
  answer.move = *move;
  answer.elapsed_us = list.at(3);
  if (const auto centipawns = Optional<int>(list.at(4))) {
    answer.score = Score{.centipawns = *centipawns, .mate_in = Optional<int>(list.at(5))};
  }
  answer.depth = list.at(6);
  answer.nodes = list.at(7);
  answer.offers_draw = list.at(8).get<int>() != 0;
  answer.reported_ms = Optional<int64_t>(list.at(9));
  numbered.turn.runner_us = Optional<int64_t>(list.at(10));
  return numbered;
}

}  // namespace

// By hand, since it is written at every ply.
std::string ToJsonLine(const NumberedTurn& turn) {
  const MoveAnswer& answer = turn.turn.answer;
  std::optional<int> centipawns;
  std::optional<int> mate_in;
  if (answer.score.has_value()) {
    centipawns = answer.score->centipawns;
    mate_in = answer.score->mate_in;
  }
  return absl::StrCat(
      absl::StrCat("[", turn.game, ",", turn.number, ",\"", FormatUci(answer.move), "\","),
      absl::StrCat(answer.elapsed_us, ",", OrNull(centipawns), ",", OrNull(mate_in), ","),
      absl::StrCat(answer.depth, ",", answer.nodes, ",", answer.offers_draw ? 1 : 0, ","),
      absl::StrCat(OrNull(answer.reported_ms), ",", OrNull(turn.turn.runner_us), "]"));
}

absl::StatusOr<NumberedTurn> TurnFromJsonLine(const std::string& line) {
  try {
    return Read(json::parse(line));
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
}

}  // namespace chuhe
