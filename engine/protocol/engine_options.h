// The settings that a GUI may change, under their names in UCI and UCCI.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/options.h"
#include "engine/protocol/dialect.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/rules/rule_set.h"

namespace chuhe {

// What a searcher is made from: when one of these changes, another one is made.
struct SearcherOptions {
  int hash_mb = 64;                // 0: the searcher's own default
  int threads = 1;                 // likewise
  std::string network_file;        // empty: the one that comes with the program
  std::string device = "cpu";      // `cpu`, `cuda`, `cuda:0,1`
  std::string precision = "auto";  // or fp32, bf16, fp16, int8
  int batch_size = 0;              // positions evaluated at once; 0: as suits the device
  int draw_score_percent = 0;      // worth of a draw to the engine, of a win
  int temperature_percent = 0;     // above 0: moves are drawn by their visits
  bool uses_book = true;
  std::string book_file;  // empty: none

  friend bool operator==(const SearcherOptions&, const SearcherOptions&) = default;
};

enum class GameVariant { kXiangqi };

struct EngineOptions {
  SearcherOptions searcher;
  RuleSet rules = RuleSet::kComputer;
  int multipv = 1;
  int node_limit = 0;  // at most so many nodes a move, to play weaker; 0: no limit
  int move_overhead_ms = 30;
  bool show_wdl = false;
  GameVariant variant = GameVariant::kXiangqi;
  RankBase squares = RankBase::kZero;  // ranks from 1 once the GUI has set UCI_Variant
  bool milliseconds = false;           // UCCI's unit of time
  bool batch = false;
  bool debug = false;
  // When to accept offers and when to give up: both need a protocol that has words for it (UCCI).
  bool accept_offers = false;
  int give_up_below = 0;  // UCCI points behind; 0: never
  // What a GUI asks for although nothing here depends on it.
  bool ponder = false;
  bool analyse_mode = false;
};

// Owned by one thread. The options must outlive the table.
class EngineOptionTable {
 public:
  // `on_new_game` and `on_clear_hash` are the buttons.
  EngineOptionTable(EngineOptions* options, std::function<void()> on_new_game,
                    std::function<void()> on_clear_hash);

  // Either protocol's names are understood at any time. A bare name may have lost words to the
  // value (`Move Overhead 50`). Options that only other engines have are errors of kind NotFound,
  // but not those of the UCCI standard, which are taken without effect.
  absl::Status Set(absl::string_view name, absl::string_view value, bool is_bare);

  // The lines that list the options in answer to the handshake, joined by line ends.
  std::string Lines(Dialect dialect) const;

 private:
  struct Names {
    std::string uci;   // empty: not listed under UCI
    std::string ucci;  // empty: not listed under UCCI
  };
  void Name(Option* option, const std::string& uci, const std::string& ucci);
  void AddSearcherOptions();
  void AddNetworkOptions();
  void AddPlayOptions();
  void AddRules();
  void AddProtocolOptions();

  EngineOptions* options_;
  OptionTable table_;
  std::vector<Names> names_;  // of each option of the table
};

}  // namespace chuhe
