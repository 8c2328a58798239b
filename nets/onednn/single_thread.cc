#include "nets/onednn/single_thread.h"

#include <oneapi/dnnl/dnnl_config.h>

#if DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_OMP
// Declared here rather than by <omp.h>, which clang has only with an OpenMP library of its own; the
// one that counts is the one that oneDNN is linked with.
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
}
#else
// Other builds of oneDNN are sequential, or take their threads from a pool that we do not give.
static int omp_get_max_threads() { return 1; }
static void omp_set_num_threads(int) {}
#endif

namespace chuhe {

SingleThreadScope::SingleThreadScope() : threads_before_(omp_get_max_threads()) {
  omp_set_num_threads(1);
}

SingleThreadScope::~SingleThreadScope() { omp_set_num_threads(threads_before_); }

}  // namespace chuhe
