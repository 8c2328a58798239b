#include "train/mixed_precision.h"

#include "ATen/autocast_mode.h"
#include "ATen/cpu/Utils.h"

namespace chuhe {
namespace {

// LibTorch names what the processor and the system allow.
bool ProcessorHas(const char* capability) {
  const auto capabilities = at::cpu::get_cpu_capabilities();
  const auto found = capabilities.find(capability);
  return found != capabilities.end() && found->second.isBool() && found->second.toBool();
}

}  // namespace

bool IsFastInMixedPrecision(torch::DeviceType device) {
  if (device != torch::kCPU) return true;
  static const bool is_fast = ProcessorHas("avx512_bf16") || ProcessorHas("amx_bf16");
  return is_fast;
}

MixedPrecision::MixedPrecision(torch::DeviceType device, bool is_on)
    : device_(device), is_on_(is_on) {
  if (!is_on_) return;
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::set_autocast_dtype(device_, torch::kBFloat16);
  at::autocast::increment_nesting();
}

MixedPrecision::~MixedPrecision() {
  if (!is_on_) return;
  // The last one forgets the weights that were converted: they are about to change.
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(device_, false);
}

}  // namespace chuhe
