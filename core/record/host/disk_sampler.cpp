#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>

#include "core/record/host/host_samplers.hpp"
#include "core/record/kernel_file.hpp"

namespace warpscope::record {

namespace {

constexpr std::uint64_t kSector = 512;  // bytes, regardless of the device's own sector size

/// Counters since boot.
struct DiskCounts {
  std::uint64_t operations = 0;
  std::uint64_t read = 0;  // sectors
  std::uint64_t written = 0;
};

class DiskSampler final : public Sampler {
 public:
  explicit DiskSampler(const KernelFolders& folders)
      : file_(folders.proc + "/diskstats"), devices_(folders.sys + "/block/") {}

  void sample(double seconds, std::vector<Sample>& into) override {
    DiskCounts grown;
    bool any = false;
    const std::string content = kernel_text(file_);
    std::string_view text = content;
    while (!text.empty()) {
      std::string_view line = take_line(text);
      static_cast<void>(take_word(line));  // major and minor number
      static_cast<void>(take_word(line));
      const std::string name(take_word(line));
      const auto [entry, fresh] = disks_.try_emplace(name);
      Disk& disk = entry->second;
      if (fresh) disk.counts_here = is_disk(name);
      if (!disk.counts_here) continue;
      const DiskCounts now = counts_in(line);
      if (!fresh) {
        grown.operations += growth(disk.counts.operations, now.operations);
        grown.read += growth(disk.counts.read, now.read);
        grown.written += growth(disk.counts.written, now.written);
      }
      any = true;
      disk.counts = now;
    }
    if (!any || seconds <= 0) return;
    into.push_back({"i/o", "IOPS", "", static_cast<double>(grown.operations) / seconds});
    into.push_back({"i/o", "ReadThroughputInBytesPerSecond", "", static_cast<double>(grown.read * kSector) / seconds});
    into.push_back(
        {"i/o", "WriteThroughputInBytesPerSecond", "", static_cast<double>(grown.written * kSector) / seconds});
  }

 private:
  struct Disk {
    bool counts_here = false;
    DiskCounts counts;
  };

  [[nodiscard]] bool is_disk(std::string name) const {
    for (const char* virtual_device : {"loop", "ram", "zram"})
      if (name.starts_with(virtual_device)) return false;
    std::replace(name.begin(), name.end(), '/', '!');  // as in sysfs
    const std::filesystem::path device = devices_ + name;
    std::error_code error;
    if (!std::filesystem::exists(device, error)) return false;  // a partition
    return std::filesystem::is_empty(device / "slaves", error) || error;
  }

  static DiskCounts counts_in(std::string_view line) {
    DiskCounts counts;
    counts.operations = take_count(line);
    static_cast<void>(take_word(line));  // merged
    counts.read = take_count(line);
    static_cast<void>(take_word(line));  // ms
    counts.operations += take_count(line);
    static_cast<void>(take_word(line));
    counts.written = take_count(line);
    return counts;
  }

  std::string file_;
  std::string devices_;
  std::map<std::string, Disk> disks_;
};

}  // namespace

std::unique_ptr<Sampler> disk_sampler(const KernelFolders& folders) { return std::make_unique<DiskSampler>(folders); }

}  // namespace warpscope::record
