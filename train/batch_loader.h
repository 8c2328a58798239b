// Makes the next batches while the trainer works on the present one.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "train/batch.h"
#include "train/sample_source.h"

namespace chuhe {

// Next() is for one thread; the work is done by threads of the loader's own.
class BatchLoader {
 public:
  // Batches of `batch_size` samples from step `first_step` on and before step `end_step`, `ahead`
  // of them at most in stock. The source must outlive the loader.
  BatchLoader(const SampleSource* source, int batch_size, uint64_t first_step, int threads,
              int ahead, uint64_t end_step = UINT64_MAX);
  ~BatchLoader();

  // The batch of the next step, which must be before end_step. Blocks until it is made.
  Batch Next();

 private:
  void Work();

  const SampleSource* source_;
  const int batch_size_;
  const uint64_t ahead_;
  const uint64_t end_step_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t next_made_;   // first step that no thread has begun
  uint64_t next_taken_;  // step of the next batch to hand out
  std::map<uint64_t, Batch> stock_;
  bool is_closing_ = false;
  std::vector<std::jthread> threads_;  // last: they use what is above
};

}  // namespace chuhe
