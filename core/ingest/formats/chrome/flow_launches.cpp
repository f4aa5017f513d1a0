#include "core/ingest/formats/chrome/flow_launches.hpp"

#include <algorithm>

namespace warpscope::ingest::chrome {

void FlowLaunches::event(const RawEvent& event) {
  if (event.phase != 'X' || !event.has_time) return;
  const Survey::Lane lane{std::string(event.process), std::string(event.thread)};
  const auto found = ends_.find(lane);
  if (found == ends_.end()) return;
  std::vector<std::optional<Owner>>& owners = owners_[lane];
  owners.resize(found->second.size());
  const Ns end = saturating_add(event.time, std::max<Ns>(event.duration, 0));
  auto at = std::ranges::lower_bound(found->second, event.time, {}, &Survey::FlowEnd::time);
  for (; at != found->second.end() && at->time <= end; ++at) {
    std::optional<Owner>& owner = owners[static_cast<std::size_t>(at - found->second.begin())];
    if (!owner || event.duration < owner->duration) owner = Owner{event.duration, event.offset};
  }
}

void FlowLaunches::finish() {
  for (const auto& [lane, owners] : owners_)
    for (std::size_t i = 0; i < owners.size(); ++i)
      if (owners[i]) by_offset_.emplace(owners[i]->offset, std::int64_t{ends_.at(lane)[i].flow} + 1);
}

std::optional<std::int64_t> FlowLaunches::correlation_at(std::uint64_t offset) const {
  const auto found = by_offset_.find(offset);
  return found == by_offset_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace warpscope::ingest::chrome
