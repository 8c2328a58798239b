#include "nets/torch/folded_network.h"

#include <utility>

#include "ATen/TensorOperators.h"
#include "ATen/ops/_convolution.h"
#include "ATen/ops/linear.h"
#include "ATen/ops/relu.h"
#include "ATen/ops/tensor.h"
#include "ATen/ops/zeros.h"
#include "c10/core/InferenceMode.h"
#include "engine/board/types.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "torch/csrc/jit/api/function_impl.h"
#include "torch/csrc/jit/codegen/onednn/interface.h"
#include "torch/csrc/jit/frontend/tracer.h"

namespace chuhe {
namespace {

at::Tensor Upload(const std::vector<float>& values, at::IntArrayRef shape, at::Device device) {
  return at::tensor(values, at::kFloat).view(shape).to(device);
}

at::Tensor UploadConv(const std::vector<float>& values, int64_t outputs, int kernel,
                      at::Device device) {
  return Upload(values, {outputs, -1, kernel, kernel}, device)
      .contiguous(at::MemoryFormat::ChannelsLast);
}

// A convolution in true fp32: by default LibTorch lets cuDNN round to TF32.
at::Tensor Convolve(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  const int64_t padding = weight.size(2) / 2;
  return at::_convolution(x, weight, bias, /*stride=*/{1, 1}, {padding, padding},
                          /*dilation=*/{1, 1}, /*transposed=*/false, /*output_padding=*/{0, 0},
                          /*groups=*/1, /*benchmark=*/false, /*deterministic=*/true,
                          /*cudnn_enabled=*/true, /*allow_tf32=*/false);
}

}  // namespace

FoldedNetwork::FoldedNetwork(const NetworkWeights& weights, at::Device device) {
  const c10::InferenceMode inference;
  const auto conv = [device](const ConvWeights& source, int kernel) {
    const auto outputs = static_cast<int64_t>(source.bias.size());
    return Layer{UploadConv(source.weight, outputs, kernel, device),
                 Upload(source.bias, {outputs}, device)};
  };
  const Architecture& architecture = weights.architecture;
  stem_ = conv(weights.stem, 3);
  for (const BlockWeights& block : weights.blocks) {
    Layer global;
    if (!block.global.empty()) {
      global.weight = Upload(block.global, {architecture.channels, architecture.channels}, device);
    }
    blocks_.push_back({conv(block.conv1, 3), conv(block.conv2, 3), std::move(global)});
  }
  policy_conv_ = conv(weights.policy_conv, 1);
  ConvWeights moves{.weight = weights.policy_from, .bias = weights.policy_bias};
  moves.weight.insert(moves.weight.end(), weights.policy_to.begin(), weights.policy_to.end());
  moves.bias.resize(2 * kMoveShapes);
  policy_moves_ = conv(moves, 1);
  value_conv_ = conv(weights.value_conv, 1);
  const int hidden = architecture.value_hidden;
  value_hidden_ = {Upload(weights.value_hidden.weight, {hidden, -1}, device),
                   Upload(weights.value_hidden.bias, {hidden}, device)};
  LinearWeights out = weights.wdl;
  out.weight.insert(out.weight.end(), weights.plies_left.weight.begin(),
                    weights.plies_left.weight.end());
  out.bias.insert(out.bias.end(), weights.plies_left.bias.begin(), weights.plies_left.bias.end());
  value_out_ = {Upload(out.weight, {4, hidden}, device), Upload(out.bias, {4}, device)};
}

FoldedNetwork::Output FoldedNetwork::Forward(const at::Tensor& levels) const {
  const at::Tensor planes =
      levels.view({-1, kRanks, kFiles, kPlanes}).permute({0, 3, 1, 2}).to(at::kFloat) / kLevelOne;
  at::Tensor x = at::relu(Convolve(planes, stem_.weight, stem_.bias));
  for (const Block& block : blocks_) {
    at::Tensor y = Convolve(x, block.conv1.weight, block.conv1.bias);
    if (block.global.weight.defined()) {
      const at::Tensor mean = x.mean({2, 3});
      y = y + at::linear(mean, block.global.weight).unsqueeze(-1).unsqueeze(-1);
    }
    x = at::relu(Convolve(at::relu(y), block.conv2.weight, block.conv2.bias) + x);
  }
  const at::Tensor p = at::relu(Convolve(x, policy_conv_.weight, policy_conv_.bias));
  const at::Tensor moves = Convolve(p, policy_moves_.weight, policy_moves_.bias);
  const at::Tensor v = at::relu(Convolve(x, value_conv_.weight, value_conv_.bias));
  const at::Tensor h = at::relu(
      at::linear(v.permute({0, 2, 3, 1}).flatten(1), value_hidden_.weight, value_hidden_.bias));
  return {moves.permute({0, 2, 3, 1}).reshape({-1, kSquares, 2, kMoveShapes}),
          at::linear(h, value_out_.weight, value_out_.bias)};
}

CompiledNetwork::CompiledNetwork(const FoldedNetwork& network, int batch) {
  [[maybe_unused]] static const bool was_enabled =
      torch::jit::RegisterLlgaFuseGraph::setEnabled(true);
  const c10::InferenceMode inference;
  levels_ = at::zeros({batch, kSquares, kPlanes}, at::kByte);
  const auto forward = [&network](torch::jit::Stack inputs) {
    FoldedNetwork::Output output = network.Forward(inputs.front().toTensor());
    return torch::jit::Stack{
        c10::ivalue::Tuple::create(std::move(output.moves), std::move(output.value))};
  };
  const auto traced = torch::jit::tracer::trace(
      {levels_}, forward, /*var_name_lookup_fn=*/[](const at::Tensor&) { return ""; });
  function_ = std::make_unique<torch::jit::GraphFunction>("forward", traced.first->graph,
                                                          /*function_creator=*/nullptr);
  // The first run observes shapes, the second compiles for them.
  Run();
  Run();
}

CompiledNetwork::~CompiledNetwork() = default;
CompiledNetwork::CompiledNetwork(CompiledNetwork&&) noexcept = default;
CompiledNetwork& CompiledNetwork::operator=(CompiledNetwork&&) noexcept = default;

FoldedNetwork::Output CompiledNetwork::Run() {
  const c10::InferenceMode inference;
  torch::jit::Stack stack{levels_};
  function_->run(stack);
  const auto outputs = stack.front().toTuple();
  return {outputs->elements()[0].toTensor(), outputs->elements()[1].toTensor()};
}

}  // namespace chuhe
