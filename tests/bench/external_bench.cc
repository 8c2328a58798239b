// What the match runner computes itself a ply of an external engine, beside the least that any
// program could: one that writes the same questions to the same engines and reads until the answer
// has come, without looking at what it reads. Processor time of the thread that waits for the
// engines, the kernel's part included; both take turns. What is above the bare reader is the
// runner's own: the protocol, the judge, clocks, the journal.
//
//   external_bench [COMMAND]... [--nodes=N] [--games=N] [--rounds=N] [--plies=N]
//
// UCI engines, each against itself (usual: fairy-stockfish), at a fixed number of nodes, so that
// they say the same to both.

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/rules/game.h"
#include "selfplay/match/engine_text.h"
#include "selfplay/match/match.h"
#include "tests/bench/network_bench.h"

extern char** environ;

namespace chuhe {
namespace {

struct Settings {
  int nodes = 1000;
  int games = 4;
  int rounds = 5;
  int plies = 120;
};

// An engine behind two pipes, and nothing else.
class BareEngine {
 public:
  absl::Status Start(const std::string& command) {
    int to_child[2];
    int from_child[2];
    if (pipe2(to_child, O_CLOEXEC) != 0 || pipe2(from_child, O_CLOEXEC) != 0) {
      return absl::ResourceExhaustedError("no pipe");
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to_child[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from_child[1], STDOUT_FILENO);
    std::string word = command;
    char* words[] = {word.data(), nullptr};
    const int error = posix_spawnp(&pid_, word.c_str(), &actions, nullptr, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(to_child[0]);
    close(from_child[1]);
    input_ = to_child[1];
    output_ = from_child[0];
    if (error != 0) return absl::UnavailableError(absl::StrCat("cannot start ", command));
    return Ask("uci\nsetoption name UCI_Variant value xiangqi\nisready\n", "readyok");
  }
  BareEngine() = default;
  BareEngine(const BareEngine&) = delete;
  BareEngine& operator=(const BareEngine&) = delete;
  ~BareEngine() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(input_);
    close(output_);
  }

  // Until a line that begins so has come, of which there is one at the end of what it says.
  absl::Status Ask(std::string_view lines, std::string_view answer) {
    if (write(input_, lines.data(), lines.size()) != static_cast<ssize_t>(lines.size())) {
      return absl::UnavailableError("the engine does not read");
    }
    size_t size = 0;
    while (size == 0 || text_[size - 1] != '\n' ||
           std::string_view(text_, size).rfind(answer) == std::string_view::npos) {
      if (size == sizeof text_) return absl::ResourceExhaustedError("the engine says too much");
      const ssize_t count = read(output_, text_ + size, sizeof text_ - size);
      if (count <= 0) return absl::UnavailableError("the engine has ended");
      size += static_cast<size_t>(count);
    }
    return absl::OkStatus();
  }

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  char text_[1 << 16];
};

struct Round {
  double runner = 0;  // microseconds a ply
  double bare = 0;
  double own = 0;  // the difference
};

class Bench {
 public:
  Bench(std::string command, const Settings& settings)
      : command_(std::move(command)), settings_(settings) {}

  absl::StatusOr<Round> PlayRound(int number) {
    CHUHE_ASSIGN_OR_RETURN(const MatchReport report, PlayMatch(number));
    Round round;
    double plies = 0;
    for (const PlayedGame& played : report.games) {
      round.runner += static_cast<double>(played.result.runner_us);
      plies += static_cast<double>(played.result.runner_plies);
    }
    if (plies == 0) return absl::InternalError("no ply was played");
    round.runner /= plies;
    CHUHE_ASSIGN_OR_RETURN(const double seconds, AskAgain(report.games));
    round.bare = 1e6 * seconds / plies;
    round.own = round.runner - round.bare;
    return round;
  }

 private:
  absl::StatusOr<MatchReport> PlayMatch(int number) {
    MatchOptions options;
    for (const char* name : {"A", "B"}) {
      EngineSpec spec;
      spec.name = name;
      spec.command = command_;
      spec.protocol = EngineProtocol::kUci;
      options.engines.push_back(spec);
    }
    options.control.nodes = settings_.nodes;
    options.schedule.games = settings_.games;
    options.law.ply_cap = settings_.plies;
    options.openings = BuiltinOpenings();
    options.seed = static_cast<uint64_t>(number);
    options.journal = (std::filesystem::temp_directory_path() / "chuhe-external-bench").string();
    std::filesystem::remove(options.journal);
    absl::StatusOr<MatchReport> report = Match(options).Run({});
    std::filesystem::remove(options.journal);
    return report;
  }

  // Processor time of all questions of the games.
  absl::StatusOr<double> AskAgain(const std::vector<PlayedGame>& games) {
    BareEngine engines[2];
    for (BareEngine& engine : engines) CHUHE_RETURN_IF_ERROR(engine.Start(command_));
    double seconds = 0;
    for (const PlayedGame& played : games) {
      Game game = played.opening.MakeGame(RuleSet::kComputer);
      for (BareEngine& engine : engines) {
        CHUHE_RETURN_IF_ERROR(engine.Ask("ucinewgame\nisready\n", "readyok"));
      }
      const size_t first = game.position().side_to_move() == Color::kRed ? 0 : 1;
      for (size_t ply = 0; ply < played.result.plies.size(); ++ply) {
        const std::string lines =
            absl::StrCat("position fen ", FenText(game, 0), MovesText(game, 0, RankBase::kOne),
                         "\ngo nodes ", settings_.nodes, "\n");
        const double begin = SecondsOf(CLOCK_THREAD_CPUTIME_ID);
        CHUHE_RETURN_IF_ERROR(engines[(first + ply) % 2].Ask(lines, "bestmove"));
        seconds += SecondsOf(CLOCK_THREAD_CPUTIME_ID) - begin;
        game.Make(played.result.plies[ply].move);
      }
    }
    return seconds;
  }

  const std::string command_;
  const Settings settings_;
};

absl::Status Measure(const std::string& command, const Settings& settings) {
  Bench bench(command, settings);
  std::vector<Round> rounds;
  for (int i = 0; i < settings.rounds; ++i) {
    CHUHE_ASSIGN_OR_RETURN(const Round round, bench.PlayRound(i));
    rounds.push_back(round);
  }
  std::printf("%s, %d nodes, %d games of at most %d plies; microseconds a ply\n", command.c_str(),
              settings.nodes, settings.games, settings.plies);
  const auto print = [&](const char* name, double Round::*field) {
    const Spread spread = SpreadOf(rounds, field);
    std::printf("  %-26s %6.1f (%.1f to %.1f)\n", name, spread.median, spread.low, spread.high);
  };
  print("runner", &Round::runner);
  print("bare reader", &Round::bare);
  print("runner above bare reader", &Round::own);
  std::fflush(stdout);
  return absl::OkStatus();
}

}  // namespace
}  // namespace chuhe

int main(int argc, char** argv) {
  chuhe::Settings settings;
  return chuhe::RunNetworkBench(argc, argv,
                                {{"nodes", &settings.nodes},
                                 {"games", &settings.games},
                                 {"rounds", &settings.rounds},
                                 {"plies", &settings.plies}},
                                {"fairy-stockfish"}, [&](const std::string& command) {
                                  return chuhe::Measure(command, settings);
                                });
}
