#include "train/packed_game.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "engine/board/movegen.h"
#include "nets/features/policy.h"

namespace chuhe {
namespace {

constexpr uint16_t kUnknown = 0xffff;
constexpr float kWhole = 65534;  // the number above stands for what is not known
constexpr uint8_t kUnknownOutcome = 3;

uint16_t Parts(float probability) {
  return static_cast<uint16_t>(std::lround(std::clamp(probability, 0.0f, 1.0f) * kWhole));
}

// The legal moves as the side to move sees them.
MoveList SeenMoves(const PackedPosition& packed) {
  Position position;
  for (int i = 0; i < kUnits; ++i) {
    if (packed.squares[i] == kNoSquare) continue;
    const auto unit = static_cast<Unit>(i);
    position.PlaceUnit(ColorOf(unit), TypeOf(unit), packed.squares[i]);
  }
  MoveList moves;
  GenerateLegal(position, &moves);
  return moves;
}

uint8_t PackedOutcome(const Sample& sample) {
  if (sample.wdl_weight <= 0) return kUnknownOutcome;
  if (sample.wdl.win > 0.5f) return 0;
  return sample.wdl.loss > 0.5f ? 2 : 1;
}

}  // namespace

PackedGame::PackedGame(const GameRecord& record) {
  GameSampler sampler(record);
  for (auto ply = static_cast<size_t>(std::max(record.random_plies, 0)); ply < record.plies.size();
       ++ply) {
    if (!record.plies[ply].policy.empty()) Add(sampler.At(static_cast<int>(ply)));
  }
  positions_.shrink_to_fit();
  policies_.shrink_to_fit();
}

void PackedGame::Add(const Sample& sample) {
  PackedSample packed{};
  packed.packed = sample.packed;
  for (int i = 0; i < kUnits; ++i) {
    const uint8_t square = sample.packed.squares[i];
    if (square != kNoSquare && sample.survivors[square]) packed.survivors |= uint32_t{1} << i;
  }
  packed.first_move = static_cast<uint32_t>(policies_.size());
  const MoveList moves = SeenMoves(sample.packed);
  assert(moves.size == sample.legal_size);
  for (int i = 0; i < sample.legal_size; ++i) {
    const uint16_t weight = Parts(sample.policy[i]);
    if (weight == 0) continue;
    const Move move = PolicyMove(sample.legal[i]);
    const auto number = std::find(moves.begin(), moves.end(), move) - moves.begin();
    policies_.push_back({{static_cast<uint8_t>(weight & 0xff), static_cast<uint8_t>(weight >> 8)},
                         static_cast<uint8_t>(number)});
    ++packed.moves;
  }
  packed.reply = sample.reply;
  packed.plies_left =
      sample.plies_left_weight > 0
          ? static_cast<uint16_t>(std::clamp(sample.plies_left, 0.0f, float{kUnknown - 1}))
          : kUnknown;
  const bool has_short_term = sample.short_term_weight > 0;
  packed.short_wins = has_short_term ? Parts(sample.short_term.win) : kUnknown;
  packed.short_losses = has_short_term ? Parts(sample.short_term.loss) : kUnknown;
  packed.outcome = PackedOutcome(sample);
  positions_.push_back(packed);
}

Sample PackedGame::At(int index) const {
  const PackedSample& packed = positions_[static_cast<size_t>(index)];
  Sample sample;
  sample.packed = packed.packed;
  const MoveList moves = SeenMoves(packed.packed);
  sample.legal_size = moves.size;
  for (int i = 0; i < moves.size; ++i) {
    sample.legal[i] = static_cast<int16_t>(PolicyIndex(moves[i]));
    sample.policy[i] = 0;
  }
  float sum = 0;
  for (size_t i = 0; i < packed.moves; ++i) {
    const PackedMove& move = policies_[packed.first_move + i];
    const auto weight = static_cast<float>(move.weight[0] | move.weight[1] << 8);
    sample.policy[move.number] = weight;
    sum += weight;
  }
  for (int i = 0; i < moves.size && sum > 0; ++i) sample.policy[i] /= sum;
  if (packed.outcome != kUnknownOutcome) {
    sample.wdl_weight = 1;
    sample.wdl = {packed.outcome == 0 ? 1.0f : 0.0f, packed.outcome == 1 ? 1.0f : 0.0f,
                  packed.outcome == 2 ? 1.0f : 0.0f};
  }
  if (packed.plies_left != kUnknown) {
    sample.plies_left_weight = 1;
    sample.plies_left = packed.plies_left;
  }
  sample.reply = packed.reply;
  if (packed.short_wins != kUnknown) {
    sample.short_term_weight = 1;
    const float win = static_cast<float>(packed.short_wins) / kWhole;
    const float loss = static_cast<float>(packed.short_losses) / kWhole;
    sample.short_term = {win, std::max(0.0f, 1 - win - loss), loss};
  }
  for (int i = 0; i < kUnits; ++i) {
    if ((packed.survivors >> i & 1) != 0) sample.survivors.set(packed.packed.squares[i]);
  }
  return sample;
}

}  // namespace chuhe
