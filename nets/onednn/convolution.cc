#include "nets/onednn/convolution.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/board/types.h"

namespace chuhe {
namespace {

using Memory = dnnl::memory;
using Tag = dnnl::memory::format_tag;
using Type = dnnl::memory::data_type;

Type TypeOf(Number number) {
  switch (number) {
    case Number::kU8:
      return Type::u8;
    case Number::kBf16:
      return Type::bf16;
    case Number::kF32:
      return Type::f32;
  }
  return Type::undef;
}

// The address of numbers that oneDNN only reads, in the type that it takes.
void* Unprotected(const void* address) { return const_cast<void*>(address); }

}  // namespace

size_t SizeOf(Number number) { return number == Number::kU8 ? 1 : number == Number::kBf16 ? 2 : 4; }

absl::StatusOr<Convolution> Convolution::Make(const dnnl::engine& engine,
                                              const ConvolutionSpec& spec,
                                              const ConvolutionNumbers& numbers) {
  Convolution convolution(engine);
  convolution.source_size_ = SizeOf(spec.source) * kSquares * spec.inputs;
  convolution.destination_size_ = SizeOf(spec.destination) * kSquares * spec.outputs;
  convolution.bias_.assign(numbers.bias.begin(), numbers.bias.end());
  try {
    if (spec.in_groups) convolution.AddPrimitive(spec, kGroup);
    convolution.AddPrimitive(spec, 1);
    convolution.PackWeights(spec, numbers);
  } catch (const dnnl::error& error) {
    return absl::InternalError(
        absl::StrCat("oneDNN, convolution ", spec.inputs, " → ", spec.outputs, ": ", error.what()));
  }
  return convolution;
}

void Convolution::AddPrimitive(const ConvolutionSpec& spec, int positions) {
  const bool is_8bit = spec.source == Number::kU8;
  const Memory::desc source({positions, spec.inputs, kRanks, kFiles}, TypeOf(spec.source),
                            Tag::nhwc);
  // Both primitives must take the same weights: the second one is told the first one's choice.
  const Memory::desc weights =
      primitives_.empty() ? Memory::desc({spec.outputs, spec.inputs, spec.kernel, spec.kernel},
                                         is_8bit ? Type::s8 : TypeOf(spec.source), Tag::any)
                          : primitives_.front().description.weights_desc();
  const Memory::desc bias({spec.outputs}, Type::f32, Tag::a);
  const Memory::desc destination({positions, spec.outputs, kRanks, kFiles},
                                 TypeOf(spec.destination), Tag::nhwc);
  const Memory::dim reach = spec.kernel / 2;
  const dnnl::convolution_forward::desc description(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, source, weights,
      bias, destination, {1, 1}, {reach, reach}, {reach, reach});

  dnnl::post_ops post_ops;
  if (spec.adds_destination) post_ops.append_sum(spec.addend_scale);
  post_ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(post_ops);
  constexpr int kByOutput = 1 << 1;
  if (is_8bit) attributes.set_output_scales(kByOutput, spec.output_scales);
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);

  Primitive primitive;
  primitive.positions = positions;
  primitive.description =
      dnnl::convolution_forward::primitive_desc(description, attributes, engine_);
  primitive.primitive = dnnl::convolution_forward(primitive.description);
  primitives_.push_back(std::move(primitive));
}

void Convolution::PackWeights(const ConvolutionSpec& spec, const ConvolutionNumbers& numbers) {
  const bool is_8bit = spec.source == Number::kU8;
  const Memory::desc plain({spec.outputs, spec.inputs, spec.kernel, spec.kernel},
                           is_8bit ? Type::s8 : Type::f32, Tag::oihw);
  Memory from(plain, engine_,
              is_8bit ? Unprotected(numbers.weight8.data()) : Unprotected(numbers.weight.data()));
  weights_ = Memory(primitives_.front().description.weights_desc(), engine_);
  dnnl::stream stream(engine_);
  dnnl::reorder(from, weights_).execute(stream, from, weights_);
  stream.wait();
}

size_t Convolution::scratchpad_size() const {
  size_t size = 0;
  for (const Primitive& primitive : primitives_) {
    size = std::max(size, primitive.description.scratchpad_desc().get_size());
  }
  return size;
}

ConvolutionCall::ConvolutionCall(const Convolution& convolution, void* scratchpad)
    : convolution_(&convolution), stream_(convolution.engine_) {
  for (const Convolution::Primitive& primitive : convolution.primitives_) {
    const auto& description = primitive.description;
    const dnnl::engine& engine = convolution.engine_;
    Bound bound;
    bound.positions = primitive.positions;
    bound.primitive = primitive.primitive.get();
    bound.source = Memory(description.src_desc(), engine, DNNL_MEMORY_NONE);
    bound.destination = Memory(description.dst_desc(), engine, DNNL_MEMORY_NONE);
    bound.bias = Memory(description.bias_desc(), engine, Unprotected(convolution.bias_.data()));
    bound.scratchpad = Memory(description.scratchpad_desc(), engine, scratchpad);
    bound.arguments = {{DNNL_ARG_SRC, bound.source.get()},
                       {DNNL_ARG_WEIGHTS, convolution.weights_.get()},
                       {DNNL_ARG_BIAS, bound.bias.get()},
                       {DNNL_ARG_DST, bound.destination.get()},
                       {DNNL_ARG_SCRATCHPAD, bound.scratchpad.get()}};
    bound_.push_back(std::move(bound));
  }
}

void ConvolutionCall::Run(const void* source, void* destination, int positions) {
  const auto* from = static_cast<const std::byte*>(source);
  auto* to = static_cast<std::byte*>(destination);
  for (const Bound& bound : bound_) {
    for (; positions >= bound.positions; positions -= bound.positions) {
      Execute(bound, from, to);
      from += convolution_->source_size_ * bound.positions;
      to += convolution_->destination_size_ * bound.positions;
    }
  }
}

void ConvolutionCall::RunWithBias(const void* source, void* destination, const float* bias) {
  const Bound& bound = bound_.back();
  dnnl_memory_set_data_handle(bound.bias.get(), Unprotected(bias));
  Execute(bound, source, destination);
  dnnl_memory_set_data_handle(bound.bias.get(), Unprotected(convolution_->bias_.data()));
}

// The C interface, because the C++ one builds a hash map for every call.
void ConvolutionCall::Execute(const Bound& bound, const void* source, void* destination) {
  dnnl_memory_set_data_handle(bound.source.get(), Unprotected(source));
  dnnl_memory_set_data_handle(bound.destination.get(), destination);
  const dnnl_status_t status =
      dnnl_primitive_execute(bound.primitive, stream_.get(),
                             static_cast<int>(bound.arguments.size()), bound.arguments.data());
  if (status != dnnl_success) {
    std::fprintf(stderr, "oneDNN: a convolution that was made failed with status %d\n", status);
    std::abort();
  }
}

absl::StatusOr<bool> EightBitSumsAreExact(const dnnl::engine& engine) {
  constexpr int kInputs = 64;
  constexpr int kOutputs = 16;
  const std::vector<int8_t> weights(kOutputs * kInputs * 9, 127);
  const std::vector<float> bias(kOutputs, 0.0f);
  ConvolutionSpec spec{.inputs = kInputs,
                       .outputs = kOutputs,
                       .source = Number::kU8,
                       .destination = Number::kF32,
                       .output_scales = std::vector<float>(kOutputs, 1.0f),
                       .in_groups = false};
  CHUHE_ASSIGN_OR_RETURN(const Convolution convolution,
                         Convolution::Make(engine, spec, {.weight8 = weights, .bias = bias}));
  const std::vector<uint8_t> source(kSquares * kInputs, 255);
  std::vector<float> sums(kSquares * kOutputs);
  std::vector<std::byte> scratchpad(convolution.scratchpad_size());
  ConvolutionCall(convolution, scratchpad.data()).Run(source.data(), sums.data(), 1);
  // A point with all its neighbours on the board.
  return sums[MakeSquare(4, 4) * kOutputs] == 255.0f * 127 * 9 * kInputs;
}

}  // namespace chuhe
