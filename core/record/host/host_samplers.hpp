#pragma once
// Samplers for the metrics that the kernel reports about this host.
#include <memory>
#include <string>

#include "core/record/sampler.hpp"

namespace warpscope::record {

/// Locations of the kernel's files; tests use their own folders.
struct KernelFolders {
  std::string proc = "/proc";
  std::string sys = "/sys";
};

/// Utilization and I/O wait of each core, in % of the time since the previous sample. Utilization includes I/O wait, as
/// in SageMaker Debugger's files.
[[nodiscard]] std::unique_ptr<Sampler> cpu_sampler(const KernelFolders& folders = {});

/// Memory not available to new programs, in % of total memory.
[[nodiscard]] std::unique_ptr<Sampler> memory_sampler(const KernelFolders& folders = {});

/// Bytes read, bytes written, and operations per second, of all disks together. Partitions and devices on top of others
/// (LVM, RAID, encryption) are left out, because their traffic is already counted on their disks.
[[nodiscard]] std::unique_ptr<Sampler> disk_sampler(const KernelFolders& folders = {});

/// Bytes received and sent per second: of all network devices together ("Algorithm"; virtual ones count only if there
/// are no others), and of all RDMA ports ("RDMA"), whose traffic bypasses the kernel.
[[nodiscard]] std::unique_ptr<Sampler> network_sampler(const KernelFolders& folders = {});

}  // namespace warpscope::record
