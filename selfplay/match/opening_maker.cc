#include "selfplay/match/opening_maker.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>

namespace chuhe {
namespace {

struct Candidate {
  Opening opening;
  int games = 0;
};

// The same for a position and its mirror image.
uint64_t MirrorlessKey(const std::vector<Move>& moves) {
  Position plain = Position::Start();
  Position mirrored = Position::Start();
  for (const Move move : moves) {
    plain.Make(move);
    mirrored.Make(Move(Mirrored(move.from()), Mirrored(move.to())));
  }
  return std::min(plain.key(), mirrored.key());
}

}  // namespace

std::vector<Opening> ChooseOpenings(const std::vector<GameRecord>& games,
                                    const OpeningChoice& choice) {
  std::map<uint64_t, size_t> index;
  std::vector<Candidate> candidates;
  const auto plies = static_cast<size_t>(choice.plies);
  for (const GameRecord& game : games) {
    if (!(game.start == Position::Start()) || game.plies.size() < plies) continue;
    Opening opening;
    for (size_t i = 0; i < plies; ++i) opening.moves.push_back(game.plies[i].move);
    const auto [entry, is_new] = index.emplace(MirrorlessKey(opening.moves), candidates.size());
    if (is_new) candidates.push_back({.opening = std::move(opening)});
    ++candidates[entry->second].games;
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.games > b.games; });
  std::vector<Opening> chosen;
  for (Candidate& candidate : candidates) {
    if (candidate.games < choice.min_games || static_cast<int>(chosen.size()) >= choice.count)
      break;
    if (std::abs(OpeningScore(candidate.opening, choice.depth)) > choice.max_cp) continue;
    chosen.push_back(std::move(candidate.opening));
  }
  return chosen;
}

}  // namespace chuhe
