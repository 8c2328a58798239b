#include "train/batch_loader.h"

#include <utility>

namespace chuhe {

BatchLoader::BatchLoader(const SampleSource* source, int batch_size, uint64_t first_step,
                         int threads, int ahead, uint64_t end_step)
    : source_(source),
      batch_size_(batch_size),
      ahead_(static_cast<uint64_t>(ahead)),
      end_step_(end_step),
      next_made_(first_step),
      next_taken_(first_step) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

BatchLoader::~BatchLoader() {
  const std::lock_guard lock(mutex_);
  is_closing_ = true;
  changed_.notify_all();
}

void BatchLoader::Work() {
  std::vector<Sample> samples(static_cast<size_t>(batch_size_));
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] {
      return is_closing_ || (next_made_ < next_taken_ + ahead_ && next_made_ < end_step_);
    });
    if (is_closing_) return;
    const uint64_t step = next_made_++;
    lock.unlock();
    source_->Fill(step, samples);
    Batch batch = MakeBatch(samples);
    lock.lock();
    stock_.emplace(step, std::move(batch));
    changed_.notify_all();
  }
}

Batch BatchLoader::Next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stock_.contains(next_taken_); });
  Batch batch = std::move(stock_.extract(next_taken_).mapped());
  ++next_taken_;
  changed_.notify_all();
  return batch;
}

}  // namespace chuhe
