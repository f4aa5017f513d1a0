#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "core/base/parse_number.hpp"
#include "core/record/host/host_samplers.hpp"
#include "core/record/kernel_file.hpp"

namespace warpscope::record {

namespace {

namespace fs = std::filesystem;

struct Traffic {
  std::uint64_t received = 0;  // bytes since boot
  std::uint64_t sent = 0;

  void add_growth(const Traffic& before, const Traffic& now) {
    received += growth(before.received, now.received);
    sent += growth(before.sent, now.sent);
  }
};

/// Counters of an RDMA port.
struct RdmaPort {
  std::string received;  // path
  std::string sent;
  std::uint64_t unit;  // bytes
  Traffic traffic{};
};

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    entries.push_back(entry->path());
  return entries;
}

std::vector<RdmaPort> rdma_ports(const std::string& sys) {
  std::vector<RdmaPort> ports;
  std::error_code error;
  for (const fs::path& device : entries_of(sys + "/class/infiniband")) {
    for (const fs::path& port : entries_of(device / "ports")) {
      // InfiniBand counts four-byte words; AWS's adapters (EFA) have their own counters.
      if (fs::exists(port / "counters/port_rcv_data", error))
        ports.push_back({port / "counters/port_rcv_data", port / "counters/port_xmit_data", 4});
      else if (fs::exists(port / "hw_counters/rx_bytes", error))
        ports.push_back({port / "hw_counters/rx_bytes", port / "hw_counters/tx_bytes", 1});
    }
  }
  return ports;
}

std::uint64_t count_in(const std::string& file) {
  const std::string text = kernel_text(file);
  return parse_number<std::uint64_t>(trimmed(text, " \n")).value_or(0);
}

class NetworkSampler final : public Sampler {
 public:
  explicit NetworkSampler(const KernelFolders& folders)
      : file_(folders.proc + "/net/dev"), devices_(folders.sys + "/class/net/"), ports_(rdma_ports(folders.sys)) {}

  void sample(double seconds, std::vector<Sample>& into) override {
    const auto devices = grown_on_devices();
    Traffic rdma;
    for (RdmaPort& port : ports_) {
      const Traffic now{count_in(port.received) * port.unit, count_in(port.sent) * port.unit};
      rdma.add_growth(port.traffic, now);
      port.traffic = now;
    }
    if (seconds <= 0) return;
    if (devices) add(*devices, "Algorithm", seconds, into);
    if (!ports_.empty()) add(rdma, "RDMA", seconds, into);
  }

 private:
  struct Device {
    bool physical = false;
    Traffic traffic;
  };

  std::optional<Traffic> grown_on_devices() {
    Traffic physical;
    Traffic all;
    bool any_physical = false;
    bool any = false;
    const std::string content = kernel_text(file_);
    std::string_view text = content;
    while (!text.empty()) {
      std::string_view line = take_line(text);
      const std::size_t colon = line.find(':');
      if (colon == std::string_view::npos) continue;  // headings
      std::string_view before = line.substr(0, colon);
      const std::string name(take_word(before));
      line.remove_prefix(colon + 1);
      if (name == "lo") continue;
      Traffic now;
      now.received = take_count(line);
      for (int other = 0; other < 7; ++other) static_cast<void>(take_word(line));
      now.sent = take_count(line);
      const auto [entry, fresh] = known_.try_emplace(name);
      Device& device = entry->second;
      std::error_code error;
      if (fresh)
        device = {fs::exists(devices_ + name + "/device", error), now};
      else
        all.add_growth(device.traffic, now);
      if (device.physical) physical.add_growth(device.traffic, now);
      any_physical = any_physical || device.physical;
      any = true;
      device.traffic = now;
    }
    if (!any) return std::nullopt;
    return any_physical ? physical : all;
  }

  static void add(const Traffic& grown, std::string_view dimension, double seconds, std::vector<Sample>& into) {
    into.push_back({"network", "ReceiveBytesPerSecond", dimension, static_cast<double>(grown.received) / seconds});
    into.push_back({"network", "TransmitBytesPerSecond", dimension, static_cast<double>(grown.sent) / seconds});
  }

  std::string file_;
  std::string devices_;
  std::map<std::string, Device> known_;
  std::vector<RdmaPort> ports_;
};

}  // namespace

std::unique_ptr<Sampler> network_sampler(const KernelFolders& folders) {
  return std::make_unique<NetworkSampler>(folders);
}

}  // namespace warpscope::record
