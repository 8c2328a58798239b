#include "cli/version_command.h"

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cli/build_info.h"
#include "engine/base/status_macros.h"
#include "nets/cuda/loader.h"
#include "nlohmann/json.hpp"

#if CHUHE_WITH_TORCH
#include "nets/torch/runtime.h"
#endif

namespace chuhe {
namespace {

using Json = nlohmann::ordered_json;

// {"version", "cuda_devices", "cuda_obstacle"}; null in a build without torch.
absl::StatusOr<Json> DescribeTorch() {
#if CHUHE_WITH_TORCH
  CHUHE_ASSIGN_OR_RETURN(const TorchRuntimeInfo info, GetTorchRuntimeInfo());
  return Json{{"version", info.version},
              {"cuda_devices", info.cuda_devices},
              {"cuda_obstacle", info.cuda_obstacle}};
#else
  return Json();
#endif
}

// One object per device; `self_test` is "ok" or what went wrong.
absl::StatusOr<Json> DescribeCudaDevices() {
  CHUHE_ASSIGN_OR_RETURN(const CudaLibrary library, CudaLibrary::Open());
  CHUHE_ASSIGN_OR_RETURN(const std::vector<CudaDevice> devices, library.ListDevices());
  Json result = Json::array();
  for (size_t i = 0; i < devices.size(); ++i) {
    const CudaDevice& device = devices[i];
    const absl::Status self_test = library.SelfTest(static_cast<int>(i));
    result.push_back(
        {{"name", device.name},
         {"memory_bytes", device.memory_bytes},
         {"compute_capability", absl::StrCat(device.compute_major, ".", device.compute_minor)},
         {"self_test", self_test.ok() ? "ok" : std::string(self_test.message())}});
  }
  return result;
}

// A part that could not be asked says why in `…_error`; that is no failure of the command.
void Add(const std::string& key, const absl::StatusOr<Json>& value, Json* all) {
  (*all)[key] = value.ok() ? *value : Json();
  if (!value.ok()) {
    (*all)[key + "_error"] = std::string(value.status().message());
  }
}

Json Describe() {
  Json all = {{"version", kVersion}, {"revision", kRevision},    {"compiler", kCompiler},
              {"target", kTarget},   {"build_type", kBuildType}, {"arch", kArch}};
  Add("torch", DescribeTorch(), &all);
  all["built_with_cuda"] = CHUHE_WITH_CUDA != 0;
  Add("cuda_devices", DescribeCudaDevices(), &all);
  return all;
}

std::string Text(const Json& value) { return value.get<std::string>(); }

void PrintForPeople(const Json& all) {
  const std::string arch = Text(all["arch"]);
  std::cout << "chuhe " << Text(all["version"]) << " (" << Text(all["revision"]) << ")\n"
            << "compiler  " << Text(all["compiler"]) << ", " << Text(all["target"]) << ", "
            << Text(all["build_type"]) << (arch.empty() ? "" : ", -march=" + arch) << "\n";
  const Json& torch = all["torch"];
  if (torch.is_object()) {
    const std::string obstacle = Text(torch["cuda_obstacle"]);
    std::cout << "torch     " << Text(torch["version"])
              << ", CUDA devices: " << torch["cuda_devices"].get<int>()
              << (obstacle.empty() ? "" : " (" + obstacle + ")") << "\n";
  } else {
    std::cout << "torch     " << all.value("torch_error", "not built in") << "\n";
  }
  const Json& devices = all["cuda_devices"];
  if (!devices.is_array()) {
    std::cout << "cuda      "
              << (CHUHE_WITH_CUDA ? Text(all["cuda_devices_error"]) : "not built in") << "\n";
    return;
  }
  for (size_t i = 0; i < devices.size(); ++i) {
    const Json& device = devices[i];
    std::cout << "cuda:" << i << "    " << Text(device["name"]) << ", "
              << device["memory_bytes"].get<uint64_t>() / (1 << 20) << " MiB, compute capability "
              << Text(device["compute_capability"]) << ", self-test " << Text(device["self_test"])
              << "\n";
  }
}

}  // namespace

void VersionCommand::Register(CLI::App& app) {
  CLI::App* version =
      app.add_subcommand("version", "Show version, revision, compiler, LibTorch and devices");
  version->add_flag("--json", json_, "One JSON object instead of text");
  version->footer("Example: chuhe version --json");
}

int VersionCommand::Run() {
  const Json all = Describe();
  if (json_) {
    // Device names come from a driver and need not be UTF-8.
    std::cout << all.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    PrintForPeople(all);
  }
  return EXIT_SUCCESS;
}

}  // namespace chuhe
