#include "core/trace/device_hosts.hpp"

#include <unordered_map>
#include <utility>

namespace warpscope::trace {
namespace {

/// The hosts on which one device number is taken.
class TakenHosts {
 public:
  void take(std::uint32_t host) { next_.emplace(host, host + 1); }
  /// Returns the first host from `host` on where the number is free.
  std::uint32_t first_free(std::uint32_t host) {
    std::uint32_t free = host;
    for (auto at = next_.find(free); at != next_.end(); at = next_.find(free)) free = at->second;
    while (host < free) host = std::exchange(next_[host], free);
    return free;
  }

 private:
  std::unordered_map<std::uint32_t, std::uint32_t> next_;  ///< from a taken host to a later one, all taken between
};

}  // namespace

std::vector<std::vector<std::uint32_t>> split_by_devices(const std::vector<std::shared_ptr<const Rank>>& ranks,
                                                         std::span<const std::uint32_t> members) {
  std::vector<std::vector<std::uint32_t>> hosts;
  std::unordered_map<std::int64_t, TakenHosts> taken;
  // Devices of a rank stay free for other files of the same rank.
  std::vector<std::pair<std::int64_t, std::uint32_t>> of_this_number;
  std::int64_t number = 0;
  for (const std::uint32_t member : members) {
    const Rank& rank = *ranks[member];
    if (rank.number != number) {
      for (const auto& [device, host] : of_this_number) taken[device].take(host);
      of_this_number.clear();
      number = rank.number;
    }
    std::uint32_t host = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (const Device& device : rank.devices) {
        const std::uint32_t free = taken[device.id].first_free(host);
        moved = moved || free != host;
        host = free;
      }
    }
    if (host == hosts.size()) hosts.emplace_back();
    hosts[host].push_back(member);
    for (const Device& device : rank.devices) of_this_number.emplace_back(device.id, host);
  }
  return hosts;
}

}  // namespace warpscope::trace
