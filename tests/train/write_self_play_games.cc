// Adds games as self-play records them to a store, for tests of commands:
//
//   write_self_play_games RUN/games COUNT PLIES SEED [draws]
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tests/train/self_play_games.h"

namespace chuhe {
namespace {

int Main(int argc, char** argv) {
  const bool are_draws = argc == 6 && std::string_view(argv[5]) == "draws";
  if (argc != 5 && !are_draws) {
    std::fprintf(stderr, "usage: write_self_play_games RUN/games COUNT PLIES SEED [draws]\n");
    return EXIT_FAILURE;
  }
  std::vector<GameRecord> games = SelfPlayGames(std::atoi(argv[2]), std::atoi(argv[3]),
                                                static_cast<uint64_t>(std::atoll(argv[4])));
  for (GameRecord& game : games) {
    if (!are_draws) break;
    game.outcome = Outcome::kDraw;
    game.end = GameEnd::kAdjudicated;
  }
  StoreGames(argv[1], games);
  return ::testing::Test::HasFailure() ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace
}  // namespace chuhe

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return chuhe::Main(argc, argv);
}
