#include "cli/net_command.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_macros.h"
#include "nets/features/random_positions.h"
#include "nets/onednn/calibrate.h"
#include "nets/weights/architecture.h"
#include "nets/weights/grow.h"
#include "nets/weights/initialise.h"
#include "nets/weights/tensors.h"
#include "nets/weights/weights_file.h"
#include "nlohmann/json.hpp"

namespace chuhe {
namespace {

// Of random play, as there are no games of a new network yet.
constexpr int kCalibrationPositions = 128;

using Json = nlohmann::ordered_json;

Json Describe(const std::string& file, const NamedNetwork& network) {
  const Architecture& architecture = network.weights.architecture;
  const NetworkOrigin& origin = network.weights.origin;
  return {{"file", file},
          {"sha256", network.sha256},
          {"size", ArchitectureName(architecture)},
          {"architecture",
           {{"blocks", architecture.blocks},
            {"channels", architecture.channels},
            {"policy_channels", architecture.policy_channels},
            {"value_channels", architecture.value_channels},
            {"value_hidden", architecture.value_hidden},
            {"global_blocks", architecture.global_blocks}}},
          {"parameters", ParameterCount(architecture)},
          {"mflop_per_evaluation", FlopPerEvaluation(architecture) / 1e6},
          {"storage", network.storage == StorageType::kFloat32 ? "fp32" : "fp16"},
          {"calibrated", !network.weights.calibration.empty()},
          {"norm_statistics", !network.weights.norms.empty()},
          {"feature_set", origin.feature_set},
          {"rule_set", origin.rule_set},
          {"training_steps", origin.training_steps},
          {"parent", origin.parent},
          {"note", origin.note}};
}

void PrintForPeople(const std::string& file, const NamedNetwork& network) {
  const Architecture& architecture = network.weights.architecture;
  const NetworkOrigin& origin = network.weights.origin;
  const std::string global_blocks =
      architecture.global_blocks.empty() ? "none" : absl::StrJoin(architecture.global_blocks, ",");
  // Text of a file from outside may hold what a terminal takes for commands.
  const std::string note = absl::Utf8SafeCEscape(origin.note);
  std::cout << "file            " << file << "\n"
            << "sha256          " << network.sha256 << "\n"
            << "size            " << ArchitectureName(architecture) << ": " << architecture.blocks
            << " blocks of " << architecture.channels << " channels, global blocks "
            << global_blocks << "\n"
            << "heads           policy " << architecture.policy_channels << " channels, value "
            << architecture.value_channels << " channels and " << architecture.value_hidden
            << " hidden\n"
            << "parameters      " << ParameterCount(architecture) << "\n"
            << absl::StrFormat("evaluation      %.1f MFLOP\n",
                               FlopPerEvaluation(architecture) / 1e6)
            << "storage         " << (network.storage == StorageType::kFloat32 ? "fp32" : "fp16")
            << "\n"
            << "calibrated      " << (network.weights.calibration.empty() ? "no" : "yes") << "\n"
            << "norm statistics " << (network.weights.norms.empty() ? "no" : "yes") << "\n"
            << "feature set     " << origin.feature_set << "\n"
            << "rule set        " << origin.rule_set << "\n"
            << "training steps  " << origin.training_steps << "\n"
            << "parent          " << (origin.parent.empty() ? "none" : origin.parent) << "\n"
            << (note.empty() ? "" : "note            " + note + "\n");
}

// Whether something has that name, even a link that leads nowhere.
bool Exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::symlink_status(path, ignored).type() !=
         std::filesystem::file_type::not_found;
}

}  // namespace

void NetCommand::Register(CLI::App& app) {
  CLI::App* net = app.add_subcommand("net", "Make network files, show what is in them, check them");
  net->require_subcommand(1);
  net->footer(
      "Example: chuhe net init --size small --seed 1 --out first.safetensors\n"
      "Options of each: chuhe net init --help");
  RegisterInit(*net);
  RegisterGrow(*net);
  RegisterInfo(*net);
  RegisterVerify(*net);
}

void NetCommand::RegisterInit(CLI::App& net) {
  init_ = net.add_subcommand("init", "Make a network with random numbers");
  init_
      ->add_option("--size", size_,
                   "tiny (4x32), small (6x64), medium (10x128), large (15x192), xl (20x256), or "
                   "BLOCKSxCHANNELS")
      ->required();
  AddOutput(*init_);
  init_
      ->add_option("--global-blocks", global_blocks_,
                   "Blocks (from 0) that see the mean over the board, as in 2,5")
      ->delimiter(',')
      ->allow_extra_args(false);
  init_->add_option("--rules", rules_, "Rule set: computer, pikafish, axf or cxa")
      ->capture_default_str();
  init_->footer(
      "Prints the SHA-256 of the file, by which the network is named. A seed gives the same\n"
      "numbers on every machine.\n"
      "Example: chuhe net init --size small --seed 1 --out first.safetensors");
}

void NetCommand::RegisterGrow(CLI::App& net) {
  grow_ = net.add_subcommand("grow", "Make a larger network that answers as a given one does");
  grow_->add_option("FILE", file_, "The network to begin with")->required();
  grow_
      ->add_option("--size", size_,
                   "Of the new one: a name as of init, or BLOCKSxCHANNELS; neither may be fewer")
      ->required();
  AddOutput(*grow_);
  grow_->footer(
      "Training goes on from it with `chuhe train --net` or `chuhe loop --net`: what the small "
      "network\nhas learnt need not be learnt again. Prints the SHA-256 of the file.\n"
      "Example: chuhe net grow small.safetensors --size 8x96 --out larger.safetensors");
}

void NetCommand::AddOutput(CLI::App& command) {
  command.add_option("--out", out_, "The file to write")->required();
  command.add_option("--seed", seed_, "Of the random numbers")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--note", note_, "Free text for the file");
  command.add_flag("--fp16", fp16_, "Store 16 bits a number instead of 32");
  command.add_flag("--force", force_, "Replace the file if it exists");
}

void NetCommand::RegisterInfo(CLI::App& net) {
  info_ = net.add_subcommand("info", "Show what a network file is");
  info_->add_option("FILE", file_, "The network file")->required();
  info_->add_flag("--json", json_, "One JSON object instead of text");
  info_->footer("Example: chuhe net info first.safetensors");
}

void NetCommand::RegisterVerify(CLI::App& net) {
  verify_ = net.add_subcommand("verify", "Check a network file as a whole");
  verify_->add_option("FILE", file_, "The network file")->required();
  verify_->add_option("--sha256", sha256_, "What its SHA-256 must be");
  verify_->footer(
      "Every number of the file is looked at. Ends with status 0 and prints `ok` and the SHA-256 "
      "if\n"
      "the file is one that Chuhe reads. A file whose name is 64 hex digits must have that "
      "SHA-256.\n"
      "Example: chuhe net verify first.safetensors");
}

int NetCommand::Run() {
  const char* name = "init";
  absl::Status status;
  if (init_->parsed()) {
    status = RunInit();
  } else if (grow_->parsed()) {
    name = "grow";
    status = RunGrow();
  } else if (info_->parsed()) {
    name = "info";
    status = RunInfo();
  } else {
    name = "verify";
    status = RunVerify();
  }
  if (!status.ok()) {
    std::cerr << "chuhe net " << name << ": " << status.message() << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

absl::Status NetCommand::RunInit() const {
  CHUHE_ASSIGN_OR_RETURN(Architecture architecture, ParseArchitecture(size_));
  architecture.global_blocks = global_blocks_;
  CHUHE_RETURN_IF_ERROR(CheckArchitecture(architecture));
  NetworkWeights network = InitialNetwork(architecture, seed_);
  network.origin.rule_set = rules_;
  network.origin.note = note_;
  return Write(std::move(network));
}

absl::Status NetCommand::RunGrow() const {
  CHUHE_ASSIGN_OR_RETURN(const NamedNetwork small, ReadNetwork(file_));
  CHUHE_ASSIGN_OR_RETURN(const Architecture size, ParseArchitecture(size_));
  CHUHE_ASSIGN_OR_RETURN(NetworkWeights network,
                         GrowNetwork(small.weights, size.blocks, size.channels, seed_));
  network.origin.parent = small.sha256;
  network.origin.note = note_;
  return Write(std::move(network));
}

absl::Status NetCommand::Write(NetworkWeights network) const {
  if (!force_ && Exists(out_)) {
    return absl::AlreadyExistsError(absl::StrCat(out_, ": exists; --force replaces it"));
  }
  CHUHE_RETURN_IF_ERROR(Calibrate(&network, RandomPositions(kCalibrationPositions, seed_)));
  const StorageType storage = fp16_ ? StorageType::kFloat16 : StorageType::kFloat32;
  CHUHE_ASSIGN_OR_RETURN(const std::string sha256, WriteNetwork(network, storage, out_));
  std::cout << sha256 << "\n";
  return absl::OkStatus();
}

absl::Status NetCommand::RunInfo() const {
  CHUHE_ASSIGN_OR_RETURN(const NamedNetwork network, ReadNetwork(file_));
  if (json_) {
    // A file's name need not be UTF-8.
    std::cout << Describe(file_, network).dump(2, ' ', false, Json::error_handler_t::replace)
              << "\n";
  } else {
    PrintForPeople(file_, network);
  }
  return absl::OkStatus();
}

absl::Status NetCommand::RunVerify() const {
  CHUHE_ASSIGN_OR_RETURN(const NamedNetwork network, ReadNetwork(file_, sha256_));
  std::cout << "ok " << network.sha256 << "\n";
  return absl::OkStatus();
}

}  // namespace chuhe
