#include "app/ui/timeline/range_mark.hpp"

#include <algorithm>

namespace warpscope::ui {
namespace {

using trace::TreeEntry;
using trace::TreeKind;

void add_track_lanes(const trace::Profile& profile, std::uint32_t rank, std::uint32_t track, std::uint32_t lane,
                     std::vector<LaneRef>& lanes) {
  const trace::Track& found = profile.ranks[rank]->tracks[track];
  if (lane != RowKey::kWhole) {
    if (lane < found.lane_count) lanes.push_back({rank, found.first_lane + lane});
    return;
  }
  for (std::uint32_t i = 0; i < found.lane_count; ++i) lanes.push_back({rank, found.first_lane + i});
}

void add_entry_lanes(const trace::Profile& profile, std::uint32_t index, std::uint32_t lane,
                     std::vector<LaneRef>& lanes) {
  const std::vector<TreeEntry>& entries = profile.tree.entries;
  if (entries[index].kind == TreeKind::gpu_utilisation) {
    const TreeEntry& entry = entries[index];
    for (const std::uint32_t stream : profile.ranks[entry.rank]->devices[entry.item].streams)
      add_track_lanes(profile, entry.rank, stream, RowKey::kWhole, lanes);
    return;
  }
  for (std::uint32_t i = index; i < entries[index].end; ++i) {
    const TreeEntry& entry = entries[i];
    if (entry.kind == TreeKind::stream || entry.kind == TreeKind::thread)
      add_track_lanes(profile, entry.rank, entry.item, lane, lanes);
  }
}

}  // namespace

std::optional<RowKey> key_of_row(const trace::Profile& profile, const scene::Row& row) {
  const TreeEntry& entry = profile.tree.entries[row.entry];
  if (row.kind == scene::RowKind::header || row.kind == scene::RowKind::counter || row.kind == scene::RowKind::heat)
    return std::nullopt;
  if (row.kind != scene::RowKind::lane) return RowKey{entry.key, RowKey::kWhole};
  const trace::Track& track = profile.ranks[row.rank]->tracks[entry.item];
  return RowKey{entry.key, row.item - track.first_lane};
}

bool covers(const RangeMark& mark, const trace::Profile& profile, const scene::Row& row) {
  if (mark.all_rows) return true;
  const std::optional<RowKey> key = key_of_row(profile, row);
  if (!key) return false;
  return std::ranges::any_of(mark.rows, [&](const RowKey& marked) {
    return marked.entry == key->entry &&
           (marked.lane == key->lane || marked.lane == RowKey::kWhole || key->lane == RowKey::kWhole);
  });
}

SelectedRange resolve(const RangeMark& mark, const trace::Profile& profile) {
  SelectedRange range{.time = mark.time, .all_lanes = mark.all_rows, .lanes = {}};
  if (mark.all_rows) return range;
  const std::vector<TreeEntry>& entries = profile.tree.entries;
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    for (const RowKey& row : mark.rows)
      if (row.entry == entries[i].key) add_entry_lanes(profile, i, row.lane, range.lanes);
  }
  std::ranges::sort(range.lanes);
  const auto rest = std::ranges::unique(range.lanes);
  range.lanes.erase(rest.begin(), rest.end());
  return range;
}

}  // namespace warpscope::ui
