// How many cores this process may use: in containers and under batch systems that is often less
// than the machine has.
#pragma once

#include <string>
#include <string_view>

namespace chuhe {

// At least 1. The least of what the machine has, what the affinity mask leaves, and the whole cores
// in the quota of the control groups (the last two under Linux only).
int AvailableCores();

// The whole cores in the tightest quota of a process's control groups, at least 1; 0 if there is no
// quota. `membership` is what /proc/self/cgroup says, `root` where the groups are mounted
// (/sys/fs/cgroup). Knows version 2 (cpu.max) and version 1 (cpu.cfs_quota_us).
int CoresOfControlGroups(const std::string& root, std::string_view membership);

}  // namespace chuhe
