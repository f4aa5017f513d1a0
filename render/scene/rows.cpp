#include "render/scene/rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/ascii.hpp"
#include "core/base/counted.hpp"
#include "core/trace/lane_assignment.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::scene {

namespace {

using trace::TreeEntry;
using trace::TreeKind;

constexpr std::uint32_t kNone = Row::kNone;
constexpr double kCurveHeight = 1.4;  // relative to a lane's height: utilization and counters need more space
constexpr double kThinHeight = 14;    // px at 1×, of a folded rank among many
constexpr int kMaxHeight = 255;       // maximum height of a Rect

bool is_track(const TreeEntry& entry) { return entry.kind == TreeKind::stream || entry.kind == TreeKind::thread; }

bool is_metric(const TreeEntry& entry) {
  return entry.kind == TreeKind::metric_group || entry.kind == TreeKind::metrics || entry.kind == TreeKind::metric;
}

const trace::NodeMetrics& metrics_of(const trace::Profile& profile, const TreeEntry& entry) {
  return *profile.metrics[profile.nodes[entry.node].metrics];
}

bool contains(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

/// Returns the nesting depth of a folded lane's slices, which is the number of rows they need unfolded. O(n).
std::size_t folded_levels(const trace::Lane& lane) {
  std::vector<Ns> ends;  // ends of the last slice and of the slices around it
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < lane.size(); ++i) {
    const Ns end = lane.time().end(i);
    while (!ends.empty() &&
           (ends.back() <= lane.time().begin(i) || saturating_add(ends.back(), trace::kNestTolerance) < end))
      ends.pop_back();
    ends.push_back(end);
    most = std::max(most, ends.size());
  }
  return most;
}

std::string lane_note(const trace::Lane& lane) {
  switch (lane.kind()) {
    case trace::LaneKind::nested:
      return "";
    case trace::LaneKind::overflow:
      return "overlapping";
    case trace::LaneKind::folded:
      if (!lane.time().whole_resident()) return "+… levels";
      return "+" + counted(folded_levels(lane), "level", "levels");
    case trace::LaneKind::gpu_annotation:
      return "annotations";
    case trace::LaneKind::sync:
      return "sync";
    case trace::LaneKind::instant:
      return "marks";
    case trace::LaneKind::damaged:
      return "corrupt";
  }
  return "";
}

/// Indexed by entry. Empty vectors: all entries are shown and no filter is active.
struct ShownEntries {
  std::vector<bool> shown{};
  std::vector<bool> matches{};      // entries whose own name matches the filter
  std::vector<bool> above_match{};  // ancestors of a match
};

/// Walks the tree and appends the rows of unfolded entries.
class RowBuilder {
 public:
  RowBuilder(const trace::Profile& profile, const TrackState& state, ShownEntries shown, bool pinned,
             std::vector<Row>& out)
      : profile_(profile), state_(state), shown_(std::move(shown)), pinned_(pinned), out_(out) {}

  /// Adds the rows of entries [first, last), siblings and all their descendants.
  void add(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last;) {
      const TreeEntry& entry = entries()[i];
      if (!shown_.shown.empty() && !shown_.shown[i]) {
        i = entry.end;
        continue;
      }
      const bool open = is_open(i);
      add_entry(i, open);
      i = open ? i + 1 : entry.end;
    }
  }
  [[nodiscard]] int height() const { return y_; }

 private:
  [[nodiscard]] const std::vector<TreeEntry>& entries() const { return profile_.tree.entries; }

  // While filtering by name, groups open to show their matches and nothing else.
  [[nodiscard]] bool is_open(std::uint32_t i) const {
    const TreeEntry& entry = entries()[i];
    if (shown_.matches.empty() || is_track(entry)) return state_.is_open(entry);
    if (const bool* open = state_.open_under_filter(entry)) return *open;
    return shown_.above_match[i] || (!shown_.matches[i] && state_.is_open(entry));
  }

  void push(Row row, double factor = 1) {
    const double height = static_cast<double>(state_.density) * state_.scale * factor;
    row.y = y_;
    row.height = std::clamp(static_cast<int>(std::lround(height)), 1, kMaxHeight);
    row.pinned = pinned_;
    y_ += row.height;
    out_.push_back(row);
  }

  void add_entry(std::uint32_t i, bool open) {
    const TreeEntry& entry = entries()[i];
    Row row;
    row.entry = i;
    row.rank = entry.rank;
    row.level = entry.level;
    row.label = entry.label;
    row.note = pinned_ && !entry.where.empty() ? entry.where : entry.note;
    row.open = open;
    row.foldable = entry.end > i + 1;
    switch (entry.kind) {
      case TreeKind::node_gpus:
        // The mean over one GPU equals that GPU's curve, which is the next row.
        if (open && devices_of_entry(profile_, i).size() == 1) {
          row.note = {};
          return push(row);
        }
        [[fallthrough]];
      case TreeKind::gpu_utilisation:
        row.kind = RowKind::utilisation;
        row.item = entry.kind == TreeKind::gpu_utilisation ? entry.item : kNone;
        return push(row, kCurveHeight);
      case TreeKind::metric_group:
        row.kind = open ? RowKind::counter : RowKind::heat;
        row.item = entry.item;
        return push(row, kCurveHeight);
      case TreeKind::counter:
      case TreeKind::curve:
      case TreeKind::metric:
        row.kind = RowKind::counter;
        row.item = entry.item;
        return push(row, kCurveHeight);
      case TreeKind::stream:
      case TreeKind::thread:
        return add_track(row, entry);
      case TreeKind::node:
      case TreeKind::process:
      case TreeKind::gpu_device:
        if (!open && has_devices(i))
          row.kind = RowKind::utilisation;
        else if (!open && entry.rank != kNone)
          row.kind = RowKind::summary;
        if (entry.kind == TreeKind::gpu_device) row.item = entry.item;
        row.by_class = entry.kind != TreeKind::gpu_device && row.kind == RowKind::utilisation &&
                       profile_.ranks.size() >= trace::kManyRanks;
        return push(row, row.by_class && entry.kind == TreeKind::process
                             ? std::min(1.0, kThinHeight / static_cast<double>(state_.density))
                             : 1);
      case TreeKind::gpu_host:
      case TreeKind::threads:
        if (!open) row.kind = RowKind::summary;
        return push(row);
      case TreeKind::counters:
      case TreeKind::curves:
      case TreeKind::metrics:
        return push(row);
    }
  }

  [[nodiscard]] bool has_devices(std::uint32_t i) const {
    const TreeEntry& entry = entries()[i];
    if (entry.rank != kNone) return !profile_.ranks[entry.rank]->devices.empty();
    const std::vector<std::uint32_t>& ranks = profile_.nodes[entry.node].ranks;
    return std::any_of(ranks.begin(), ranks.end(),
                       [&](std::uint32_t rank) { return !profile_.ranks[rank]->devices.empty(); });
  }

  void add_track(Row row, const TreeEntry& entry) {
    const trace::Rank& rank = *profile_.ranks[entry.rank];
    const trace::Track& track = rank.tracks[entry.item];
    row.foldable = track.lane_count > 1;
    if (track.lane_count == 0) return push(row);
    if (!row.open && track.lane_count > 1) {
      row.kind = RowKind::summary;
      return push(row);
    }
    row.kind = RowKind::lane;
    for (std::uint32_t lane = track.first_lane; lane < track.first_lane + track.lane_count; ++lane) {
      row.item = lane;
      if (!row.first) {
        row.foldable = false;
        row.label = {};
        // Label only the first of consecutive lanes of one kind.
        const bool new_kind = rank.lanes[lane].kind() != rank.lanes[lane - 1].kind();
        row.note = new_kind ? lane_note(rank.lanes[lane]) : std::string();
      }
      push(row);
      row.first = false;
    }
  }

  const trace::Profile& profile_;
  const TrackState& state_;
  ShownEntries shown_;
  bool pinned_;
  std::vector<Row>& out_;
  int y_ = 0;
};

// Applies hiding and the filter. An entry is shown if it matches or is an ancestor of a match. If no descendant of a
// match matches, all of the match's descendants are shown.
ShownEntries shown_entries(const trace::TrackTree& tree, const TrackState& state, bool& any_hidden) {
  const auto count = static_cast<std::uint32_t>(tree.entries.size());
  any_hidden = false;
  if (state.hidden.empty() && state.filter.empty()) return {};
  ShownEntries entries{std::vector<bool>(count, state.filter.empty()), {}, {}};
  if (!state.filter.empty()) {
    entries.matches.resize(count);
    entries.above_match.resize(count);
    for (std::uint32_t i = count; i-- > 0;) {
      const TreeEntry& entry = tree.entries[i];
      entries.matches[i] = contains(entry.label, state.filter) || contains(entry.note, state.filter);
      if ((entries.matches[i] || entries.above_match[i]) && entry.parent != kNone)
        entries.above_match[entry.parent] = true;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (entries.matches[i] || entries.above_match[i]) entries.shown[i] = true;
      if (!entries.matches[i] || entries.above_match[i]) continue;
      for (std::uint32_t k = i; k < tree.entries[i].end; ++k) entries.shown[k] = true;
    }
  }
  for (std::uint32_t i = 0; i < count && !state.hidden.empty();) {
    if (!state.hidden.contains(tree.entries[i].key)) {
      ++i;
      continue;
    }
    any_hidden = true;
    for (std::uint32_t k = i; k < tree.entries[i].end; ++k) entries.shown[k] = false;
    i = tree.entries[i].end;
  }
  return entries;
}

}  // namespace

bool TrackState::is_open(const TreeEntry& entry) const {
  const auto found = open.find(entry.key);
  return found == open.end() ? entry.opens : found->second;
}

const bool* TrackState::open_under_filter(const TreeEntry& entry) const {
  if (filtered_for != filter) return nullptr;
  const auto found = filtered_open.find(entry.key);
  return found == filtered_open.end() ? nullptr : &found->second;
}

void TrackState::set_open(const trace::TrackTree& tree, std::uint32_t entry, bool to, bool with_descendants) {
  if (filtered_for != filter) filtered_open.clear();
  filtered_for = filter;
  const std::uint32_t last = with_descendants ? tree.entries[entry].end : entry + 1;
  for (std::uint32_t i = entry; i < last; ++i) {
    if (!filter.empty()) filtered_open[tree.entries[i].key] = to;
    if (to == tree.entries[i].opens)
      open.erase(tree.entries[i].key);
    else
      open[tree.entries[i].key] = to;
  }
}

bool TrackState::is_pinned(std::uint64_t key) const {
  return std::find(pinned.begin(), pinned.end(), key) != pinned.end();
}

void TrackState::toggle_pinned(std::uint64_t key) {
  if (std::erase(pinned, key) == 0) pinned.push_back(key);
}

Layout::Layout(const trace::Profile& profile, const TrackState& state) {
  const std::vector<TreeEntry>& entries = profile.tree.entries;
  const auto count = static_cast<std::uint32_t>(entries.size());
  const trace::MissWatch watch;

  RowBuilder builder(profile, state, shown_entries(profile.tree, state, any_hidden_), false, rows_);
  builder.add(0, count);
  height_ = builder.height();

  if (!state.pinned.empty()) {
    std::unordered_map<std::uint64_t, std::uint32_t> by_key;
    for (std::uint32_t i = 0; i < count; ++i)
      if (state.is_pinned(entries[i].key)) by_key.emplace(entries[i].key, i);
    RowBuilder pins(profile, state, {}, true, pinned_);
    for (const std::uint64_t key : state.pinned)
      if (const auto found = by_key.find(key); found != by_key.end())
        pins.add(found->second, entries[found->second].end);
    pinned_height_ = pins.height();
  }
  incomplete_ = watch.any();

  row_of_entry_.assign(count, kNone);
  for (std::uint32_t r = static_cast<std::uint32_t>(rows_.size()); r-- > 0;) row_of_entry_[rows_[r].entry] = r;

  parent_.reserve(count);
  first_track_of_rank_.push_back(0);
  for (const auto& rank : profile.ranks)
    first_track_of_rank_.push_back(first_track_of_rank_.back() + static_cast<std::uint32_t>(rank->tracks.size()));
  entry_of_track_.assign(first_track_of_rank_.back(), kNone);
  for (std::uint32_t i = 0; i < count; ++i) {
    parent_.push_back(entries[i].parent);
    if (is_track(entries[i])) entry_of_track_[first_track_of_rank_[entries[i].rank] + entries[i].item] = i;
  }
}

std::uint32_t Layout::find(const std::vector<Row>& rows, int y) {
  const auto after = std::upper_bound(rows.begin(), rows.end(), y, [](int at, const Row& row) { return at < row.y; });
  if (after == rows.begin()) return kNone;
  const Row& row = *(after - 1);
  return y < row.y + row.height ? static_cast<std::uint32_t>(after - rows.begin()) - 1 : kNone;
}

std::uint32_t Layout::row_of_entry(std::uint32_t entry) const {
  while (entry != kNone && row_of_entry_[entry] == kNone) entry = parent_[entry];
  return entry == kNone ? kNone : row_of_entry_[entry];
}

std::uint32_t Layout::entry_of_track(std::uint32_t rank, std::uint32_t track) const {
  if (rank + 1 >= first_track_of_rank_.size()) return kNone;
  const std::uint32_t at = first_track_of_rank_[rank] + track;
  return at < first_track_of_rank_[rank + 1] ? entry_of_track_[at] : kNone;
}

std::uint32_t Layout::row_of_lane(const trace::Profile& profile, std::uint32_t rank, std::uint32_t lane) const {
  const std::uint32_t track = profile.ranks[rank]->track_of_lane(lane);
  const std::uint32_t entry = entry_of_track(rank, track);
  if (entry == kNone) return kNone;
  const std::uint32_t row = row_of_entry(entry);
  if (row == kNone || rows_[row].entry != entry || rows_[row].kind != RowKind::lane) return row;
  return row + (lane - profile.ranks[rank]->tracks[track].first_lane);
}

std::vector<std::uint32_t> tracks_of_entry(const trace::TrackTree& tree, std::uint32_t entry) {
  std::vector<std::uint32_t> tracks;
  for (std::uint32_t i = entry; i < tree.entries[entry].end; ++i)
    if (is_track(tree.entries[i])) tracks.push_back(tree.entries[i].item);
  return tracks;
}

const trace::Counter& counter_of_row(const trace::Profile& profile, const Row& row) {
  const TreeEntry& entry = profile.tree.entries[row.entry];
  if (entry.kind == TreeKind::metric) return metrics_of(profile, entry).series()[entry.item].counter;
  if (entry.kind == TreeKind::metric_group)
    return metrics_of(profile, entry).mean(static_cast<trace::Metric>(entry.item));
  if (entry.kind == TreeKind::curve) return (*profile.curves[entry.rank])[entry.item].counter;
  return profile.ranks[entry.rank]->counters[entry.item];
}

std::span<const trace::MetricSeries> series_of_row(const trace::Profile& profile, const Row& row) {
  const TreeEntry& entry = profile.tree.entries[row.entry];
  if (entry.kind != TreeKind::metric_group) return {};
  return metrics_of(profile, entry).of(static_cast<trace::Metric>(entry.item));
}

std::vector<DeviceRef> devices_of_entry(const trace::Profile& profile, std::uint32_t index) {
  std::vector<DeviceRef> devices;
  const TreeEntry& entry = profile.tree.entries[index];
  if (is_metric(entry)) return devices;
  const auto add_rank = [&](std::uint32_t rank) {
    for (std::uint32_t d = 0; d < profile.ranks[rank]->devices.size(); ++d) devices.push_back({rank, d});
  };
  if (entry.kind == TreeKind::gpu_utilisation || entry.kind == TreeKind::gpu_device || entry.kind == TreeKind::gpu_host)
    devices.push_back({entry.rank, entry.item});
  else if (entry.rank != kNone)
    add_rank(entry.rank);
  else if (entry.node != kNone)
    for (const std::uint32_t rank : profile.nodes[entry.node].ranks) add_rank(rank);
  return devices;
}

}  // namespace warpscope::scene
