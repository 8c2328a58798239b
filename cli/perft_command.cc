#include "cli/perft_command.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/perft.h"
#include "engine/rules/notation/coordinates.h"

namespace chuhe {
namespace {

// Counts of the start position stay below 2^64 up to here (at most about 45 moves a ply).
constexpr int kMaxDepth = 11;

}  // namespace

void PerftCommand::Register(CLI::App& app) {
  CLI::App* perft = app.add_subcommand("perft", "Count the legal move sequences of a given length");
  perft->add_option("--depth", depth_, "Number of plies")
      ->required()
      ->check(CLI::Range(0, kMaxDepth));
  perft->add_option("--fen", fen_, "Position; the start position if not given");
  perft->add_flag("--divide", divide_, "Show the count behind each first move");
  perft->add_flag("--no-bulk", no_bulk_,
                  "Make and unmake every leaf instead of counting the moves of the last ply");
  perft->footer("Example: chuhe perft --depth 5\nThe last line is `nodes N seconds S`.");
}

int PerftCommand::Run() {
  const absl::StatusOr<FenRecord> record = ParseFen(fen_);
  if (!record.ok()) {
    std::cerr << "chuhe perft: --fen: " << record.status().message() << "\n";
    return EXIT_FAILURE;
  }
  Position position = record->position;
  const auto start = std::chrono::steady_clock::now();
  const uint64_t nodes =
      divide_ && depth_ > 0 ? Divide(position) : Perft(position, depth_, !no_bulk_);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::cout << "nodes " << nodes << " seconds " << std::fixed << std::setprecision(6)
            << elapsed.count() << "\n";
  return EXIT_SUCCESS;
}

uint64_t PerftCommand::Divide(Position position) const {
  MoveList moves;
  GenerateLegal(position, &moves);
  uint64_t sum = 0;
  for (const Move move : moves) {
    const Undo undo = position.Make(move);
    const uint64_t nodes = Perft(position, depth_ - 1, !no_bulk_);
    position.Unmake(move, undo);
    std::cout << FormatUci(move) << ": " << nodes << "\n";
    sum += nodes;
  }
  return sum;
}

}  // namespace chuhe
