#include "cli/match_command.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "cli/interrupt.h"
#include "cli/match_networks.h"
#include "cli/match_progress.h"
#include "engine/base/status_macros.h"
#include "engine/base/stored_file.h"
#include "engine/rules/rule_set.h"
#include "engine/search/search_constants.h"
#include "selfplay/match/match_html.h"
#include "selfplay/match/match_text.h"
#include "selfplay/match/pgn_writer.h"
#include "selfplay/match/rating_store.h"
#include "selfplay/records/game_tsv.h"

namespace chuhe {
namespace {

constexpr int64_t kLongestMs = int64_t{1} << 40;

std::string Today() {
  const std::time_t now = std::time(nullptr);
  std::tm date = {};
  localtime_r(&now, &date);
  char text[16];
  std::strftime(text, sizeof text, "%Y.%m.%d", &date);
  return text;
}

// Ranges let NaN through.
CLI::Validator Finite() {
  return CLI::Validator(
      [](const std::string& text) {
        double value = 0;
        const bool is_number = absl::SimpleAtod(text, &value) && std::isfinite(value);
        return is_number ? std::string() : absl::StrCat("'", text, "' is no finite number");
      },
      "");
}

// Whether a file can be made there, as far as that can be known before.
absl::Status CheckCanBeWritten(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": a folder; expected a file to write"));
  }
  const fs::path folder = fs::absolute(path, ignored).parent_path();
  if (!fs::is_directory(folder, ignored)) {
    return absl::NotFoundError(absl::StrCat(path, ": there is no folder ", folder.string()));
  }
  if (access(folder.c_str(), W_OK) != 0) {
    return absl::PermissionDeniedError(
        absl::StrCat(path, ": nothing may be written to the folder ", folder.string()));
  }
  return absl::OkStatus();
}

// A game that an opening brings to its cap would be drawn without a move of the engines.
absl::Status CheckPlyCap(const MatchOptions& options) {
  size_t longest = 0;
  if (options.openings.empty()) longest = static_cast<size_t>(options.random_openings.plies);
  for (const Opening& opening : options.openings) {
    longest = std::max(longest, opening.moves.size());
  }
  const int cap = options.law.ply_cap;
  if (cap == 0 || static_cast<size_t>(cap) > longest) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--max-plies ", cap, ": expected more than ", longest,
                   ", the plies of the longest opening, or 0 for no cap"));
}

}  // namespace

void MatchCommand::Register(CLI::App& app) {
  CLI::App* match = app.add_subcommand("match", "Play engines against each other");
  match->add_option("--engine", engines_,
                    "name=…,cmd=…,proto=builtin|ucci|uci|cecp and more (docs/match.md); once for "
                    "each engine");
  match->add_option("--engines", engine_file_, "YAML file of engines");
  RegisterPlay(match);
  RegisterContest(match);
  RegisterOutput(match);
  match->footer(absl::StrCat(
      "Built-in engines: random, alphabeta:DEPTH, net:FILE:VISITS.\n"
      "With --journal a match that was ended or killed goes on when the same command is given "
      "again.\n"
      "Example: chuhe match --engine name=A,cmd=alphabeta:3,proto=builtin \\\n"
      "           --engine name=Fairy,cmd=fairy-stockfish,proto=uci,nodes=1000 --games 20 "
      "--pgn games.pgn\n"
      "Constants of a network's search, as option.NAME=VALUE of the engine (mate_steps: of a small "
      "one, others in the time that they take):\n",
      SearchConstantsHelp(MatchSearchOptions(*ParseArchitecture("small")))));
}

void MatchCommand::RegisterPlay(CLI::App* match) {
  match->add_option("--format", format_, "roundrobin, gauntlet, swiss, ladder or teams")
      ->capture_default_str();
  match->add_option("--games", games_, "Games of each meeting, in pairs of swapped colours")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  match->add_option("--rounds", rounds_, "Of swiss and ladder; 0: enough to find the best")
      ->check(CLI::Range(0, 10'000));
  match->add_option("--teams", teams_, "The team of each engine: 0,0,1,1")->delimiter(',');
  match->add_option("--movetime", control_.movetime_ms, "Milliseconds a move")
      ->check(CLI::Range(int64_t{1}, kLongestMs));
  match->add_option("--nodes", control_.nodes, "Nodes a move")
      ->check(CLI::Range(int64_t{1}, kLongestMs));
  match->add_option("--depth", control_.depth, "Plies a move")->check(CLI::Range(1, 1000));
  match->add_option(
      "--tc", periods_,
      "Clock: [MOVES/]SECONDS[+INCREMENT], periods separated by ':'; 40/5400:20/1800");
  match->add_option("--scale", scale_, "Multiplies all times")
      ->check(CLI::Range(0.001, 1000.0) & Finite());
  match->add_option("--sprt", sprt_,
                    "Stop when decided: elo0=0,elo1=10,alpha=0.05,beta=0.05 (two engines)");
  match->add_option("--openings", openings_, "File of FENs or moves, one a line, or a PGN file");
  match->add_option("--opening-plies", opening_plies_, "Plies taken from a PGN file's games")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  match
      ->add_option("--random-plies", random_plies_,
                   "Random openings of so many plies that a search finds level")
      ->check(CLI::Range(1, 100));
  match->add_option("--make-openings", opening_games_,
                    "No match: print openings of --opening-plies from this table of games (TSV, "
                    ".zst) that are frequent and that a search finds level");
  match->add_option("--opening-count", opening_choice_.count, "At most so many")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  match->add_option("--opening-games", opening_choice_.min_games, "Of so many games at least")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  match->add_option("--opening-depth", opening_choice_.depth, "Depth of that search")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  match->add_option("--opening-score", opening_choice_.max_cp, "Centipawns from level at most")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  match->add_flag("--in-order", in_order_, "Openings in the file's order");
  match->add_option("--seed", seed_, "Of all chance")->capture_default_str();
  match->add_option("--concurrency", concurrency_, "Games at a time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

void MatchCommand::RegisterContest(CLI::App* match) {
  match->add_option("--rules", rules_, "Rule set: computer, pikafish, axf or cxa")
      ->capture_default_str();
  match->add_option("--margin", law_.margin_ms, "Milliseconds over the time that are forgiven")
      ->check(CLI::Range(int64_t{0}, kLongestMs));
  match->add_option("--patience", law_.patience_ms, "Milliseconds a move without a time limit")
      ->check(CLI::Range(int64_t{1}, kLongestMs))
      ->capture_default_str();
  match
      ->add_option("--violations", law_.allowed_violations,
                   "Illegal moves, and void offers of a draw, that are forgiven; one more loses")
      ->check(CLI::Range(0, 100));
  match->add_option("--round-limit", law_.round_limit, "Drawn after so many rounds without capture")
      ->check(CLI::Range(0, 10'000));
  match->add_option("--max-plies", law_.ply_cap, "Drawn after so many plies")
      ->check(CLI::Range(0, 1'000'000));
  match
      ->add_option("--win-score", adjudication_.win_cp,
                   "Centipawns that both must see to end a game as won; 0: never")
      ->check(CLI::Range(0, 100'000));
  match->add_option("--win-moves", adjudication_.win_moves, "For so many moves of each")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  match->add_option("--draw-score", adjudication_.draw_cp, "As far from level at most")
      ->check(CLI::Range(0, 100'000));
  match
      ->add_option("--draw-moves", adjudication_.draw_moves,
                   "For so many moves of each to end a game as drawn; 0: never")
      ->check(CLI::Range(0, 1000));
  match->add_option("--draw-after", adjudication_.draw_after_ply, "Not before this ply")
      ->capture_default_str();
  match
      ->add_option("--audit", adjudication_.audit_share,
                   "Share of such games that are played out to see whether that was right")
      ->check(CLI::Range(0.0, 1.0) & Finite());
}

void MatchCommand::RegisterOutput(CLI::App* match) {
  match->add_option("--journal", journal_, "File from which a match that was ended goes on");
  match->add_option("--pgn", pgn_, "Write the games");
  match->add_option("--notation", notation_, "Of the PGN: iccs, wxf or chinese")
      ->check(CLI::IsMember({"iccs", "wxf", "chinese"}))
      ->capture_default_str();
  match->add_flag("--pgn-plain", pgn_plain_,
                  "No comments in it (scores, times): for programs that cannot read them");
  match->add_option("--html", html_, "Write a page with the crosstable and the Elo graph");
  match->add_option("--ratings", ratings_,
                    "SQLite file of ratings over all matches, to add this to");
  match->add_flag("--json", json_, "The result as one JSON object");
  match->add_flag("--quiet", quiet_, "No progress");
}

absl::Status MatchCommand::AddEngines(MatchOptions* options) const {
  if (!engine_file_.empty()) {
    CHUHE_ASSIGN_OR_RETURN(options->engines, ReadEngineFile(engine_file_));
  }
  for (const std::string& text : engines_) {
    CHUHE_ASSIGN_OR_RETURN(EngineSpec spec, ParseEngineSpec(text));
    options->engines.push_back(std::move(spec));
  }
  // Only in the process there is a default that ends.
  for (const EngineSpec& spec : options->engines) {
    const bool has_limit = spec.has_own_control() || options->control.has_clock() ||
                           options->control.movetime_ms > 0 || options->control.nodes > 0 ||
                           options->control.depth > 0;
    if (spec.protocol != EngineProtocol::kBuiltin && !has_limit) {
      return absl::InvalidArgumentError(
          absl::StrCat("no limit for ", spec.name,
                       ": give --tc, --movetime, --nodes or --depth, or one of its own"));
    }
  }
  return absl::OkStatus();
}

absl::Status MatchCommand::AddOpenings(MatchOptions* options) const {
  options->shuffles = !in_order_;
  if (!openings_.empty()) {
    CHUHE_ASSIGN_OR_RETURN(options->openings, ReadOpenings(openings_, opening_plies_));
  } else if (random_plies_ > 0) {
    options->random_openings.plies = random_plies_;
  } else {
    options->openings = BuiltinOpenings();
  }
  return CheckPlyCap(*options);
}

absl::StatusOr<SprtOptions> MatchCommand::ReadSprt() const {
  SprtOptions sprt;
  const std::map<std::string, double*> keys = {
      {"elo0", &sprt.elo0}, {"elo1", &sprt.elo1}, {"alpha", &sprt.alpha}, {"beta", &sprt.beta}};
  for (const absl::string_view part : absl::StrSplit(sprt_, ',')) {
    const std::pair<absl::string_view, absl::string_view> entry =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    const auto key = keys.find(absl::AsciiStrToLower(entry.first));
    if (key == keys.end() || !absl::SimpleAtod(entry.second, key->second) ||
        !std::isfinite(*key->second)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--sprt: '", part, "' is none of elo0=, elo1=, alpha=, beta= with a finite number"));
    }
  }
  return sprt;
}

absl::StatusOr<MatchOptions> MatchCommand::MakeOptions() const {
  MatchOptions options;
  options.control = control_;
  if (!periods_.empty()) {
    CHUHE_ASSIGN_OR_RETURN(options.control.periods, ParsePeriods(periods_));
  }
  CHUHE_RETURN_IF_ERROR(AddEngines(&options));
  CHUHE_ASSIGN_OR_RETURN(options.rules, ParseRuleSet(rules_));
  CHUHE_ASSIGN_OR_RETURN(options.schedule.format, ParseFormat(format_));
  options.schedule.games = games_;
  options.schedule.rounds = rounds_;
  options.schedule.teams = teams_;
  options.time_scale = scale_;
  options.law = law_;
  options.adjudication = adjudication_;
  options.seed = seed_;
  options.concurrency = concurrency_;
  options.journal = journal_;
  CHUHE_ASSIGN_OR_RETURN(options.builtins, MakeNetworkPlayersOf(&options.engines));
  if (!sprt_.empty()) {
    CHUHE_ASSIGN_OR_RETURN(options.sprt, ReadSprt());
  }
  if (!teams_.empty() && teams_.size() != options.engines.size()) {
    return absl::InvalidArgumentError("--teams needs one number for each engine");
  }
  if (!teams_.empty() && options.schedule.format != MatchFormat::kTeams) {
    return absl::InvalidArgumentError("--teams is for --format teams");
  }
  CHUHE_RETURN_IF_ERROR(AddOpenings(&options));
  CHUHE_RETURN_IF_ERROR(CheckReports());
  return options;
}

absl::Status MatchCommand::CheckReports() const {
  for (const std::string& path : {pgn_, html_, ratings_}) {
    if (!path.empty()) CHUHE_RETURN_IF_ERROR(CheckCanBeWritten(path));
  }
  return ratings_.empty() ? absl::OkStatus() : CheckRatingStore(ratings_);
}

absl::Status MatchCommand::WriteReports(const MatchOptions& options,
                                        const MatchReport& report) const {
  absl::Status status;
  if (!pgn_.empty()) {
    const Notation notation = notation_ == "iccs"  ? Notation::kIccs
                              : notation_ == "wxf" ? Notation::kWxf
                                                   : Notation::kChinese;
    std::string text;
    for (const PlayedGame& game : report.games) {
      text += FormatPgn(options, game,
                        {.notation = notation, .comments = !pgn_plain_, .date = Today()});
    }
    status.Update(WriteStoredFile(pgn_, text));
  }
  if (!html_.empty()) status.Update(WriteStoredFile(html_, ReportHtml(options, report)));
  if (!ratings_.empty()) {
    const absl::StatusOr<std::vector<StoredRating>> all = AddToRatings(ratings_, options, report);
    status.Update(all.status());
    if (!all.ok()) return status;
    for (const StoredRating& stored : *all) {
      // Beside a JSON object there is no room for more on standard output.
      (json_ ? std::cerr : std::cout)
          << absl::StrFormat("rating %s %.1f +- %.1f of %g games\n", stored.player,
                             stored.rating.elo, stored.rating.error, stored.rating.games);
    }
  }
  return status;
}

int MatchCommand::MakeOpenings() const {
  const absl::StatusOr<GameCollection> games = ReadGameTsv(opening_games_);
  if (!games.ok()) {
    std::cerr << "chuhe match: " << games.status().message() << "\n";
    return EXIT_FAILURE;
  }
  OpeningChoice choice = opening_choice_;
  choice.plies = opening_plies_;
  for (const Opening& opening : ChooseOpenings(games->games, choice)) {
    std::cout << FormatOpening(opening) << "\n";
  }
  return EXIT_SUCCESS;
}

int MatchCommand::Run() {
  if (!opening_games_.empty()) return MakeOpenings();
  absl::StatusOr<MatchOptions> options = MakeOptions();
  if (!options.ok()) {
    std::cerr << "chuhe match: " << options.status().message() << "\n";
    return EXIT_FAILURE;
  }
  Match match(*options);
  std::unique_ptr<MatchProgress> progress;
  absl::StatusOr<MatchReport> report;
  {
    // Before any thread is started, or that thread would get the signals.
    const Interrupt interrupt([&match] { match.Stop(); });
    if (!quiet_) progress = std::make_unique<MatchProgress>(*options, &match);
    report = match.Run([&](const std::vector<PlayedGame>& games, int scheduled) {
      if (progress != nullptr) progress->Show(games, scheduled);
    });
  }
  if (progress != nullptr) progress->Finish();
  absl::Status status = report.status();
  if (status.ok()) {
    std::cout << (json_ ? ReportJson(*options, *report) + "\n" : ReportText(*options, *report));
    status = WriteReports(*options, *report);
  }
  if (!status.ok()) {
    std::cerr << "chuhe match: " << status.message() << "\n";
    return EXIT_FAILURE;
  }
  if (!report->is_complete) {
    std::cerr << "chuhe match: ended before its end"
              << (journal_.empty() ? "" : "; the same command goes on with it") << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace chuhe
