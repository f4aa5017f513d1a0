#include "core/ingest/build/track_builder.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/natural_merge.hpp"
#include "core/ingest/build/lane_columns.hpp"
#include "core/trace/lane_assignment.hpp"
#include "core/trace/waiting_names.hpp"

namespace warpscope::ingest {

using trace::LaneKind;
using trace::Role;

namespace {

// Groups of a track's slices that share rows, from top to bottom.
enum class Section : std::uint8_t { main, gpu_annotation, sync, instant, damaged };
constexpr std::size_t kSections = 5;
constexpr std::size_t kLanes = trace::kMaxLanes + 1;
// Number of slices between cancellation checks.
constexpr std::uint32_t kCancelEvery = 1u << 16;
// A kernel overflows if it is this many times as long as the time until the next one on its stream starts, and this
// many kernels start before it ends.
constexpr Ns kOverflow = 1'000;
constexpr std::size_t kOverrun = 16;

Section section_of(const PendingSlice& slice, Role role, bool waits) {
  if (slice.has(PendingSlice::kDamaged)) return Section::damaged;
  if (slice.has(PendingSlice::kInstant)) return Section::instant;
  if (role == Role::gpu_annotation) return Section::gpu_annotation;
  if (role == Role::sync || role == Role::event_node || waits) return Section::sync;
  return Section::main;
}

LaneKind kind_of(Section section, bool folded, bool overflow) {
  constexpr std::array kKinds{LaneKind::nested, LaneKind::gpu_annotation, LaneKind::sync, LaneKind::instant,
                              LaneKind::damaged};
  if (folded) return LaneKind::folded;
  return overflow && section == Section::main ? LaneKind::overflow : kKinds[static_cast<std::size_t>(section)];
}

class TrackBuilder {
 public:
  TrackBuilder(PendingTrack& pending, std::vector<TrackFlow> flows, const TrackContext& context)
      : pending_(pending),
        slices_(pending.slices),
        context_(context),
        stream_(pending.kind == trace::TrackKind::stream),
        notes_annotations_(pending.kind == trace::TrackKind::thread),
        flows_(std::move(flows)) {
    const auto& own = context.own_categories;
    for (std::size_t i = 0; i < (own.empty() ? context.categories.size() : own.size()); ++i) {
      const auto id = own.empty() ? static_cast<trace::CategoryId>(i) : own[i];
      const Role role = context.categories.role(id);
      categories_[i] = {id, role, trace::family_of(role, false), trace::family_of(role, true)};
    }
  }

  BuiltTrack build() {
    natural_merge_sort(flows_, [](const TrackFlow& a, const TrackFlow& b) { return a.time < b.time; });
    survey();
    slices_.begin_taking();
    // The other sections have few slices, but these are spread over all segments. Taking them first allows each segment
    // to be freed as soon as its main-section slices are taken. The main section's lanes are still listed first.
    size_ = static_cast<trace::SliceOrdinal>(members_[0].size());
    for (std::size_t section = 1; section < kSections; ++section) build_section(section);
    TrackParts below = std::exchange(static_cast<TrackParts&>(built_), {});
    size_ = 0;
    build_section(0);
    append_parts(std::move(below));
    built_.flows = std::move(flows_);
    return std::move(built_);
  }

 private:
  [[nodiscard]] bool cancelled() const { return context_.cancel != nullptr && context_.cancel->cancelled(); }
  struct Times {
    Ns begin;
    Ns duration;
    [[nodiscard]] Ns end() const { return saturating_add(begin, std::max<Ns>(0, duration)); }
  };
  [[nodiscard]] Times times_of(const PendingSlice& slice, std::uint32_t index) const {
    if (slice.duration != kElsewhere) [[likely]]
      return {pending_.base + slice.distance(), slice.duration};
    return {pending_.begin_of(slice, index), number_at(pending_.durations, index)};
  }

  [[nodiscard]] bool is_wait(const PendingSlice& slice, Role role) const {
    return role == Role::job && (context_.names.flags[slice.name()] & NameFacts::kWaits) != 0;
  }

  void build_section(std::size_t section) {
    if (members_[section].empty() || cancelled()) return;
    if (section > 0 || !in_order_) sort(members_[section]);
    add_section(static_cast<Section>(section), std::exchange(members_[section], {}));
  }

  void append_parts(TrackParts&& parts) {
    const auto append = [](auto& to, auto& from) {
      to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    append(built_.lanes, parts.lanes);
    append(built_.launches, parts.launches);
    append(built_.runs, parts.runs);
    append(built_.annotations, parts.annotations);
    append(built_.transfers, parts.transfers);
  }

  /// Sorts slices into sections and flags impossible ones.
  void survey() {
    std::array<std::uint64_t, 256> by_category{};
    std::uint32_t index = 0;
    Ns last_begin = std::numeric_limits<Ns>::min();
    Ns last_duration = 0;
    auto& main = members_[static_cast<std::size_t>(Section::main)];
    grow_to(main, slices_.size());
    slices_.for_each([&](PendingSlice& slice) {
      const CategoryFacts& facts = categories_[slice.category()];
      const Role role = facts.role;
      const auto [begin, duration] = times_of(slice, index);
      const bool waits = is_wait(slice, role);
      if (slice.counts()) ++by_category[facts.id];
      if (slice.counts() && waits) ++built_.waits;
      if (!context_.possible.holds(begin, duration) && !slice.has(PendingSlice::kDamaged)) {
        built_.damage.add(context_.possible.why_not(begin, duration), slice, begin, duration);
        slice.add_flag(PendingSlice::kDamaged);
      }
      if (duration == 0 && trace::is_run(role)) built_.damage.add(Damage::run_without_duration, slice, begin, duration);
      const Section section = section_of(slice, role, waits);
      if (section == Section::main) {
        if (begin < last_begin || (begin == last_begin && duration > last_duration)) in_order_ = false;
        last_begin = begin;
        last_duration = duration;
      }
      members_[static_cast<std::size_t>(section)].push_back(index++);
    });
    for (std::size_t id = 0; id < by_category.size(); ++id)
      if (by_category[id] > 0) built_.by_category.emplace_back(static_cast<trace::CategoryId>(id), by_category[id]);
  }

  /// Sorts by start, then longest first, then in file order.
  void sort(std::vector<std::uint32_t>& members) const {
    const auto sort_by = [&](auto begin_of) {
      // Each merged run is almost in file order.
      natural_merge_sort(members, [&, left = PendingSlices::Cursor(slices_), right = PendingSlices::Cursor(slices_)](
                                      std::uint32_t a, std::uint32_t b) mutable {
        const PendingSlice& slice_a = left(a);
        const PendingSlice& slice_b = right(b);
        const Ns begin_a = begin_of(slice_a, a);
        const Ns begin_b = begin_of(slice_b, b);
        if (begin_a != begin_b) return begin_a < begin_b;
        return times_of(slice_a, a).duration > times_of(slice_b, b).duration;
      });
    };
    if (pending_.begins.empty())
      sort_by([](const PendingSlice& slice, std::uint32_t) { return slice.distance(); });
    else
      sort_by([&](const PendingSlice& slice, std::uint32_t index) { return pending_.begin_of(slice, index); });
  }

  void add_section(Section section, const std::vector<std::uint32_t>& order) {
    std::vector<std::uint8_t> lanes;
    grow_to(lanes, order.size());
    std::array<std::uint32_t, kLanes> counts{};
    assign(section, order, lanes, counts);

    // Ordinals follow from the counts, so slices can be recorded while columns are filled.
    std::size_t used = kLanes;
    while (used > 0 && counts[used - 1] == 0) --used;
    std::vector<LaneColumns> columns(used);
    std::array<trace::SliceOrdinal, kLanes> next{};
    for (std::size_t lane = 0; lane < used; ++lane) {
      next[lane] = size_;
      size_ += counts[lane];
      columns[lane].reserve(counts[lane]);
    }
    fill(section, order, lanes, columns, next);
    if (cancelled()) return;
    for (std::size_t lane = 0; lane < used; ++lane) {
      if (counts[lane] == 0) continue;
      const LaneKind kind = kind_of(section, lane == trace::kMaxLanes, stream_ && lane > 0);
      built_.lanes.emplace_back(kind, static_cast<std::uint16_t>(lane), columns[lane].take());
    }
  }

  void assign(Section section, const std::vector<std::uint32_t>& order, std::vector<std::uint8_t>& lanes,
              std::array<std::uint32_t, kLanes>& counts) {
    trace::LaneAssigner assigner;
    PendingSlices::Cursor slice_at(slices_);
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      if (k % kCancelEvery == 0 && cancelled()) return;
      const PendingSlice& slice = slice_at(order[k]);
      if (section == Section::main && stream_) shorten_overflow(order, k);
      const Times times = times_of(slice, order[k]);
      const std::uint16_t lane = assigner.next({times.begin, times.end()});
      lanes.push_back(static_cast<std::uint8_t>(lane));
      ++counts[lane];
      if (assigner.crosses() && section == Section::main)
        built_.damage.add(Damage::overlap, slice, times.begin, times.duration);
    }
  }

  /// Some drivers record kernels that last until long after later kernels on their stream have run, which is impossible
  /// unless a CUDA graph launched them. Such a kernel counts only until the next one starts. Kernels that communicate
  /// may run on streams of their own that the profiler does not tell apart.
  void shorten_overflow(const std::vector<std::uint32_t>& order, std::uint32_t k) {
    if (k + kOverrun >= order.size()) return;
    PendingSlice& slice = slices_[order[k]];
    const Times times = times_of(slice, order[k]);
    const auto begin_of = [&](std::size_t at) { return times_of(slices_[order[at]], order[at]).begin; };
    const Ns until_next = begin_of(k + 1) - times.begin;
    if (until_next <= 0 || until_next >= kElsewhere || times.duration / kOverflow < until_next ||
        begin_of(k + kOverrun) >= times.end())
      return;
    const bool communicates =
        slice.has(PendingSlice::kCollective) || (context_.names.flags[slice.name()] & NameFacts::kCommunicates) != 0;
    if (categories_[slice.category()].role != Role::kernel || communicates || slice.correlation == 0) return;
    for (std::size_t next = k + 1; next <= k + kOverrun; ++next)
      if (slices_[order[next]].correlation == slice.correlation) return;  // of the same graph
    built_.damage.add(Damage::overflow, slice, times.begin, times.duration);
    slice.duration = static_cast<std::uint32_t>(until_next);
  }

  void fill(Section section, const std::vector<std::uint32_t>& order, const std::vector<std::uint8_t>& lanes,
            std::vector<LaneColumns>& columns, std::array<trace::SliceOrdinal, kLanes>& next) {
    std::vector<Placed> last(flows_.empty() || section != Section::main ? 0 : columns.size());
    const bool binds = !last.empty();
    const bool notes_steps = notes_annotations_ && section == Section::main;
    PendingSlices::Taker take(slices_);
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      if (k % kCancelEvery == 0 && cancelled()) return;
      const std::uint32_t index = order[k];
      const PendingSlice& slice = take(index);
      const Times times = times_of(slice, index);
      const Ns begin = times.begin;
      const std::size_t lane = lanes[k];
      const trace::SliceOrdinal ordinal = next[lane]++;
      if (binds) {
        if (next_flow_ < flows_.size() && flows_[next_flow_].time < begin) bind_before(begin, last);
        last[lane] = {begin, times.end(), ordinal};
        if (lane == trace::kMaxLanes) open_deep(last[lane]);
      }
      const CategoryFacts& facts = categories_[slice.category()];
      const std::uint8_t name_flags = context_.names.flags[slice.name()];
      const bool communicates = slice.has(PendingSlice::kCollective) || (name_flags & NameFacts::kCommunicates) != 0;
      trace::Family family = communicates ? facts.family_of_communication : facts.family;
      if (facts.role == Role::job && (name_flags & NameFacts::kTransfer) != 0) family = trace::Family::memory;
      const bool waits = is_wait(slice, facts.role);
      if (waits) family = trace::Family::sync;
      columns[lane].push_back(begin, times.duration, context_.names.id[slice.name()], facts.id, slice.offset(), family);
      if (slice.has(PendingSlice::kMoves))
        built_.transfers.push_back({ordinal, static_cast<std::uint64_t>(number_at(pending_.bytes, index))});
      if (slice.correlation != 0 && !waits) note_correlation(slice, index, ordinal, facts.role);
      // Steps were operators before annotations had their own category.
      if ((notes_steps || (notes_annotations_ && lane == trace::kMaxLanes)) &&
          (facts.role == Role::annotation || (facts.role == Role::op && (name_flags & NameFacts::kStep) != 0)))
        built_.annotations.push_back(ordinal);
    }
    if (section == Section::main) bind_before(std::nullopt, last);
  }

  void note_correlation(const PendingSlice& slice, std::uint32_t index, trace::SliceOrdinal ordinal, Role role) {
    const std::int64_t id =
        slice.correlation == kElsewhere ? number_at(pending_.correlations, index) : std::int64_t{slice.correlation} - 1;
    (trace::is_launched(role) ? built_.runs : built_.launches).push_back({id, ordinal});
  }

  /// The last slice added to a lane.
  struct Placed {
    Ns begin = 0;
    Ns end = 0;
    trace::SliceOrdinal slice = kNoSlice;
  };

  /// Slices of the folded lane nest: keeps a stack of open slices, innermost last.
  void open_deep(const Placed& placed) {
    while (!deep_.empty() && deep_.back().end <= placed.begin) deep_.pop_back();
    deep_.push_back(placed);
  }

  /// Binds the arrow endpoints before `time`, or all remaining endpoints if no time is given. The lanes must contain
  /// all slices that start at or before these endpoints, and no later slices.
  void bind_before(std::optional<Ns> time, const std::vector<Placed>& last) {
    for (; next_flow_ < flows_.size() && (!time || flows_[next_flow_].time < *time); ++next_flow_) {
      TrackFlow& flow = flows_[next_flow_];
      trace::SliceOrdinal begins = kNoSlice;
      for (std::size_t lane = 0; lane < std::min<std::size_t>(last.size(), trace::kMaxLanes); ++lane) {
        const Placed& placed = last[lane];
        if (placed.slice == kNoSlice || placed.end <= flow.time) continue;
        flow.slice = placed.slice;
        if (placed.begin == flow.time) begins = placed.slice;
      }
      while (!deep_.empty() && deep_.back().end <= flow.time) deep_.pop_back();
      if (!deep_.empty()) {
        flow.slice = deep_.back().slice;
        if (deep_.back().begin == flow.time) begins = flow.slice;
      }
      if (begins != kNoSlice) flow.slice = begins;
    }
  }

  struct CategoryFacts {
    trace::CategoryId id = 0;  // the dictionary's
    Role role{};
    trace::Family family{};
    trace::Family family_of_communication{};
  };

  PendingTrack& pending_;
  PendingSlices& slices_;
  const TrackContext& context_;
  std::array<CategoryFacts, 256> categories_;  // by category id of the slices
  bool stream_;
  bool notes_annotations_;
  std::vector<TrackFlow> flows_;
  std::size_t next_flow_ = 0;
  std::vector<Placed> deep_;
  std::array<std::vector<std::uint32_t>, kSections> members_;
  bool in_order_ = true;  // the slices of the main section
  trace::SliceOrdinal size_ = 0;
  BuiltTrack built_;
};

}  // namespace

NameFacts publish_names(const Interner& names, trace::Dictionary& dictionary) {
  NameFacts facts;
  facts.id.reserve(names.size());
  facts.flags.reserve(names.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names.view(i);
    facts.id.push_back(dictionary.names.intern(name));
    facts.flags.push_back(
        static_cast<std::uint8_t>((trace::is_communication_name(name) ? NameFacts::kCommunicates : 0) |
                                  (name.starts_with("ProfilerStep#") ? NameFacts::kStep : 0) |
                                  (trace::is_transfer_name(name) ? NameFacts::kTransfer : 0) |
                                  (trace::is_waiting_name(name) ? NameFacts::kWaits : 0)));
  }
  return facts;
}

BuiltTrack build_track(PendingTrack& pending, std::vector<TrackFlow> flows, const TrackContext& context) {
  return TrackBuilder(pending, std::move(flows), context).build();
}

}  // namespace warpscope::ingest
