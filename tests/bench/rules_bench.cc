// What the rules cost: a judged loop, a made move with and without the judge, a move list.
#include <vector>

#include "absl/strings/str_split.h"
#include "benchmark/benchmark.h"
#include "engine/base/random.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/game.h"

namespace chuhe {
namespace {

// A game that stands at the third occurrence of a position, eight plies after the first.
Game LoopGame(absl::string_view fen, absl::string_view moves, RuleSet rules) {
  Game game(ParseFen(fen)->position, {.rules = rules});
  for (const absl::string_view text : absl::StrSplit(moves, ' ')) {
    const auto square = [&](size_t at) { return MakeSquare(text[at] - 'a', text[at + 1] - '0'); };
    game.Make(Move(square(0), square(2)));
  }
  return game;
}

void JudgeLoopOf(benchmark::State& state, absl::string_view fen, absl::string_view moves,
                 RuleSet rules) {
  const Game game = LoopGame(fen, moves, rules);
  for (auto _ : state) benchmark::DoNotOptimize(game.JudgeRepetition());
}

// A knight goes after a rook in a full middlegame.
constexpr char kChaseFen[] = "1rb1kabr1/4a1c2/1cn3n2/p1C1p1R1p/9/9/P1P1P1P1P/2N1C1N2/9/R1BAKAB2 w";
constexpr char kChaseMoves[] = "g6f6 g7h5 f6g6 h5g7 g6f6 g7h5 f6g6 h5g7";
constexpr char kQuietMoves[] = "b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0 c7b9";

BENCHMARK_CAPTURE(JudgeLoopOf, chase_computer, kChaseFen, kChaseMoves, RuleSet::kComputer);
BENCHMARK_CAPTURE(JudgeLoopOf, chase_pikafish, kChaseFen, kChaseMoves, RuleSet::kPikafish);
BENCHMARK_CAPTURE(JudgeLoopOf, chase_cxa, kChaseFen, kChaseMoves, RuleSet::kCxa);
BENCHMARK_CAPTURE(JudgeLoopOf, quiet_computer, kStartFen, kQuietMoves, RuleSet::kComputer);

// Random games of up to 200 plies, as lists of moves.
std::vector<std::vector<Move>> RandomGames() {
  Random random(1);
  std::vector<std::vector<Move>> games(50);
  for (std::vector<Move>& moves : games) {
    Position position = Position::Start();
    MoveList list;
    for (GenerateLegal(position, &list); list.size > 0 && moves.size() < 200;
         GenerateLegal(position, &list)) {
      moves.push_back(list[static_cast<int>(random.Below(static_cast<uint64_t>(list.size)))]);
      position.Make(moves.back());
    }
  }
  return games;
}

// Random play: choosing a move, making it, and if asked for judging the repetition. Times are of
// one ply. `with_list` adds the generation of the moves to choose from, as play does.
void PlayRandomGames(benchmark::State& state, bool judged) {
  const std::vector<std::vector<Move>> games = RandomGames();
  int64_t plies = 0;
  for (auto _ : state) {
    for (const std::vector<Move>& moves : games) {
      Game game(Position::Start());
      for (const Move move : moves) {
        game.Make(move);
        if (judged) benchmark::DoNotOptimize(game.JudgeRepetition());
      }
      plies += static_cast<int64_t>(moves.size());
    }
  }
  state.SetItemsProcessed(plies);
}

BENCHMARK_CAPTURE(PlayRandomGames, make_alone, false);
BENCHMARK_CAPTURE(PlayRandomGames, make_and_judge, true);

}  // namespace
}  // namespace chuhe

BENCHMARK_MAIN();
