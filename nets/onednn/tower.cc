#include "nets/onednn/tower.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/board/types.h"
#include "nets/features/planes.h"
#include "nets/onednn/point_sums.h"

namespace chuhe {
namespace {

constexpr size_t kLevels = static_cast<size_t>(kSquares) * kPlanes;

// A part of the second-level cache of any CPU in use: the weights of a layer need room there too.
constexpr size_t kMapBytes = 512 << 10;

int CapacityFor(size_t map_size) {
  const int fitting = static_cast<int>(kMapBytes / (2 * map_size));
  return std::clamp(fitting / Convolution::kGroup, 1, 4) * Convolution::kGroup;
}

}  // namespace

AlignedBuffer::AlignedBuffer(size_t size) {
  constexpr size_t kAlignment = 64;
  memory_ = std::make_unique<std::byte[]>(size + kAlignment);
  const auto address = reinterpret_cast<uintptr_t>(memory_.get());
  data_ = memory_.get() + (kAlignment - address % kAlignment) % kAlignment;
}

Tower::Tower(std::shared_ptr<const PackedNetwork> network)
    : network_(std::move(network)),
      map_size_(SizeOf(network_->number()) * kSquares * network_->architecture().channels),
      capacity_(CapacityFor(map_size_)),
      levels_(kLevels * capacity_),
      floats_(SizeOf(network_->number()) * kLevels * capacity_),
      x_(map_size_ * capacity_),
      y_(map_size_ * capacity_),
      head_(sizeof(float) * kSquares * network_->heads().channels() * capacity_),
      scratchpad_(network_->scratchpad_size()),
      sums_(network_->architecture().channels),
      stem_(network_->stem(), scratchpad_.data()),
      head_convolution_(network_->head_convolution(), scratchpad_.data()) {
  for (const PackedNetwork::Block& block : network_->blocks()) {
    blocks_.push_back({ConvolutionCall(block.conv1, scratchpad_.data()),
                       ConvolutionCall(block.conv2, scratchpad_.data())});
    if (block.is_global) global_bias_.resize(block.global.padded_outputs());
  }
}

const float* Tower::Run(int positions, TowerObserver* observer) {
  stem_.Run(StemInput(positions), x_.data(), positions);
  if (observer != nullptr) observer->Stem(x_.data(), positions);
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const PackedNetwork::Block& block = network_->blocks()[i];
    if (block.is_global) {
      RunGlobal(block, &blocks_[i].conv1, positions);
    } else {
      blocks_[i].conv1.Run(x_.data(), y_.data(), positions);
    }
    if (observer != nullptr) observer->Inner(static_cast<int>(i), y_.data(), positions);
    blocks_[i].conv2.Run(y_.data(), x_.data(), positions);
    if (observer != nullptr) observer->Output(static_cast<int>(i), x_.data(), positions);
  }
  head_convolution_.Run(x_.data(), head_.data(), positions);
  return reinterpret_cast<const float*>(head_.data());
}

const void* Tower::StemInput(int positions) {
  const size_t count = kLevels * positions;
  const uint8_t* levels = this->levels();
  if (network_->number() == Number::kU8) return levels;
  if (network_->number() == Number::kF32) {
    auto* floats = reinterpret_cast<float*>(floats_.data());
    for (size_t i = 0; i < count; ++i) floats[i] = levels[i];
  } else {
    auto* bfloats = reinterpret_cast<uint16_t*>(floats_.data());
    for (size_t i = 0; i < count; ++i) {
      bfloats[i] = static_cast<uint16_t>(std::bit_cast<uint32_t>(float(levels[i])) >> 16);
    }
  }
  return floats_.data();
}

// What a global block adds depends on the position, so each one is run with a bias of its own.
void Tower::RunGlobal(const PackedNetwork::Block& block, ConvolutionCall* conv1, int positions) {
  const int channels = network_->architecture().channels;
  for (int i = 0; i < positions; ++i) {
    const std::byte* x = x_.data() + map_size_ * i;
    SumPoints(network_->number(), x, channels, sums_.data());
    block.global.Run(sums_.data(), global_bias_.data(), 1);
    conv1->RunWithBias(x, y_.data() + map_size_ * i, global_bias_.data());
  }
}

}  // namespace chuhe
