#include "core/ingest/lane_builder.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/trace/lane_assignment.hpp"

namespace warpscope::ingest {

using trace::Family;
using trace::Lane;
using trace::LaneKind;
using trace::Role;

namespace {

// Slices of one track that share rows. The order is that of the rows, top down.
enum class Section : std::uint8_t { main, gpu_annotation, sync, instant, damaged };
constexpr std::size_t kSections = 5;

Section section_of(const PendingSlice& slice, Role role) {
  if (slice.flags & PendingSlice::kDamaged) return Section::damaged;
  if (slice.flags & PendingSlice::kInstant) return Section::instant;
  if (role == Role::gpu_annotation) return Section::gpu_annotation;
  if (role == Role::sync) return Section::sync;
  return Section::main;
}

LaneKind kind_of(Section section, bool folded, bool overflow) {
  if (folded) return LaneKind::folded;
  switch (section) {
    case Section::main:
      return overflow ? LaneKind::overflow : LaneKind::nested;
    case Section::gpu_annotation:
      return LaneKind::gpu_annotation;
    case Section::sync:
      return LaneKind::sync;
    case Section::instant:
      return LaneKind::instant;
    case Section::damaged:
      return LaneKind::damaged;
  }
  return LaneKind::nested;
}

Interval extent_of(const PendingSlice& slice) {
  return {slice.begin, saturating_add(slice.begin, std::max<Ns>(0, slice.duration))};
}

// Indices into the track's slices in the order (begin, longer first, file).
std::vector<std::uint32_t> in_time_order(const std::vector<PendingSlice>& slices, std::vector<std::uint32_t> members) {
  const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
    const PendingSlice& left = slices[a];
    const PendingSlice& right = slices[b];
    if (left.begin != right.begin) return left.begin < right.begin;
    return left.duration > right.duration;
  };
  if (!std::is_sorted(members.begin(), members.end(), earlier))
    std::stable_sort(members.begin(), members.end(), earlier);
  return members;
}

class TrackBuilder {
 public:
  TrackBuilder(trace::Rank& rank, PendingTrack& pending, const NameFacts& names, const trace::Dictionary& dictionary,
               std::span<const std::int64_t> correlations, CorrelatedSlices& correlated)
      : rank_(rank),
        slices_(pending.slices),
        track_(static_cast<std::uint32_t>(rank.tracks.size())),
        stream_(pending.kind == trace::TrackKind::stream),
        names_(names),
        categories_(dictionary.categories),
        correlations_(correlations),
        correlated_(correlated),
        table_(dictionary.names) {}

  void build() {
    std::array<std::vector<std::uint32_t>, kSections> sections;
    for (std::uint32_t i = 0; i < slices_.size(); ++i) {
      const Section section = section_of(slices_[i], categories_.role(slices_[i].category));
      sections[static_cast<std::size_t>(section)].push_back(i);
    }
    for (std::size_t section = 0; section < kSections; ++section)
      if (!sections[section].empty())
        add_section(static_cast<Section>(section), in_time_order(slices_, std::move(sections[section])));
  }

 private:
  void add_section(Section section, const std::vector<std::uint32_t>& order) {
    std::vector<Interval> extents;
    extents.reserve(order.size());
    for (const std::uint32_t i : order) extents.push_back(extent_of(slices_[i]));
    const trace::LaneAssignment assignment = trace::assign_lanes(extents);
    if (section == Section::main && assignment.overlaps > 0) {
      const PendingSlice& example = slices_[order[assignment.first_overlap]];
      rank_.diagnostics.add("overlapping-slices", Severity::info, rank_.source.path, example.offset(),
                            table_.view(names_.id[example.name]), assignment.overlaps);
    }

    std::array<std::uint32_t, trace::kMaxLanes + 1> counts{};
    for (const std::uint16_t lane : assignment.lane) ++counts[lane];
    std::vector<Lane::Columns> columns(trace::kMaxLanes + 1);
    for (std::size_t lane = 0; lane < columns.size(); ++lane) reserve(columns[lane], counts[lane]);

    // Ordinals follow from the counts, so correlated slices can be noted while columns are filled.
    std::array<trace::SliceOrdinal, trace::kMaxLanes + 1> next{};
    trace::SliceOrdinal start = rank_.lane_start.back();
    for (std::size_t lane = 0; lane < counts.size(); ++lane) {
      next[lane] = start;
      start += counts[lane];
    }
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::uint16_t lane = assignment.lane[k];
      append(columns[lane], slices_[order[k]], next[lane]++);
    }
    for (std::uint16_t lane = 0; lane < columns.size(); ++lane) {
      if (counts[lane] == 0) continue;
      const LaneKind kind = kind_of(section, lane == trace::kMaxLanes, stream_ && lane > 0);
      rank_.lanes.emplace_back(kind, lane, std::move(columns[lane]));
      rank_.lane_start.push_back(rank_.lane_start.back() + counts[lane]);
    }
  }

  static void reserve(Lane::Columns& columns, std::uint32_t count) {
    if (count == 0) return;
    columns.time.reserve(count);
    columns.names.reserve(count);
    columns.categories.reserve(count);
    columns.offsets.reserve(count);
    columns.families.reserve(count);
  }

  void append(Lane::Columns& columns, const PendingSlice& slice, trace::SliceOrdinal ordinal) {
    const Role role = categories_.role(slice.category);
    columns.time.push_back(slice.begin, slice.duration);
    columns.names.push_back(names_.id[slice.name]);
    columns.categories.push_back(slice.category);
    columns.offsets.push_back(slice.offset());
    columns.families.push_back(trace::family_of(role, names_.communication[slice.name] != 0));
    if (slice.correlation == 0) return;
    const Correlated entry{correlations_[slice.correlation - 1], slice.begin, ordinal, track_};
    (trace::is_run(role) ? correlated_.runs : correlated_.launches).push_back(entry);
  }

  trace::Rank& rank_;
  std::vector<PendingSlice>& slices_;
  std::uint32_t track_;
  bool stream_;
  const NameFacts& names_;
  const trace::Categories& categories_;
  std::span<const std::int64_t> correlations_;
  CorrelatedSlices& correlated_;
  const StringTable& table_;
};

}  // namespace

NameFacts publish_names(const Interner& names, trace::Dictionary& dictionary) {
  NameFacts facts;
  facts.id.reserve(names.size());
  facts.communication.reserve(names.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    facts.id.push_back(dictionary.names.intern(names.view(i)));
    facts.communication.push_back(trace::is_communication_name(names.view(i)) ? 1 : 0);
  }
  return facts;
}

void add_track(trace::Rank& rank, PendingTrack& pending, const NameFacts& names, const trace::Dictionary& dictionary,
               std::span<const std::int64_t> correlations, CorrelatedSlices& correlated) {
  trace::Track track;
  track.kind = pending.kind;
  track.process = pending.process;
  track.id = pending.id;
  track.first_lane = static_cast<std::uint32_t>(rank.lanes.size());
  TrackBuilder(rank, pending, names, dictionary, correlations, correlated).build();
  track.lane_count = static_cast<std::uint32_t>(rank.lanes.size()) - track.first_lane;
  rank.tracks.push_back(std::move(track));
  pending.slices = {};
}

}  // namespace warpscope::ingest
