#include "core/trace/gpus.hpp"

#include <map>
#include <tuple>

#include "core/trace/profile.hpp"

namespace warpscope::trace {

std::vector<Gpu> gpus_of(const Profile& profile, std::span<const std::uint32_t> ranks) {
  std::vector<Gpu> gpus;
  std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, std::size_t> known;
  for (const std::uint32_t index : ranks) {
    const Rank& rank = *profile.ranks[index];
    const std::uint32_t node = profile.node_of_rank[index];
    for (std::uint32_t d = 0; d < rank.devices.size(); ++d) {
      const auto [entry, fresh] = known.try_emplace({node, rank.number, rank.devices[d].id}, gpus.size());
      if (fresh) gpus.push_back({node, rank.number, rank.devices[d].id, {}});
      gpus[entry->second].parts.push_back({index, d});
    }
  }
  return gpus;
}

}  // namespace warpscope::trace
