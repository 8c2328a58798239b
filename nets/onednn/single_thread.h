// oneDNN is built with OpenMP and takes all cores for every call unless told otherwise. Chuhe gives
// each core an evaluator of its own instead.
#pragma once

namespace chuhe {

// While it lives, oneDNN's calls made by this thread use this thread alone; no team is started.
// Other threads are not concerned. Owned by one thread.
class SingleThreadScope {
 public:
  SingleThreadScope();
  ~SingleThreadScope();
  SingleThreadScope(const SingleThreadScope&) = delete;
  SingleThreadScope& operator=(const SingleThreadScope&) = delete;

 private:
  int threads_before_;
};

}  // namespace chuhe
