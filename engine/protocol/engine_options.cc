#include "engine/protocol/engine_options.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/protocol/reply_text.h"

namespace chuhe {
namespace {

constexpr int kMaxHashMb = 65536;
constexpr int kMaxThreads = 512;
constexpr int kMaxMultipv = 116;  // as many moves as a position can have
constexpr int kMaxMoveOverheadMs = 10000;
constexpr int kMaxGiveUp = 30000;
constexpr int kMaxBatchSize = 1024;
constexpr int kMaxTemperature = 1000;
constexpr int kMaxNodeLimit = 1000000000;

// Names of the UCCI standard, of its older versions too, that have no effect here.
constexpr absl::string_view kWithoutEffect[] = {
    "useegtb",    "egtbpaths", "evalapi",     "idle",      "promotion", "pruning",  "knowledge",
    "randomness", "style",     "selectivity", "drawmoves", "usehash",   "loadbook", "dualtime",
};

bool IsWithoutEffect(absl::string_view name) {
  return std::any_of(
      std::begin(kWithoutEffect), std::end(kWithoutEffect),
      [name](absl::string_view known) { return absl::EqualsIgnoreCase(known, name); });
}

// Moves words from the front of the value to the end of the name until that is known.
void CompleteName(const OptionTable& table, std::string* name, absl::string_view* value) {
  std::string longer = *name;
  absl::string_view rest = *value;
  while (!rest.empty() && table.Find(longer) == nullptr) {
    const size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    absl::StrAppend(&longer, " ", rest.substr(0, end));
    rest = absl::StripLeadingAsciiWhitespace(rest.substr(end));
  }
  if (table.Find(longer) != nullptr) {
    *name = std::move(longer);
    *value = rest;
  }
}

}  // namespace

EngineOptionTable::EngineOptionTable(EngineOptions* options, std::function<void()> on_new_game,
                                     std::function<void()> on_clear_hash)
    : options_(options) {
  AddSearcherOptions();
  AddNetworkOptions();
  AddPlayOptions();
  AddRules();
  AddProtocolOptions();
  Name(&table_.AddButton("Clear Hash", std::move(on_clear_hash), "forget what was searched"),
       "Clear Hash", "clearhash");
  Name(&table_.AddButton("newgame", std::move(on_new_game), "a new game begins"), "", "newgame");
}

void EngineOptionTable::Name(Option* option, const std::string& uci, const std::string& ucci) {
  for (const std::string& name : {uci, ucci}) {
    if (!name.empty() && table_.Find(name) == nullptr) {
      option->aliases.push_back(name);
    }
  }
  names_.push_back({uci, ucci});
}

void EngineOptionTable::AddSearcherOptions() {
  SearcherOptions& searcher = options_->searcher;
  Name(&table_.AddInt("Hash", &searcher.hash_mb, 0, kMaxHashMb,
                      "megabytes for what is remembered of the search; 0: automatic"),
       "Hash", "hashsize");
  Name(&table_.AddInt("Threads", &searcher.threads, 0, kMaxThreads,
                      "threads to search with; 0: automatic"),
       "Threads", "threads");
}

void EngineOptionTable::AddNetworkOptions() {
  SearcherOptions& searcher = options_->searcher;
  Name(&table_.AddString("EvalFile", &searcher.network_file,
                         "the network's file; empty: the one that comes with the program"),
       "EvalFile", "network");
  Name(&table_.AddString("Device", &searcher.device, "where the network runs: cpu, cuda, cuda:0,1"),
       "Device", "device");
  Name(&table_.AddString("Precision", &searcher.precision,
                         "numbers of the network: auto, fp32, bf16, fp16, int8"),
       "Precision", "precision");
  Name(&table_.AddInt("Batch Size", &searcher.batch_size, 0, kMaxBatchSize,
                      "positions that the network sees at once; 0: as suits the device"),
       "Batch Size", "batchsize");
}

void EngineOptionTable::AddPlayOptions() {
  SearcherOptions& searcher = options_->searcher;
  Name(&table_.AddInt("Draw Score", &searcher.draw_score_percent, -100, 100,
                      "what an even result is worth to the engine, in hundredths of a win"),
       "Draw Score", "evenscore");
  Name(&table_.AddInt("Temperature", &searcher.temperature_percent, 0, kMaxTemperature,
                      "moves are drawn by their visits to the power of 100 / this; 0: the best"),
       "Temperature", "temperature");
  Name(&table_.AddInt("Node Limit", &options_->node_limit, 0, kMaxNodeLimit,
                      "at most so many nodes a move, to play weaker; 0: no limit"),
       "Node Limit", "nodelimit");
  Name(&table_.AddBool("Own Book", &searcher.uses_book,
                       "play from the opening book if there is one"),
       "OwnBook", "usebook");
  Name(
      &table_.AddString("Book File", &searcher.book_file, "an opening book in the format BOOK.DAT"),
      "Book File", "bookfiles");
}

void EngineOptionTable::AddRules() {
  // The names of Pikafish's option are understood where there is a counterpart.
  Name(&table_.AddChoice<RuleSet>("Repetition Rule", &options_->rules,
                                  {{"computer", RuleSet::kComputer},
                                   {"pikafish", RuleSet::kPikafish},
                                   {"axf", RuleSet::kAxf},
                                   {"cxa", RuleSet::kCxa},
                                   {"ComputerRule", RuleSet::kPikafish, false},
                                   {"AsianRule", RuleSet::kAxf, false},
                                   {"ChineseRule", RuleSet::kCxa, false}},
                                  "the rule set that games are judged by"),
       "Repetition Rule", "repetition");
}

void EngineOptionTable::AddProtocolOptions() {
  EngineOptions& options = *options_;
  Name(&table_.AddInt("MultiPV", &options.multipv, 1, kMaxMultipv, "how many lines to show"),
       "MultiPV", "multipv");
  Name(&table_.AddInt("Move Overhead", &options.move_overhead_ms, 0, kMaxMoveOverheadMs,
                      "milliseconds lost between the engine and the clock"),
       "Move Overhead", "moveoverhead");
  Name(&table_.AddBool("Ponder", &options.ponder, "the GUI may let the engine ponder"), "Ponder",
       "ponder");
  Name(&table_.AddBool("UCI_ShowWDL", &options.show_wdl, "show chances beside the score"),
       "UCI_ShowWDL", "");
  Name(&table_.AddBool("UCI_AnalyseMode", &options.analyse_mode, "the GUI analyses"),
       "UCI_AnalyseMode", "");
  Option& named = table_.AddChoice<GameVariant>("UCI_Variant", &options.variant,
                                                {{"xiangqi", GameVariant::kXiangqi}}, "the game");
  named.on_set = [&options] { options.squares = RankBase::kOne; };
  Name(&named, "UCI_Variant", "");
  Name(&table_.AddBool("usemillisec", &options.milliseconds, "clocks count milliseconds"), "",
       "usemillisec");
  Name(&table_.AddBool("batch", &options.batch, "read nothing while thinking"), "", "batch");
  Name(&table_.AddBool("debug", &options.debug, "say more"), "", "debug");
  Name(&table_.AddBool("acceptoffers", &options.accept_offers,
                       "agree to an even result when offered one and not better"),
       "", "acceptoffers");
  Name(&table_.AddInt("giveup", &options.give_up_below, 0, kMaxGiveUp,
                      "stop playing when as many points behind for three moves; 0: never"),
       "", "giveup");
}

absl::Status EngineOptionTable::Set(absl::string_view name, absl::string_view value, bool is_bare) {
  std::string full_name(name);
  if (IsWithoutEffect(name)) {
    return absl::OkStatus();
  }
  if (is_bare) {
    CompleteName(table_, &full_name, &value);
  }
  const Option* option = table_.Find(full_name);
  if (option != nullptr && option->type == OptionType::kString && value == "<empty>") {
    value = "";
  }
  return table_.Set(full_name, value);
}

std::string EngineOptionTable::Lines(Dialect dialect) const {
  std::string lines;
  for (size_t i = 0; i < names_.size(); ++i) {
    const std::string& name = dialect == Dialect::kUci ? names_[i].uci : names_[i].ucci;
    if (!name.empty()) {
      absl::StrAppend(&lines, lines.empty() ? "" : "\n",
                      OptionLine(dialect, name, table_.options()[i]));
    }
  }
  return lines;
}

}  // namespace chuhe
