#pragma once
// Samplers for host metrics reported by the kernel.
#include <memory>
#include <string>

#include "core/record/sampler.hpp"

namespace warpscope::record {

/// Locations of the kernel's files; tests override them.
struct KernelFolders {
  std::string proc = "/proc";
  std::string sys = "/sys";
};

/// Samples the utilization and I/O wait of each core, as a percentage of the time since the previous sample.
/// Utilization includes I/O wait, as in SageMaker Debugger's files.
[[nodiscard]] std::unique_ptr<Sampler> cpu_sampler(const KernelFolders& folders = {});

/// Samples the memory not available to new programs, as a percentage of total memory.
[[nodiscard]] std::unique_ptr<Sampler> memory_sampler(const KernelFolders& folders = {});

/// Samples bytes read, bytes written and operations per second, summed over all disks. Partitions and devices layered
/// on other devices (LVM, RAID, encryption) are omitted because their traffic is already counted on the underlying
/// disks.
[[nodiscard]] std::unique_ptr<Sampler> disk_sampler(const KernelFolders& folders = {});

/// Samples bytes received and sent per second: summed over all network devices ("Algorithm") and over all RDMA ports
/// ("RDMA"), whose traffic bypasses the kernel. Virtual devices are included only if there are no others.
[[nodiscard]] std::unique_ptr<Sampler> network_sampler(const KernelFolders& folders = {});

}  // namespace warpscope::record
