#include "core/analysis/memory/memory_blocks.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/operators/host_events.hpp"

namespace warpscope::analysis {

namespace {

void name_operators(const AnalysisInput& input, const trace::Rank& rank, const std::vector<HostEvent>& events,
                    std::vector<PlacedChange>& placed) {
  std::vector<MemoryChange> changes;
  for (const PlacedChange& each : placed) changes.push_back(each.change);
  const std::vector<std::uint32_t> owners = owners_of(rank, events, changes);
  for (std::size_t i = 0; i < placed.size(); ++i)
    if (owners[i] != HostEvent::kNone) placed[i].op = listed_name(input.profile.names().view(events[owners[i]].name));
}

void match_blocks(RankMemory& memory) {
  // Device and address → block in use.
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> in_use;
  for (std::uint32_t c = 0; c < memory.changes.size(); ++c) {
    const MemoryChange& change = memory.changes[c].change;
    if (change.address < 0) continue;
    memory.addresses = true;
    const std::pair key(change.on_device ? change.device : -1, change.address);
    if (change.bytes >= 0) {
      in_use[key] = static_cast<std::uint32_t>(memory.blocks.size());
      memory.blocks.push_back({.allocation = c, .bytes = change.bytes});
    } else if (const auto found = in_use.find(key); found != in_use.end()) {
      memory.blocks[found->second].release = c;
      in_use.erase(found);
    } else {
      memory.blocks.push_back({.release = c, .bytes = -change.bytes});
    }
  }
}

}  // namespace

Result<RankMemory> rank_memory(const AnalysisInput& input, std::uint32_t rank_index, const GpuRows::Rows& rows) {
  const trace::Rank& rank = *input.profile.ranks[rank_index];
  auto changes = memory_changes(input, rank_index);
  if (!changes) return changes.error();
  auto failed = failed_allocations(input, rank_index);
  if (!failed) return failed.error();
  const auto range = input.scope.on_host(rank_index);
  RankMemory memory;
  const auto add = [&](const std::vector<MemoryChange>& from, std::vector<PlacedChange>& to) {
    for (const MemoryChange& change : from)
      if (!range || (change.time >= range->begin && change.time < range->end)) to.push_back({change, {}});
  };
  add(*changes, memory.changes);
  add(*failed, memory.failed);
  if (memory.changes.empty() && memory.failed.empty()) return memory;
  const HostEvents host(input, rank_index, rows, {});
  name_operators(input, rank, host.events(), memory.changes);
  name_operators(input, rank, host.events(), memory.failed);
  match_blocks(memory);
  return memory;
}

void UsedMemory::add(const MemoryChange& change) {
  used_ = change.allocated >= 0 ? change.allocated : saturating_add(used_, change.bytes);
}

}  // namespace warpscope::analysis
