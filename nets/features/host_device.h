// Marks functions that run on the CPU and inside CUDA kernels, so that a test on the CPU checks the
// arithmetic of both.
#pragma once

#if defined(__CUDACC__)
#define CHUHE_HOST_DEVICE __host__ __device__
#else
#define CHUHE_HOST_DEVICE
#endif
