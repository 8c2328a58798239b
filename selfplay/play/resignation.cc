#include "selfplay/play/resignation.h"

#include <algorithm>

#include "engine/base/random.h"

namespace chuhe {
namespace {

// Audited sides that are remembered: networks change.
constexpr size_t kRemembered = 400;
// Sides that fell so low, in the games that are played before anybody resigns: fewer prove nothing.
constexpr double kFewestByGames = 0.4;

}  // namespace

bool IsResignationAudited(const SelfPlayOptions& options, uint64_t seed) {
  return Random(seed, StreamId("resignation audit")).UniformDouble() < options.resign_audit;
}

void ResignationWatch::Clear() {
  for (const Color side : {Color::kRed, Color::kBlack}) {
    values_[Index(side)].clear();
    worst_[Index(side)] = 1;
  }
}

void ResignationWatch::Add(Color side, float value) {
  std::vector<float>& values = values_[Index(side)];
  if (values.size() == moves_) values.erase(values.begin());
  values.push_back(value);
  worst_[Index(side)] = std::min(worst_[Index(side)], Recent(side));
}

float ResignationWatch::Recent(Color side) const {
  const std::vector<float>& values = values_[Index(side)];
  return values.size() < moves_ ? 1 : *std::max_element(values.begin(), values.end());
}

ResignationControl::ResignationControl(const SelfPlayOptions& options) : options_(options) {}

void ResignationControl::AddAudited(const ResignationWatch& watch, Outcome outcome) {
  const MutexLock lock(&mutex_);
  for (const Color color : {Color::kRed, Color::kBlack}) {
    const Side side{.worst = watch.worst(color), .has_lost = outcome == LossOf(color)};
    const size_t place = (2 * games_ + static_cast<size_t>(Index(color))) % kRemembered;
    if (place < sides_.size()) {
      sides_[place] = side;
    } else {
      sides_.push_back(side);
    }
  }
  ++games_;
  threshold_.store(FindThreshold(), std::memory_order_relaxed);
}

void ResignationControl::AddEarlier(const GameRecord& record) {
  if (record.end == GameEnd::kResignation || record.outcome == Outcome::kUndecided) return;
  // Before a threshold is known all games tell how bad things may look.
  if (threshold() != kNever && !IsResignationAudited(options_, record.seed)) return;
  ResignationWatch watch(options_.resign_moves);
  Color side = record.start.side_to_move();
  for (const PlyRecord& ply : record.plies) {
    if (ply.is_searched) watch.Add(side, ply.root.value());
    side = Opponent(side);
  }
  AddAudited(watch, record.outcome);
}

float ResignationControl::FindThreshold() const {
  if (!options_.resign || games_ < static_cast<size_t>(options_.resign_min_games)) return kNever;
  const auto highest = static_cast<float>(options_.resign_value);
  std::vector<Side> bad;
  for (const Side& side : sides_) {
    if (side.worst <= highest) bad.push_back(side);
  }
  std::sort(bad.begin(), bad.end(), [](const Side& a, const Side& b) { return a.worst < b.worst; });
  float threshold = kNever;
  size_t wrong = 0;
  const auto fewest = static_cast<size_t>(kFewestByGames * options_.resign_min_games);
  for (size_t i = 0; i < bad.size(); ++i) {
    wrong += bad[i].has_lost ? 0 : 1;
    const bool is_last_of_value = i + 1 == bad.size() || bad[i + 1].worst > bad[i].worst;
    if (is_last_of_value && i + 1 >= fewest &&
        static_cast<double>(wrong) <= options_.resign_wrong * static_cast<double>(i + 1)) {
      threshold = bad[i].worst;
    }
  }
  return threshold;
}

}  // namespace chuhe
