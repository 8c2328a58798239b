#include "cli/analysis_json.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/rules/notation/notation.h"
#include "engine/search/tree_searcher.h"
#include "nlohmann/json.hpp"

namespace chuhe {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kKeys[] = "id, fen, moves, nodes, movetime_ms, multipv, priority, rules, cancel";

absl::Status Unexpected(absl::string_view key, const Json& value, absl::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrCat(key, " is ", value.dump(-1, ' ', false, Json::error_handler_t::replace),
                   "; expected ", expected));
}

absl::StatusOr<int64_t> ReadNumber(const Json& line, const char* key, int64_t min, int64_t max,
                                   int64_t fallback) {
  if (!line.contains(key)) return fallback;
  const Json& value = line[key];
  const bool is_known = value.is_number_integer() &&
                        !(value.is_number_unsigned() &&
                          value.get<uint64_t>() > uint64_t{std::numeric_limits<int64_t>::max()});
  if (!is_known || value.get<int64_t>() < min || value.get<int64_t>() > max) {
    return Unexpected(key, value, absl::StrCat("a whole number from ", min, " to ", max));
  }
  return value.get<int64_t>();
}

absl::StatusOr<Game> ReadGame(const Json& line, RuleSet rules) {
  FenRecord start{.position = Position::Start()};
  if (line.contains("fen")) {
    if (!line["fen"].is_string()) return Unexpected("fen", line["fen"], "a string");
    CHUHE_ASSIGN_OR_RETURN(start, ParseFen(line["fen"].get<std::string>()));
  }
  if (line.contains("rules")) {
    if (!line["rules"].is_string()) return Unexpected("rules", line["rules"], "a string");
    CHUHE_ASSIGN_OR_RETURN(rules, ParseRuleSet(line["rules"].get<std::string>()));
  }
  Game game(start.position, {.rules = rules, .no_capture_plies = start.halfmove});
  if (!line.contains("moves")) return game;
  const Json& moves = line["moves"];
  if (!moves.is_array()) return Unexpected("moves", moves, "an array such as [\"h2e2\"]");
  for (size_t i = 0; i < moves.size(); ++i) {
    const std::string place = absl::StrCat("moves[", i, "]");
    if (!moves[i].is_string()) return Unexpected(place, moves[i], "a string such as \"h2e2\"");
    const std::optional<Move> move = ParseUci(moves[i].get<std::string>());
    if (!move) return Unexpected(place, moves[i], "a move such as \"h2e2\"");
    if (!IsLegal(game.position(), *move)) return Unexpected(place, moves[i], "a legal move");
    game.Make(*move);
  }
  return game;
}

absl::StatusOr<AnalysisOrder> ReadOrder(const Json& line, const std::string& id, RuleSet rules) {
  CHUHE_ASSIGN_OR_RETURN(Game game, ReadGame(line, rules));
  AnalysisOrder order{.id = id, .game = std::move(game)};
  constexpr int64_t kMost = int64_t{1} << 40;
  CHUHE_ASSIGN_OR_RETURN(order.nodes, ReadNumber(line, "nodes", 1, kMost, 0));
  CHUHE_ASSIGN_OR_RETURN(order.movetime_ms, ReadNumber(line, "movetime_ms", 1, kMost, 0));
  if (order.nodes == 0 && order.movetime_ms == 0) {
    return absl::InvalidArgumentError("neither nodes nor movetime_ms is given");
  }
  CHUHE_ASSIGN_OR_RETURN(const int64_t multipv, ReadNumber(line, "multipv", 1, kMaxMoves, 1));
  CHUHE_ASSIGN_OR_RETURN(const int64_t priority, ReadNumber(line, "priority", -1000, 1000, 0));
  order.multipv = static_cast<int>(multipv);
  order.priority = static_cast<int>(priority);
  return order;
}

absl::StatusOr<AnalysisRequest> ReadRequest(const Json& line, const std::string& id,
                                            RuleSet rules) {
  for (const auto& [key, value] : line.items()) {
    const std::vector<absl::string_view> keys = {
        "id", "fen", "moves", "nodes", "movetime_ms", "multipv", "priority", "rules", "cancel"};
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown key '", key, "'; expected some of ", kKeys));
    }
  }
  if (!line.contains("id") || !(line["id"].is_string() || line["id"].is_number())) {
    return absl::InvalidArgumentError("id is missing; expected a string or a number");
  }
  if (line.contains("cancel")) {
    if (line["cancel"] != true) return Unexpected("cancel", line["cancel"], "true");
    return AnalysisCancel{id};
  }
  CHUHE_ASSIGN_OR_RETURN(AnalysisOrder order, ReadOrder(line, id, rules));
  return order;
}

Json WdlJson(const SearchLine& line) {
  return {(*line.wdl)[0] / 1000.0, (*line.wdl)[1] / 1000.0, (*line.wdl)[2] / 1000.0};
}

void AddScore(const SearchLine& line, Json* json) {
  (*json)["wdl"] = WdlJson(line);
  (*json)["score_cp"] = line.score.centipawns;
  if (line.score.mate_in) (*json)["mate"] = *line.score.mate_in;
}

}  // namespace

ReadAnalysis ReadAnalysisLine(const std::string& line, RuleSet default_rules) {
  ReadAnalysis read{.request = absl::InvalidArgumentError("not a JSON object")};
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return read;
  if (json.contains("id") && (json["id"].is_string() || json["id"].is_number())) {
    read.id = json["id"].dump();
  }
  read.request = ReadRequest(json, read.id, default_rules);
  return read;
}

std::string AnalysisAnswer(const AnalysisOrder& order, const TreeSearch& search) {
  const Position& position = order.game.position();
  Json moves = Json::array();
  Json answer;
  const std::vector<Edge> ranked = search.RankedRootMoves();
  for (const Edge& edge : ranked) {
    if (static_cast<int>(moves.size()) == order.multipv) break;
    const SearchLine line = MakeSearchLine(search, edge);
    if (moves.empty()) AddScore(line, &answer);
    Json move = {{"move", FormatUci(edge.move)},
                 {"chinese", WriteMove(position, edge.move, Notation::kChinese)},
                 {"visits", edge.visits},
                 {"prior", edge.prior * Node::kPriorUnit}};
    AddScore(line, &move);
    Json pv = Json::array();
    for (const Move next : line.moves) pv.push_back(FormatUci(next));
    move["pv"] = std::move(pv);
    moves.push_back(std::move(move));
  }
  if (moves.empty()) {
    // No legal move: the side to move has lost.
    answer["wdl"] = {0.0, 0.0, 1.0};
    answer["score_cp"] = CentipawnsOfValue(-1);
  }
  answer["visits"] = search.visits();
  answer["moves"] = std::move(moves);
  return absl::StrCat("{\"id\":", order.id, ",", answer.dump().substr(1));
}

std::string AnalysisError(const std::string& id, absl::string_view message) {
  const Json text = std::string(message.data(), message.size());
  return absl::StrCat("{\"id\":", id,
                      ",\"error\":", text.dump(-1, ' ', false, Json::error_handler_t::replace),
                      "}");
}

std::string AnalysisCancelled(const std::string& id) {
  return absl::StrCat("{\"id\":", id, ",\"cancelled\":true}");
}

}  // namespace chuhe
