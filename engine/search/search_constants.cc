#include "engine/search/search_constants.h"

#include "engine/base/options.h"
#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

// The fields of TreeSearchOptions that can be set, as the types of an OptionTable.
class Constants {
 public:
  explicit Constants(const TreeSearchOptions& options)
      : exploration_init_(options.puct.exploration_init),
        exploration_base_(options.puct.exploration_base),
        exploration_factor_(options.puct.exploration_factor),
        first_play_reduction_(options.puct.first_play_reduction),
        policy_temperature_(options.puct.policy_temperature),
        draw_score_(options.puct.draw_score),
        moves_left_slope_(options.puct.moves_left_slope),
        moves_left_cap_(options.puct.moves_left_cap),
        mate_steps_(options.mate_steps),
        batch_size_(options.batch_size) {
    table_.AddDouble("cpuct", &exploration_init_, 0, 100,
                     "exploration: weight of the priors at few visits");
    table_.AddDouble("cpuct_base", &exploration_base_, 1, 1e9,
                     "visits from which on it grows with their logarithm");
    table_.AddDouble("cpuct_factor", &exploration_factor_, 0, 100, "by how much");
    table_.AddDouble("fpu", &first_play_reduction_, -2, 2,
                     "untried moves are expected to be worth so much less than their node, times "
                     "the root of the prior mass of the tried ones");
    table_.AddDouble("policy_temperature", &policy_temperature_, 0.1, 10,
                     "priors to the power of one over this");
    table_.AddDouble("draw_score", &draw_score_, -1, 1,
                     "what a draw is worth to the side to move at the root");
    table_.AddDouble("moves_left_slope", &moves_left_slope_, 0, 1,
                     "by how much quicker wins are preferred, in units of value a ply");
    table_.AddDouble("moves_left_cap", &moves_left_cap_, 0, 1, "at most");
    table_.AddInt("mate_steps", &mate_steps_, 0, 1 << 20,
                  "of the search for mates at the root, for each visit");
    table_.AddInt("leaves", &batch_size_, 1, 1024, "positions that are asked for at once");
  }

  OptionTable& table() { return table_; }

  void Store(TreeSearchOptions* options) const {
    PuctOptions& puct = options->puct;
    puct.exploration_init = static_cast<float>(exploration_init_);
    puct.exploration_base = static_cast<float>(exploration_base_);
    puct.exploration_factor = static_cast<float>(exploration_factor_);
    puct.first_play_reduction = static_cast<float>(first_play_reduction_);
    puct.policy_temperature = static_cast<float>(policy_temperature_);
    puct.draw_score = static_cast<float>(draw_score_);
    puct.moves_left_slope = static_cast<float>(moves_left_slope_);
    puct.moves_left_cap = static_cast<float>(moves_left_cap_);
    options->mate_steps = mate_steps_;
    options->batch_size = batch_size_;
  }

 private:
  double exploration_init_;
  double exploration_base_;
  double exploration_factor_;
  double first_play_reduction_;
  double policy_temperature_;
  double draw_score_;
  double moves_left_slope_;
  double moves_left_cap_;
  int mate_steps_;
  int batch_size_;
  OptionTable table_;
};

}  // namespace

absl::Status SetSearchConstants(std::span<const std::pair<std::string, std::string>> values,
                                absl::string_view place, TreeSearchOptions* options) {
  Constants constants(*options);
  for (const auto& [name, value] : values) {
    CHUHE_RETURN_IF_ERROR(constants.table().Set(name, value, place));
  }
  constants.Store(options);
  return absl::OkStatus();
}

std::string SearchConstantsHelp(const TreeSearchOptions& defaults) {
  return Constants(defaults).table().Help();
}

}  // namespace chuhe
