#include "train/batch.h"

#include <algorithm>

#include "nets/features/planes.h"

namespace chuhe {
namespace {

void AddMoves(const Sample& sample, size_t row, Batch* batch) {
  const size_t begin = row * static_cast<size_t>(batch->width);
  for (size_t i = 0; i < static_cast<size_t>(sample.legal_size); ++i) {
    batch->legal[begin + i] = sample.legal[i];
    batch->policy[begin + i] = sample.policy[i];
    batch->is_legal[begin + i] = 1;
  }
  batch->reply[row] = std::max<int64_t>(sample.reply, 0);
  batch->reply_weight[row] = sample.reply >= 0 ? 1.0f : 0.0f;
}

void SetWdl(const Wdl& wdl, size_t row, std::vector<float>* to) {
  (*to)[3 * row] = wdl.win;
  (*to)[3 * row + 1] = wdl.draw;
  (*to)[3 * row + 2] = wdl.loss;
}

}  // namespace

Batch MakeBatch(std::span<const Sample> samples) {
  const size_t n = samples.size();
  Batch batch;
  batch.size = static_cast<int>(n);
  for (const Sample& sample : samples) batch.width = std::max(batch.width, sample.legal_size);
  const size_t moves = n * static_cast<size_t>(batch.width);
  batch.levels.resize(n * kSquares * kPlanes);
  batch.legal.resize(moves);
  batch.policy.resize(moves);
  batch.is_legal.resize(moves);
  for (auto* of_wdl : {&batch.wdl, &batch.short_term}) of_wdl->resize(3 * n);
  for (auto* single : {&batch.wdl_weight, &batch.plies_left, &batch.plies_left_weight,
                       &batch.reply_weight, &batch.short_term_weight}) {
    single->resize(n);
  }
  batch.reply.resize(n);
  batch.survivors.resize(n * kSquares);
  batch.survivors_weight.resize(n * kSquares);
  for (size_t row = 0; row < n; ++row) {
    const Sample& sample = samples[row];
    ExpandPlanes(sample.packed, batch.levels.data() + row * kSquares * kPlanes);
    AddMoves(sample, row, &batch);
    SetWdl(sample.wdl, row, &batch.wdl);
    batch.wdl_weight[row] = sample.wdl_weight;
    batch.plies_left[row] = sample.plies_left;
    batch.plies_left_weight[row] = sample.plies_left_weight;
    SetWdl(sample.short_term, row, &batch.short_term);
    batch.short_term_weight[row] = sample.short_term_weight;
    for (const uint8_t square : sample.packed.squares) {
      if (square == kNoSquare) continue;
      batch.survivors_weight[row * kSquares + square] = 1;
      batch.survivors[row * kSquares + square] = sample.survivors[square] ? 1.0f : 0.0f;
    }
  }
  return batch;
}

}  // namespace chuhe
