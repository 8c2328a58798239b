#include "cli/analyze_command.h"

#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "cli/analysis_json.h"
#include "cli/console.h"
#include "cli/network_evaluator.h"
#include "cli/network_location.h"
#include "cli/network_searcher.h"
#include "engine/base/core_count.h"
#include "engine/base/status_macros.h"
#include "engine/search/analyzer.h"

namespace chuhe {
namespace {

constexpr int kBatchPerThread = 8;
constexpr int kCudaBatch = 128;

// Reads lines ahead, in a thread of its own, so that orders come in while others are analysed.
class LinesAhead {
 public:
  explicit LinesAhead(LineSource* source)
      : thread_([this, source] {
          while (std::optional<std::string> line = source->Next()) Push(std::move(*line));
          const std::lock_guard lock(mutex_);
          is_closed_ = true;
          changed_.notify_all();
        }) {}

  // The next line; nothing if there is none now, or, when it shall wait, if there will be none.
  std::optional<std::string> Take(bool waits) {
    std::unique_lock lock(mutex_);
    if (waits) changed_.wait(lock, [this] { return is_closed_ || !lines_.empty(); });
    if (lines_.empty()) return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }

 private:
  void Push(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool is_closed_ = false;
  std::jthread thread_;  // last: it uses what is above
};

void Handle(const std::string& line, RuleSet rules, Analyzer* analyzer, LineSink* sink) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) return;
  ReadAnalysis read = ReadAnalysisLine(line, rules);
  if (!read.request.ok()) {
    sink->Write(AnalysisError(read.id, read.request.status().message()));
  } else if (auto* const order = std::get_if<AnalysisOrder>(&*read.request)) {
    analyzer->Add(std::move(*order));
  } else if (analyzer->Cancel(read.id)) {
    sink->Write(AnalysisCancelled(read.id));
  } else {
    sink->Write(AnalysisError(read.id, "nothing of this id is being analysed"));
  }
}

}  // namespace

void AnalyzeCommand::Register(CLI::App& app) {
  CLI::App* analyze =
      app.add_subcommand("analyze", "Analyse positions that come as JSON lines, many at once");
  analyze->add_option("--net", network_,
                      "Network file; the one that comes with the program if not given");
  analyze->add_option("--device", device_, "cpu, cuda or cuda:0,1")->capture_default_str();
  analyze->add_option("--precision", precision_, "auto, fp32, bf16, fp16 or int8")
      ->capture_default_str();
  analyze->add_option("--rules", rules_, "Rule set of orders that name none")
      ->capture_default_str();
  analyze->add_option("--threads", threads_, "Threads of the CPU; 0: all cores")
      ->check(CLI::Range(0, 512));
  analyze->add_option("--batch", batch_size_, "Positions evaluated at once; 0: as suits the device")
      ->check(CLI::Range(0, 4096));
  analyze->add_option("--memory", memory_mb_, "Megabytes for all trees together")
      ->check(CLI::Range(16, 1 << 20))
      ->capture_default_str();
  analyze->add_option("--active", max_active_, "Positions analysed at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  analyze->footer(
      "An order: {\"id\": 1, \"fen\": \"startpos\", \"moves\": [\"h2e2\"], \"nodes\": 800}; "
      "instead "
      "of or\nbeside nodes movetime_ms; also multipv, priority, rules. {\"id\": 1, \"cancel\": "
      "true} "
      "takes it back.\nAnswers come in the order in which they are found.\n"
      "Example: echo '{\"id\": 1, \"nodes\": 800, \"multipv\": 3}' | chuhe analyze");
}

absl::Status AnalyzeCommand::Analyze() const {
  CHUHE_ASSIGN_OR_RETURN(const RuleSet rules, ParseRuleSet(rules_));
  std::optional<std::string> file = network_;
  if (network_.empty()) file = FindDefaultNetwork();
  if (!file) return absl::NotFoundError("no network found; name one with --net FILE");
  CHUHE_ASSIGN_OR_RETURN(const NamedNetwork network, ReadNetwork(*file));
  EvaluatorOptions evaluator_options;
  evaluator_options.device = device_;
  evaluator_options.precision = precision_;
  evaluator_options.threads = threads_ > 0 ? threads_ : AvailableCores();
  CHUHE_ASSIGN_OR_RETURN(const OpenedEvaluator opened,
                         OpenEvaluator(network.weights, evaluator_options));
  AnalysisOptions options;
  options.batch_size = batch_size_ > 0    ? batch_size_
                       : device_ == "cpu" ? kBatchPerThread * evaluator_options.threads
                                          : kCudaBatch;
  options.max_active = max_active_;
  options.search = PlayingOptions(network.weights.architecture, device_);
  options.search.max_tree_bytes = static_cast<size_t>(memory_mb_) << 20;

  Console console;
  Analyzer analyzer(opened.evaluator.get(), options,
                    [&console](const AnalysisOrder& order, const TreeSearch& search) {
                      console.Write(AnalysisAnswer(order, search));
                    });
  LinesAhead lines(&console);
  while (true) {
    std::optional<std::string> line = lines.Take(/*waits=*/analyzer.is_idle());
    if (!line && analyzer.is_idle()) break;
    for (; line; line = lines.Take(/*waits=*/false)) Handle(*line, rules, &analyzer, &console);
    if (!analyzer.is_idle()) analyzer.Step();
  }
  return console.output_is_gone() ? absl::UnavailableError("could not write to standard output")
                                  : absl::OkStatus();
}

int AnalyzeCommand::Run() {
  const absl::Status status = Analyze();
  if (!status.ok()) {
    std::cerr << "chuhe analyze: " << status.message() << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace chuhe
