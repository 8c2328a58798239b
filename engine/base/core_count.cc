#include "engine/base/core_count.h"

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

#include "absl/strings/str_cat.h"

namespace chuhe {
namespace {

// Whole cores in a quota; 0 if it is none.
int WholeCores(double quota, double period) {
  if (quota <= 0 || period <= 0) return 0;
  return static_cast<int>(std::clamp(quota / period, 1.0, 1e6));
}

// `200000 100000`, or `max 100000` for no limit.
int CoresOfVersion2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  double quota = 0;
  double period = 0;
  return file >> quota >> period ? WholeCores(quota, period) : 0;
}

// A quota of −1 is no limit.
int CoresOfVersion1(const std::string& folder) {
  std::ifstream quota_file(folder + "/cpu.cfs_quota_us");
  std::ifstream period_file(folder + "/cpu.cfs_period_us");
  double quota = 0;
  double period = 0;
  return quota_file >> quota && period_file >> period ? WholeCores(quota, period) : 0;
}

int Tighter(int a, int b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

// A quota of a group bounds all groups below it. Inside a container the path may begin above what
// is mounted; what is not there has no quota.
template <typename CoresOf>
int TightestUpwards(const std::string& mount, std::string group, CoresOf cores_of) {
  int cores = 0;
  while (true) {
    cores = Tighter(cores, cores_of(absl::StrCat(mount, group)));
    const size_t slash = group.rfind('/');
    if (slash == std::string::npos) return cores;
    group.resize(slash);
  }
}

bool HasCpuController(const std::string& controllers) {
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

int CoresOfControlGroups(const std::string& root, std::string_view membership) {
  int cores = 0;
  std::istringstream lines{std::string(membership)};
  // `0::/path` in version 2, `4:cpu,cpuacct:/path` in version 1.
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      cores = Tighter(cores, TightestUpwards(root, group, CoresOfVersion2));
    } else if (HasCpuController(controllers)) {
      // Mounted under the names of all its controllers, or under this one's.
      for (const std::string& name : {controllers, std::string("cpu")}) {
        const std::string mount = absl::StrCat(root, "/", name);
        cores = Tighter(cores, TightestUpwards(mount, group, CoresOfVersion1));
      }
    }
  }
  return cores;
}

int AvailableCores() {
  int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
#if defined(__linux__)
  cpu_set_t mask;
  // Fails on machines with more cores than the mask holds; those have no mask then.
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0) {
    cores = std::min(cores, std::max(1, CPU_COUNT(&mask)));
  }
  std::ifstream file("/proc/self/cgroup");
  std::ostringstream membership;
  membership << file.rdbuf();
  cores = Tighter(cores, CoresOfControlGroups("/sys/fs/cgroup", membership.str()));
#endif
  return cores;
}

}  // namespace chuhe
