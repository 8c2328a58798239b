#include "tests/selfplay/records/random_records.h"

#include <algorithm>
#include <string>

#include "engine/base/random.h"
#include "engine/board/movegen.h"
#include "engine/rules/game.h"
#include "selfplay/records/policy_bytes.h"

namespace chuhe::testing {
namespace {

constexpr float kParts = 10'000;

Wdl RandomWdl(Random* random) {
  const auto win = static_cast<float>(random->Below(10'001));
  const auto loss = static_cast<float>(random->Below(static_cast<uint64_t>(kParts - win) + 1));
  return {win / kParts, (kParts - win - loss) / kParts, loss / kParts};
}

PlyRecord RandomPly(const Position& position, Random* random) {
  const std::vector<Move> moves = NumberedMoves(position);
  PlyRecord ply;
  ply.move = moves[random->Below(moves.size())];
  const uint64_t kind = random->Below(3);
  ply.is_drawn = random->Below(2) == 0;
  if (kind == 0) return ply;
  ply.is_searched = true;
  ply.root = RandomWdl(random);
  ply.plies_left = static_cast<float>(random->Below(300));
  ply.is_fast = kind == 1;
  if (ply.is_fast) return ply;
  for (const Move move : moves) {
    const uint64_t weight = random->Below(4) == 0 ? random->Below(1 << random->Below(17)) : 0;
    if (weight > 0) ply.policy.push_back({move, static_cast<uint16_t>(weight)});
  }
  return ply;
}

bool SamePly(const PlyRecord& a, const PlyRecord& b) {
  return a.move == b.move && a.policy == b.policy && a.is_searched == b.is_searched &&
         a.root.win == b.root.win && a.root.draw == b.root.draw && a.root.loss == b.root.loss &&
         a.plies_left == b.plies_left && a.is_fast == b.is_fast && a.is_drawn == b.is_drawn;
}

}  // namespace

GameRecord RandomRecord(uint64_t seed, int ply_cap) {
  Random random(seed, StreamId("record"));
  GameRecord record;
  record.start = Position::Start();
  record.seed = seed;
  record.ply_cap = ply_cap;
  record.evaluations = static_cast<int64_t>(1000 * seed + 1);
  record.worker = "worker " + std::to_string(seed % 3);
  record.finished_at = 1'700'000'000 + static_cast<int64_t>(seed);
  Game game(record.start, {.rules = record.rules});
  Verdict verdict = game.Adjudicate();
  while (verdict.outcome == Outcome::kUndecided && game.plies() < ply_cap) {
    record.plies.push_back(RandomPly(game.position(), &random));
    game.Make(record.plies.back().move);
    verdict = game.Adjudicate();
  }
  const bool is_capped = verdict.outcome == Outcome::kUndecided;
  record.end = is_capped ? GameEnd::kPlyCap : GameEnd::kRules;
  record.outcome = is_capped ? Outcome::kDraw : verdict.outcome;
  record.reason = verdict.reason;
  const int plies = game.plies();
  record.random_plies = std::min(plies, 4);
  record.networks = {{std::string(64, 'a'), 0}, {std::string(64, '0'), plies / 2}};
  if (seed % 2 == 0) record.passed_resignation = {plies / 2, Outcome::kRedLoses};
  if (seed % 3 == 0) record.passed_adjudication = {plies, Outcome::kDraw};
  if (seed % 5 == 0) record.fork = {seed + 1, plies / 3};
  return record;
}

bool SameRecord(const GameRecord& a, const GameRecord& b) {
  return a.start == b.start && a.start_no_capture_plies == b.start_no_capture_plies &&
         a.rules == b.rules && a.outcome == b.outcome && a.end == b.end && a.reason == b.reason &&
         a.random_plies == b.random_plies && a.networks == b.networks && a.seed == b.seed &&
         a.evaluations == b.evaluations && a.ply_cap == b.ply_cap &&
         a.passed_resignation == b.passed_resignation &&
         a.passed_adjudication == b.passed_adjudication && a.fork == b.fork &&
         a.worker == b.worker && a.finished_at == b.finished_at &&
         std::equal(a.plies.begin(), a.plies.end(), b.plies.begin(), b.plies.end(), SamePly);
}

}  // namespace chuhe::testing
