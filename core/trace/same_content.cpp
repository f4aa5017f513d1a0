#include "core/trace/same_content.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "core/base/file_group.hpp"

namespace warpscope::trace {

namespace {

constexpr std::uint32_t kSamples = 64;  // per lane

std::string_view without_compression(std::string_view path) {
  path = file_of(path);
  for (const std::string_view end : {".gz", ".zst"})
    if (path.ends_with(end)) path.remove_suffix(end.size());
  return path;
}

bool equal_lanes(const Lane& a, const Lane& b) {
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  const auto equal_at = [&](std::uint32_t i) {
    return a.event(i) == b.event(i) && a.time().begin(i) == b.time().begin(i) &&
           a.time().duration(i) == b.time().duration(i) && a.name(i) == b.name(i) && a.category(i) == b.category(i);
  };
  const std::uint32_t every = std::max(1u, a.size() / kSamples);
  for (std::uint32_t i = 0; i < a.size(); i += every)
    if (!equal_at(i)) return false;
  return a.size() == 0 || equal_at(a.size() - 1);
}

bool equal_content(const Rank& a, const Rank& b) {
  if (a.number_assigned != b.number_assigned || a.world_size != b.world_size || a.span != b.span ||
      a.counts.events != b.counts.events || a.counts.by_category != b.counts.by_category ||
      a.properties != b.properties || a.lane_start != b.lane_start || a.lanes.size() != b.lanes.size())
    return false;
  if (label_in_merged(a.source.path) != label_in_merged(b.source.path)) return false;
  if (a.number_assigned && without_compression(a.source.path) != without_compression(b.source.path)) return false;
  const auto equal_tracks = [](const Track& one, const Track& other) {
    return one.kind == other.kind && one.process == other.process && one.id == other.id && one.label == other.label &&
           one.lane_count == other.lane_count;
  };
  return std::ranges::equal(a.tracks, b.tracks, equal_tracks) && std::ranges::equal(a.lanes, b.lanes, equal_lanes);
}

}  // namespace

void remove_copies(std::vector<std::shared_ptr<const Rank>>& ranks, Diagnostics& diagnostics) {
  // Copies get different assigned rank numbers.
  std::multimap<std::pair<std::uint64_t, std::int64_t>, std::shared_ptr<const Rank>> kept;
  std::erase_if(ranks, [&](const std::shared_ptr<const Rank>& rank) {
    if (rank->source.text_bytes == 0) return false;
    const std::pair key(rank->source.text_bytes, rank->number_assigned ? std::int64_t{-1} : rank->number);
    const auto [from, to] = kept.equal_range(key);
    const auto same = std::find_if(from, to, [&](const auto& other) { return equal_content(*other.second, *rank); });
    if (same == to) {
      kept.emplace_hint(to, key, rank);
      return false;
    }
    diagnostics.add("same-content", Severity::info, rank->source.path, Diagnostic::kNoOffset,
                    "same as " + same->second->source.path);
    return true;
  });
}

}  // namespace warpscope::trace
