// Host samplers, with handwritten kernel files.
#include "core/record/host/host_samplers.hpp"

#include "tests/catch.hpp"
#include "tests/core/record/samples.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

record::KernelFolders folders_in(const TestFolder& folder) { return {folder.path() / "proc", folder.path() / "sys"}; }

}  // namespace

TEST_CASE("CPU utilization includes I/O wait", "[record]") {
  const TestFolder folder;
  folder.write("proc/stat", "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 100 0 50 800 50 0 0 0 70 0\ncpu3 0 0 0 1000 0 0 0 0 0 0\n");
  const auto sampler = record::cpu_sampler(folders_in(folder));
  CHECK(sampled(*sampler, 0).empty());
  // In a second: core 0 has 30 ticks in programs, 10 in interrupts, 20 of waiting, 40 idle; core 3 is idle.
  folder.write("proc/stat", "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 120 5 55 840 70 4 5 1 99 0\ncpu3 0 0 0 1100 0 0 0 0 0 0\n");
  CHECK(sampled(*sampler, 1) == SampledValues{{"cpu/cpu0/CPUUtilization", 60},
                                              {"cpu/cpu0/I/OWaitPercentage", 20},
                                              {"cpu/cpu3/CPUUtilization", 0},
                                              {"cpu/cpu3/I/OWaitPercentage", 0}});
  // Core 3 is switched off, and the kernel revises core 0's wait time downward.
  folder.write("proc/stat", "cpu0 170 5 55 890 60 4 5 1 99 0\n");
  CHECK(sampled(*sampler, 1) == SampledValues{{"cpu/cpu0/CPUUtilization", 50}, {"cpu/cpu0/I/OWaitPercentage", 0}});
  folder.write("proc/stat", "cpu0 170 5 55 890 60 4 5 1 99 0\n");
  CHECK(sampled(*sampler, 0.001).empty());  // no tick has passed
}

TEST_CASE("used memory is memory that is not available", "[record]") {
  const TestFolder folder;
  folder.write("proc/meminfo", "MemTotal:  1000 kB\nMemFree:  100 kB\nMemAvailable:  750 kB\n");
  const auto sampler = record::memory_sampler(folders_in(folder));
  CHECK(sampled(*sampler, 0) == SampledValues{{"memory/MemoryUsedPercent/", 25}});
  folder.write("proc/meminfo", "MemTotal:  1000 kB\nMemFree:  100 kB\nBuffers: 200 kB\nCached: 300 kB\n");
  CHECK(sampled(*sampler, 1) == SampledValues{{"memory/MemoryUsedPercent/", 40}});
  folder.write("proc/meminfo", "");
  CHECK(sampled(*sampler, 1).empty());
}

TEST_CASE("disk throughput counts each disk once", "[record]") {
  const TestFolder folder;
  for (const char* device : {"nvme0n1", "sda", "dm-0", "loop0", "cciss!c0d0"})
    std::filesystem::create_directories(folder.path() / "sys/block" / device / "slaves");
  std::filesystem::create_directories(folder.path() / "sys/block/dm-0/slaves/sda");
  const auto write = [&](int times) {
    std::string text;
    for (const char* device : {"nvme0n1", "nvme0n1p1", "sda", "sda1", "dm-0", "loop0", "cciss/c0d0"})
      text += fmt::format("  8  0 {} {} 5 {} 7 {} 5 {} 7 0 0 0 0\n", device, 10 * times, 100 * times, 20 * times,
                          400 * times);
    folder.write("proc/diskstats", text);
  };
  write(1);
  const auto sampler = record::disk_sampler(folders_in(folder));
  CHECK(sampled(*sampler, 0).empty());
  write(2);
  CHECK(sampled(*sampler, 0.5) == SampledValues{{"i/o/IOPS/", 3 * 30 / 0.5},
                                                {"i/o/ReadThroughputInBytesPerSecond/", 3 * 100 * 512 / 0.5},
                                                {"i/o/WriteThroughputInBytesPerSecond/", 3 * 400 * 512 / 0.5}});
  write(0);  // counters that wrap around
  CHECK(sampled(*sampler, 0.5)["i/o/IOPS/"] == 0);
}

TEST_CASE("network traffic is that of physical devices", "[record]") {
  const TestFolder folder;
  std::filesystem::create_directories(folder.path() / "sys/class/net/eth0/device");
  const auto write = [&](int times, const std::string& devices) {
    std::string text = "Inter-|   Receive\n face |bytes    packets\n";
    for (const char* device : {"lo", "eth0", "docker0"})
      if (devices.find(device) != std::string::npos)
        text += fmt::format("{:>6}:{} 1 2 3 4 5 6 7 {} 1 2 3 4 5 6 7\n", device, 1000 * times, 50 * times);
    folder.write("proc/net/dev", text);
  };
  write(1, "lo eth0 docker0");
  const auto sampler = record::network_sampler(folders_in(folder));
  CHECK(sampled(*sampler, 0).empty());
  write(3, "lo eth0 docker0");
  CHECK(sampled(*sampler, 2) == SampledValues{{"network/ReceiveBytesPerSecond/Algorithm", 1000},
                                              {"network/TransmitBytesPerSecond/Algorithm", 50}});
  // A container has only a virtual device.
  write(4, "lo docker0");
  CHECK(sampled(*sampler, 1) == SampledValues{{"network/ReceiveBytesPerSecond/Algorithm", 1000},
                                              {"network/TransmitBytesPerSecond/Algorithm", 50}});
  write(5, "lo");
  CHECK(sampled(*sampler, 1).empty());
}

TEST_CASE("RDMA traffic is separate", "[record]") {
  const TestFolder folder;
  const auto write = [&](int times) {
    folder.write("sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_data", fmt::format("{}\n", 1000 * times));
    folder.write("sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_data", fmt::format("{}\n", 100 * times));
    folder.write("sys/class/infiniband/efa_0/ports/1/hw_counters/rx_bytes", fmt::format("{}\n", 3 * times));
    folder.write("sys/class/infiniband/efa_0/ports/1/hw_counters/tx_bytes", fmt::format("{}\n", 2 * times));
  };
  write(5);
  const auto sampler = record::network_sampler(folders_in(folder));
  CHECK(sampled(*sampler, 0).empty());
  write(6);
  CHECK(sampled(*sampler, 1) ==
        SampledValues{{"network/ReceiveBytesPerSecond/RDMA", 4003}, {"network/TransmitBytesPerSecond/RDMA", 402}});
}

TEST_CASE("missing kernel files give no samples", "[record]") {
  const TestFolder folder;
  for (const auto& sampler : {record::cpu_sampler(folders_in(folder)), record::memory_sampler(folders_in(folder)),
                              record::disk_sampler(folders_in(folder)), record::network_sampler(folders_in(folder))}) {
    CHECK(sampled(*sampler, 0).empty());
    CHECK(sampled(*sampler, 1).empty());
  }
}
