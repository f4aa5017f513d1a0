#include "core/trace/node_grouping.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/base/natural_order.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::trace {

namespace {

std::vector<std::string> folders_below(const std::string& path, const std::string& root) {
  std::vector<std::string> folders;
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  for (const auto& part : parent.lexically_relative(root))
    if (part != "." && part != "..") folders.push_back(part.string());
  return folders;
}

std::string sagemaker_label(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders)
    if (sagemaker_number(folder)) return folder;
  return "";
}

/// The hosts on which one device number is taken.
class TakenHosts {
 public:
  void take(std::uint32_t host) { next_.emplace(host, host + 1); }
  /// Returns the first host, starting with `host`, on which the number is free.
  std::uint32_t first_free(std::uint32_t host) {
    std::uint32_t free = host;
    for (auto at = next_.find(free); at != next_.end(); at = next_.find(free)) free = at->second;
    while (host < free) host = std::exchange(next_[host], free);
    return free;
  }

 private:
  /// Maps a taken host to a later one; all hosts in between are taken.
  std::unordered_map<std::uint32_t, std::uint32_t> next_;
};

struct NaturalOrder {
  bool operator()(const std::string& a, const std::string& b) const { return natural_less(a, b); }
};
using RanksByFolder = std::map<std::string, std::vector<std::uint32_t>, NaturalOrder>;

// Folders are treated as hosts only if that separates devices: device numbers repeat across all ranks, but not within
// any folder.
bool folders_are_hosts(const std::vector<std::shared_ptr<const Rank>>& ranks, const RanksByFolder& by_folder,
                       const std::vector<std::uint32_t>& members) {
  if (by_folder.size() < 2 || split_by_devices(ranks, members).size() < 2) return false;
  return std::all_of(by_folder.begin(), by_folder.end(),
                     [&](const auto& folder) { return split_by_devices(ranks, folder.second).size() == 1; });
}

}  // namespace

std::optional<std::int64_t> sagemaker_number(std::string_view name) {
  constexpr std::string_view kPrefix = "algo-";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  return parse_number<std::int64_t>(name.substr(kPrefix.size()));
}

std::vector<std::vector<std::uint32_t>> split_by_devices(const std::vector<std::shared_ptr<const Rank>>& ranks,
                                                         std::span<const std::uint32_t> members) {
  std::vector<std::vector<std::uint32_t>> hosts;
  std::unordered_map<std::int64_t, TakenHosts> taken;
  // Devices of a rank remain free for other files of the same rank.
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

std::vector<NodeGroup> group_ranks_by_node(const std::vector<std::shared_ptr<const Rank>>& ranks,
                                           const std::string& root) {
  std::map<std::string, NodeGroup> known;  // by "label\0host"
  std::vector<std::uint32_t> unknown;
  for (std::uint32_t i = 0; i < ranks.size(); ++i) {
    std::string label = sagemaker_label(folders_below(ranks[i]->source.path, root));
    const std::string& host = ranks[i]->host;
    if (label.empty() && sagemaker_number(host)) label = host;
    if (label.empty() && host.empty()) {
      unknown.push_back(i);
      continue;
    }
    // Within an algo-N folder the host name is redundant, even if some ranks lack it.
    NodeGroup& group = known[label.empty() ? "host:" + host : label];
    group.label = label;
    if (group.host.empty() && host != label) group.host = host;
    group.key = label.empty() ? "host:" + host : label;
    group.ranks.push_back(i);
  }
  std::vector<NodeGroup> groups;
  for (auto& [key, group] : known) groups.push_back(std::move(group));
  std::stable_sort(groups.begin(), groups.end(), [](const NodeGroup& a, const NodeGroup& b) {
    const auto number = [](const NodeGroup& group) {
      return sagemaker_number(group.label).value_or(std::numeric_limits<std::int64_t>::max());
    };
    if (number(a) != number(b)) return number(a) < number(b);
    return natural_less(a.key, b.key);
  });

  RanksByFolder by_folder;
  for (const std::uint32_t i : unknown) {
    const auto folders = folders_below(ranks[i]->source.path, root);
    by_folder[folders.empty() ? "" : folders.front()].push_back(i);
  }
  if (folders_are_hosts(ranks, by_folder, unknown)) {
    for (auto& [folder, members] : by_folder) groups.push_back({"", folder, "folder:" + folder, std::move(members)});
  } else {
    std::size_t ordinal = 0;
    for (auto& members : split_by_devices(ranks, unknown))
      groups.push_back({"", "", "node:" + std::to_string(ordinal++), std::move(members)});
  }
  return groups;
}

}  // namespace warpscope::trace
