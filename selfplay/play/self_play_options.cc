#include "selfplay/play/self_play_options.h"

#include <string>
#include <vector>

namespace chuhe {
namespace {

constexpr int kMaxVisits = 1'000'000;
// An audited game may take twice as many plies, and a record holds 10,000.
constexpr int kMaxPlyCap = 5000;

void AddSearchOptions(OptionTable* table, SelfPlayOptions* options) {
  std::vector<OptionChoice<RuleSet>> rules;
  for (const RuleSet set : kAllRuleSets) rules.push_back({std::string(RuleSetName(set)), set});
  table->AddChoice("selfplay.rules", &options->rules, rules, "rule set that games are judged by");
  table->AddInt("selfplay.games", &options->games, 1, 65536,
                "games that a worker plays at the same time; also its batch");
  table->AddInt("selfplay.visits", &options->visits, 1, kMaxVisits,
                "visits of a full search, which teaches the policy");
  table->AddInt("selfplay.fast_visits", &options->fast_visits, 1, kMaxVisits,
                "visits of a fast search, which gets on with the game");
  table->AddDouble("selfplay.full_share", &options->full_share, 0, 1,
                   "share of the moves that are searched in full");
  table->AddBool("selfplay.gumbel", &options->gumbel,
                 "search the root by sequential halving; off: PUCT with noise, forced visits and "
                 "pruned targets");
  table->AddInt("selfplay.sampled_moves", &options->sampled_moves, 1, 116,
                "root moves that a full search by sequential halving begins with");
  table->AddDouble("selfplay.value_scale", &options->value_scale, 0.001, 100,
                   "how much values count against priors in targets of sequential halving");
  table->AddDouble("selfplay.forced_visits", &options->forced_visits, 0, 100,
                   "PUCT: a root move once tried gets at least the root of this times prior times "
                   "visits");
  table->AddDouble("selfplay.noise_share", &options->noise_share, 0, 1,
                   "PUCT: share of noise in the root's priors in full searches");
  table->AddDouble("selfplay.noise_concentration", &options->noise_concentration, 0.01, 1000,
                   "PUCT: sum of the noise's concentrations over the legal moves");
}

void AddChoiceOptions(OptionTable* table, SelfPlayOptions* options) {
  table->AddDouble("selfplay.temperature", &options->temperature, 0, 1,
                   "of the choice of moves, at the start of a game");
  table->AddDouble("selfplay.final_temperature", &options->final_temperature, 0, 1,
                   "that the temperature approaches");
  table->AddInt("selfplay.temperature_halving", &options->temperature_halving, 1, 10000,
                "plies in which the temperature goes half the way to the final one");
}

void AddOpeningOptions(OptionTable* table, SelfPlayOptions* options) {
  table->AddString("selfplay.openings", &options->openings,
                   "file of openings, one a line (docs/match.md), or .pgn; empty: none");
  table->AddDouble("selfplay.openings_share", &options->openings_share, 0, 1,
                   "share of the games that begin with one of the file");
  table->AddDouble("selfplay.random_share", &options->random_share, 0, 1,
                   "share of the games that begin with random moves");
  table->AddInt("selfplay.random_plies", &options->random_plies, 0, 100,
                "random moves are from 1 to so many");
  table->AddDouble("selfplay.policy_share", &options->policy_share, 0, 1,
                   "share of the games that go on with moves drawn by the network's policy alone");
  table->AddInt("selfplay.policy_plies", &options->policy_plies, 0, 100,
                "these are from 1 to so many");
  table->AddDouble(
      "selfplay.odds_share", &options->odds_share, 0, 1,
      "share of the games from the start position that lack some men, so that networks "
      "learn early what men are worth");
  table->AddInt("selfplay.odds_men", &options->odds_men, 1, 10,
                "of each side up to so many are missing");
  table->AddDouble("selfplay.fork_share", &options->fork_share, 0, 1,
                   "share of the games of which a second one branches off with another good move");
  table->AddInt("selfplay.fork_plies", &options->fork_plies, 1, 10000,
                "it does so within so many plies from the start");
  table->AddDouble("selfplay.fork_margin", &options->fork_margin, 0, 2,
                   "a good move is at most so much worse than the best one (values: -1 to 1)");
}

void AddEndOptions(OptionTable* table, SelfPlayOptions* options) {
  table->AddBool("selfplay.resign", &options->resign, "give up games that are lost");
  table->AddDouble("selfplay.resign_value", &options->resign_value, -1, 0,
                   "nobody resigns above this value; the threshold in force is found by audit");
  table->AddInt("selfplay.resign_moves", &options->resign_moves, 1, 100,
                "own moves in a row that must look so bad");
  table->AddDouble("selfplay.resign_audit", &options->resign_audit, 0, 1,
                   "share of the games in which nobody resigns, to see what would have come");
  table->AddDouble("selfplay.resign_wrong", &options->resign_wrong, 0, 1,
                   "highest share of resignations that may be wrong, as audited");
  table->AddInt("selfplay.resign_min_games", &options->resign_min_games, 1, 1000000,
                "nobody resigns before so many games have been audited");
  table->AddInt("selfplay.ply_cap", &options->ply_cap, 2, kMaxPlyCap,
                "plies after which games end");
  table->AddInt("selfplay.early_ply_cap", &options->early_ply_cap, 2, kMaxPlyCap,
                "the same for the first games, which young networks play without aim");
  table->AddInt("selfplay.early_games", &options->early_games, int64_t{0}, int64_t{1} << 40,
                "how many are the first games");
  table->AddBool("selfplay.adjudicate", &options->adjudicate,
                 "a game that ends by the cap is won by the side that is ahead in material; off: "
                 "drawn");
  table->AddDouble("selfplay.adjudication_margin", &options->adjudication_margin, 0.5, 100,
                   "ahead by so many pawns (rook 9, cannon 4.5, knight 4, advisor and bishop 2)");
  table->AddDouble("selfplay.adjudication_audit", &options->adjudication_audit, 0, 1,
                   "share of the games that go on beyond the cap, up to twice as long, to see who "
                   "would have won");
}

}  // namespace

void AddSelfPlayOptions(OptionTable* table, SelfPlayOptions* options) {
  AddSearchOptions(table, options);
  AddChoiceOptions(table, options);
  AddOpeningOptions(table, options);
  AddEndOptions(table, options);
}

}  // namespace chuhe
