#include "train/replay_source.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/base/random.h"

namespace chuhe {

ReplaySource::ReplaySource(std::vector<std::shared_ptr<const PackedGame>> games, uint64_t seed)
    : games_(std::move(games)), seed_(seed) {
  first_position_.reserve(games_.size() + 1);
  int64_t positions = 0;
  for (const auto& game : games_) {
    first_position_.push_back(positions);
    positions += game == nullptr ? 0 : game->size();
  }
  first_position_.push_back(positions);
  assert(positions > 0);
}

ReplaySource::Place ReplaySource::PlaceOf(int64_t position) const {
  const auto after = std::upper_bound(first_position_.begin(), first_position_.end(), position);
  const auto game = static_cast<size_t>(after - first_position_.begin()) - 1;
  return {games_[game].get(), static_cast<int>(position - first_position_[game])};
}

void ReplaySource::Fill(uint64_t step, std::span<Sample> samples) const {
  Random random(seed_, StreamId("replay", step));
  const auto n = static_cast<uint64_t>(positions());
  for (Sample& sample : samples) {
    const Place place = PlaceOf(static_cast<int64_t>(random.Below(n)));
    sample = place.game->At(place.index);
    if ((random.Next() & 1) != 0) sample = Mirror(sample);
  }
}

std::vector<PackedPosition> ReplaySource::DrawPositions(int count, uint64_t step) const {
  Random random(seed_, StreamId("calibration", step));
  std::vector<PackedPosition> drawn;
  drawn.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    const Place place =
        PlaceOf(static_cast<int64_t>(random.Below(static_cast<uint64_t>(positions()))));
    drawn.push_back(place.game->PositionAt(place.index));
  }
  return drawn;
}

}  // namespace chuhe
