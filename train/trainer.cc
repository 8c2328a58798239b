#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "nets/torch/network.h"
#include "nets/torch/weights_conversion.h"
#include "torch/nn/utils/clip_grad.h"
#include "torch/serialize.h"
#include "torch/utils.h"
#include "train/losses.h"
#include "train/mixed_precision.h"
#include "train/network_optimizer.h"
#include "train/sealed_file.h"

namespace chuhe {
namespace {

constexpr char kCheckpointMagic[] = "CHUHECK2";

// LibTorch throws; above this file nobody does.
template <typename Work>
auto Guarded(const char* what, Work work) -> absl::StatusOr<decltype(work())> {
  try {
    return work();
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat(what, ": ", error.what()));
  }
}

std::string OptimizerName(OptimizerKind kind) {
  return kind == OptimizerKind::kMuon ? "muon" : "adamw";
}

double ValueOf(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.item<double>() : std::numeric_limits<double>::quiet_NaN();
}

double TargetEntropy(const Batch& batch) {
  double sum = 0;
  for (const float probability : batch.policy) {
    if (probability > 0) sum -= double{probability} * std::log(double{probability});
  }
  return sum / std::max(batch.size, 1);
}

// Draws the running average towards the network as it is after `steps_done` steps.
void UpdateAverage(const TorchNetwork& network, double average_decay, int64_t steps_done,
                   TorchNetwork* average) {
  const torch::NoGradGuard no_grad;
  // While young, the average follows quickly.
  const auto steps = static_cast<double>(steps_done);
  const double decay = std::min(average_decay, (1 + steps) / (10 + steps));
  const auto parameters = network.named_parameters();
  for (const auto& entry : average->named_parameters()) {
    entry.value().lerp_(parameters[entry.key()], 1 - decay);
  }
  const auto buffers = network.named_buffers();
  for (const auto& entry : average->named_buffers()) {
    const torch::Tensor& latest = buffers[entry.key()];
    if (latest.is_floating_point()) {
      entry.value().lerp_(latest, 1 - decay);
    } else {
      entry.value().copy_(latest);
    }
  }
}

}  // namespace

struct Trainer::Parts {
  Parts(std::shared_ptr<TorchNetwork> trained, std::shared_ptr<TorchNetwork> averaged,
        const TrainerOptions& options)
      : device(options.device), network(std::move(trained)), average(std::move(averaged)) {
    network->to(device);
    average->to(device);
    optimizer = std::make_unique<NetworkOptimizer>(*network, options);
    is_mixed =
        options.precision == TrainingPrecision::kBf16 ||
        (options.precision == TrainingPrecision::kAuto && IsFastInMixedPrecision(device.type()));
  }

  // In floats, whatever the products were made in.
  TorchNetworkOutput Forward(const torch::Tensor& levels) {
    TorchNetworkOutput output;
    {
      const MixedPrecision mixed(device.type(), is_mixed);
      output = network->Forward(levels);
    }
    for (torch::Tensor* part : {&output.policy, &output.wdl, &output.plies_left, &output.reply,
                                &output.short_term_wdl, &output.survival}) {
      if (part->defined()) *part = part->to(torch::kFloat);
    }
    return output;
  }

  torch::Device device;
  bool is_mixed = false;
  std::shared_ptr<TorchNetwork> network;
  std::shared_ptr<TorchNetwork> average;  // of the network's past, what is exported
  std::unique_ptr<NetworkOptimizer> optimizer;
};

Trainer::Trainer(const Architecture& architecture, std::unique_ptr<Parts> parts,
                 const TrainerOptions& options)
    : architecture_(architecture), options_(options), parts_(std::move(parts)) {}

Trainer::~Trainer() = default;

absl::StatusOr<std::unique_ptr<Trainer>> Trainer::Create(const Architecture& architecture,
                                                         const TrainerOptions& options) {
  CHUHE_RETURN_IF_ERROR(CheckArchitecture(architecture));
  return Guarded("cannot make the trainer", [&] {
    at::set_num_threads(options.threads);
    const TorchNetworkOptions network_options{.seed = options.network_seed};
    auto network = std::make_shared<TorchNetwork>(architecture, network_options);
    auto average = std::make_shared<TorchNetwork>(architecture, network_options);
    auto parts = std::make_unique<Parts>(std::move(network), std::move(average), options);
    return std::unique_ptr<Trainer>(new Trainer(architecture, std::move(parts), options));
  });
}

absl::StatusOr<std::unique_ptr<Trainer>> Trainer::FromNetwork(const NetworkWeights& weights,
                                                              const TrainerOptions& options) {
  const TorchNetworkOptions network_options{.seed = options.network_seed};
  CHUHE_ASSIGN_OR_RETURN(std::shared_ptr<TorchNetwork> network,
                         FromWeights(weights, network_options));
  CHUHE_ASSIGN_OR_RETURN(std::shared_ptr<TorchNetwork> average,
                         FromWeights(weights, network_options));
  return Guarded("cannot make the trainer", [&] {
    at::set_num_threads(options.threads);
    auto parts = std::make_unique<Parts>(std::move(network), std::move(average), options);
    return std::unique_ptr<Trainer>(new Trainer(weights.architecture, std::move(parts), options));
  });
}

absl::StatusOr<StepReport> Trainer::Step(const Batch& batch) {
  CHUHE_ASSIGN_OR_RETURN(const StepReport report,
                         Guarded("training step", [&] { return TakeStep(batch); }));
  if (!std::isfinite(report.total) || !std::isfinite(report.gradient_norm)) {
    return absl::DataLossError(absl::StrCat("step ", report.step, ": the loss is ", report.total,
                                            " and its gradient ", report.gradient_norm,
                                            "; the step was not made"));
  }
  return report;
}

void Trainer::SetThreads(int threads) { at::set_num_threads(threads); }

StepReport Trainer::TakeStep(const Batch& batch) {
  StepReport report;
  report.learning_rate = LearningRateAt(options_, steps_done_);
  // At rate 0 nothing may move, the averages of batch norm neither.
  const bool is_frozen = report.learning_rate == 0;
  parts_->network->train(!is_frozen);
  const BatchTensors tensors = ToTensors(batch, parts_->device);
  parts_->optimizer->ZeroGradients();
  const Losses losses = ComputeLosses(parts_->Forward(tensors.levels), tensors, options_.losses);
  losses.total.backward();
  report.gradient_norm =
      torch::nn::utils::clip_grad_norm_(parts_->network->parameters(), options_.clip_norm);
  report.step = steps_done_ + 1;
  report.policy = ValueOf(losses.policy);
  report.wdl = ValueOf(losses.wdl);
  report.plies_left = ValueOf(losses.plies_left);
  report.reply = ValueOf(losses.reply);
  report.short_term = ValueOf(losses.short_term);
  report.survival = ValueOf(losses.survival);
  report.total = ValueOf(losses.total);
  report.target_entropy = TargetEntropy(batch);
  if (!std::isfinite(report.total) || !std::isfinite(report.gradient_norm)) return report;
  ++steps_done_;
  if (is_frozen) return report;
  parts_->optimizer->Step(report.learning_rate);
  UpdateAverage(*parts_->network, options_.average_decay, steps_done_, parts_->average.get());
  return report;
}

absl::StatusOr<ValidationReport> Trainer::Validate(const std::vector<Batch>& batches) {
  return Guarded("validation", [&] {
    const torch::NoGradGuard no_grad;
    parts_->average->eval();
    ValidationReport report;
    for (const Batch& batch : batches) {
      const BatchTensors tensors = ToTensors(batch, parts_->device);
      const TorchNetworkOutput output = parts_->average->Forward(tensors.levels);
      const Losses losses = ComputeLosses(output, tensors, options_.losses);
      const torch::Tensor chosen = LegalLogPriors(output.policy, tensors).argmax(-1);
      const torch::Tensor hits = chosen.eq(tensors.policy.argmax(-1));
      report.policy += batch.size * losses.policy.item<double>();
      report.wdl += batch.size * losses.wdl.item<double>();
      report.top1 += hits.sum().item<double>();
      report.positions += batch.size;
    }
    const auto positions = static_cast<double>(std::max<int64_t>(report.positions, 1));
    report.policy /= positions;
    report.wdl /= positions;
    report.top1 /= positions;
    return report;
  });
}

absl::StatusOr<NetworkWeights> Trainer::Export(const NetworkOrigin& origin) const {
  return ToWeights(*parts_->average, origin);
}

absl::Status Trainer::SaveCheckpoint(const std::string& path) const {
  CHUHE_ASSIGN_OR_RETURN(
      const std::string bytes, Guarded("cannot save a checkpoint", [&] {
        torch::serialize::OutputArchive network;
        parts_->network->save(network);
        torch::serialize::OutputArchive average;
        parts_->average->save(average);
        torch::serialize::OutputArchive optimizer;
        parts_->optimizer->Save(&optimizer);
        torch::serialize::OutputArchive all;
        all.write("network", network);
        all.write("average", average);
        all.write("optimizer", optimizer);
        all.write("steps", torch::IValue(steps_done_));
        all.write("optimizer_kind", torch::IValue(OptimizerName(options_.optimizer)));
        all.write("architecture", torch::IValue(ArchitectureName(architecture())));
        std::ostringstream stream;
        all.save_to(stream);
        return std::move(stream).str();
      }));
  return WriteSealedFile(path, kCheckpointMagic, bytes);
}

absl::Status Trainer::LoadCheckpoint(const std::string& path) {
  CHUHE_ASSIGN_OR_RETURN(const std::string bytes, ReadSealedFile(path, kCheckpointMagic));
  const std::string expected =
      absl::StrCat(ArchitectureName(architecture()), ", ", OptimizerName(options_.optimizer));
  const absl::StatusOr<std::string> found = Guarded("cannot load a checkpoint", [&] {
    std::istringstream stream(bytes);
    torch::serialize::InputArchive all;
    all.load_from(stream, parts_->device);
    torch::IValue name;
    all.read("architecture", name);
    torch::IValue optimizer_kind;
    all.read("optimizer_kind", optimizer_kind);
    std::string kind = absl::StrCat(name.toStringRef(), ", ", optimizer_kind.toStringRef());
    if (kind != expected) return kind;
    // Into copies first, so that a damaged file leaves nothing half loaded.
    const TorchNetworkOptions& network_options = parts_->network->options();
    auto network = std::make_shared<TorchNetwork>(architecture_, network_options);
    auto average = std::make_shared<TorchNetwork>(architecture_, network_options);
    torch::serialize::InputArchive part;
    all.read("network", part);
    network->load(part);
    torch::serialize::InputArchive average_part;
    all.read("average", average_part);
    average->load(average_part);
    torch::IValue steps;
    all.read("steps", steps);
    auto parts = std::make_unique<Parts>(std::move(network), std::move(average), options_);
    torch::serialize::InputArchive optimizer_part;
    all.read("optimizer", optimizer_part);
    parts->optimizer->Load(&optimizer_part);
    parts_ = std::move(parts);
    steps_done_ = steps.toInt();
    return kind;
  });
  if (!found.ok()) {
    return absl::DataLossError(absl::StrCat(path, ": ", found.status().message()));
  }
  if (*found != expected) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": a checkpoint of ", *found, "; expected one of ", expected));
  }
  return absl::OkStatus();
}

}  // namespace chuhe
