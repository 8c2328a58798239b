#include "train/sample.h"

#include <algorithm>
#include <cassert>

#include "nets/features/policy.h"

namespace chuhe {
namespace {

// Root values this far ahead no longer matter to the short-term value.
constexpr int kShortTermPlies = 24;

Wdl Reversed(const Wdl& wdl) { return {wdl.loss, wdl.draw, wdl.win}; }

Game StartOf(const GameRecord& record) {
  return Game(record.start,
              {.rules = record.rules, .no_capture_plies = record.start_no_capture_plies});
}

}  // namespace

Sample Mirror(const Sample& sample) {
  Sample mirrored = sample;
  mirrored.packed = Mirror(sample.packed);
  for (int i = 0; i < sample.legal_size; ++i) {
    mirrored.legal[i] = static_cast<int16_t>(PolicyIndex(Mirrored(PolicyMove(sample.legal[i]))));
  }
  if (sample.reply >= 0) {
    mirrored.reply = static_cast<int16_t>(PolicyIndex(Mirrored(PolicyMove(sample.reply))));
  }
  mirrored.survivors.reset();
  for (int square = 0; square < kSquares; ++square) {
    mirrored.survivors[Mirrored(static_cast<Square>(square))] = sample.survivors[square];
  }
  return mirrored;
}

GameSampler::GameSampler(const GameRecord& record, PolicyTarget target)
    : record_(record), target_(target), game_(StartOf(record)) {}

void GameSampler::GoTo(int ply) {
  if (ply < game_.plies()) game_ = StartOf(record_);
  while (game_.plies() < ply) game_.Make(record_.plies[game_.plies()].move);
}

Sample GameSampler::At(int ply) {
  assert(ply >= 0 && ply < static_cast<int>(record_.plies.size()));
  GoTo(ply);
  GenerateLegal(game_.position(), &request_.moves);
  request_.SetPosition(game_);
  Sample sample;
  sample.packed = Pack(request_);
  AddPolicy(ply, &sample);
  AddOutcome(ply, &sample);
  AddShortTerm(ply, &sample);
  AddSurvivors(ply, &sample);
  return sample;
}

void GameSampler::AddPolicy(int ply, Sample* sample) const {
  const Color side = game_.position().side_to_move();
  const std::vector<MoveWeight>& searched = record_.plies[ply].policy;
  sample->legal_size = request_.moves.size;
  float sum = 0;
  for (int i = 0; i < sample->legal_size; ++i) {
    const Move move = request_.moves[i];
    sample->legal[i] = static_cast<int16_t>(PolicyIndex(SeenBy(side, move)));
    if (target_ == PolicyTarget::kMovesPlayed) {
      sample->policy[i] = move == record_.plies[ply].move ? 1.0f : 0.0f;
    } else {
      const auto same = [move](const MoveWeight& entry) { return entry.move == move; };
      const auto entry = std::find_if(searched.begin(), searched.end(), same);
      sample->policy[i] = entry == searched.end() ? 0.0f : static_cast<float>(entry->weight);
    }
    sum += sample->policy[i];
  }
  if (sum > 0) {
    for (int i = 0; i < sample->legal_size; ++i) sample->policy[i] /= sum;
  }
  const auto next = static_cast<size_t>(ply) + 1;
  if (next < record_.plies.size()) {
    sample->reply =
        static_cast<int16_t>(PolicyIndex(SeenBy(Opponent(side), record_.plies[next].move)));
  }
}

void GameSampler::AddOutcome(int ply, Sample* sample) const {
  if (record_.outcome == Outcome::kUndecided) return;
  const Color side = game_.position().side_to_move();
  sample->wdl_weight = 1;
  if (record_.outcome == Outcome::kDraw) {
    sample->wdl = {0, 1, 0};
  } else {
    sample->wdl = record_.outcome == LossOf(side) ? Wdl{0, 0, 1} : Wdl{1, 0, 0};
  }
  // The length of a game that was broken off says nothing.
  if (record_.end == GameEnd::kRules || record_.end == GameEnd::kResignation) {
    sample->plies_left_weight = 1;
    sample->plies_left = static_cast<float>(static_cast<int>(record_.plies.size()) - ply);
  }
}

void GameSampler::AddShortTerm(int ply, Sample* sample) const {
  float weight = 1;
  float sum = 0;
  Wdl mean{0, 0, 0};
  const auto end = std::min(record_.plies.size(), static_cast<size_t>(ply) + kShortTermPlies);
  for (size_t i = static_cast<size_t>(ply); i < end; ++i, weight *= kShortTermDecay) {
    if (!record_.plies[i].is_searched) continue;
    const bool is_own = (i - static_cast<size_t>(ply)) % 2 == 0;
    const Wdl wdl = is_own ? record_.plies[i].root : Reversed(record_.plies[i].root);
    mean.win += weight * wdl.win;
    mean.draw += weight * wdl.draw;
    mean.loss += weight * wdl.loss;
    sum += weight;
  }
  if (sum <= 0) return;
  if (end == record_.plies.size() && sample->wdl_weight > 0) {
    // From the end on it is the result that counts: the sum of all weights that are left.
    weight /= 1 - kShortTermDecay;
    mean.win += weight * sample->wdl.win;
    mean.draw += weight * sample->wdl.draw;
    mean.loss += weight * sample->wdl.loss;
    sum += weight;
  }
  sample->short_term_weight = 1;
  sample->short_term = {mean.win / sum, mean.draw / sum, mean.loss / sum};
}

void GameSampler::AddSurvivors(int ply, Sample* sample) const {
  const Position& position = game_.position();
  Position later = position;
  const auto end = std::min(record_.plies.size(), static_cast<size_t>(ply) + kSurvivalPlies);
  for (size_t i = static_cast<size_t>(ply); i < end; ++i) later.Make(record_.plies[i].move);
  for (int unit = 0; unit < kUnits; ++unit) {
    const Square square = position.square_of(static_cast<Unit>(unit));
    if (square == kNoSquare || later.square_of(static_cast<Unit>(unit)) == kNoSquare) continue;
    const bool is_red = position.side_to_move() == Color::kRed;
    sample->survivors.set(is_red ? square : Turned(square));
  }
}

}  // namespace chuhe
