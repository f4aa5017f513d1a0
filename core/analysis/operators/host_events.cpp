#include "core/analysis/operators/host_events.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/ingest/events/memory_event.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::string_view kStepName = "ProfilerStep#";
constexpr std::array<std::string_view, 6> kMemoryRows{"args.Device Type",    "args.Bytes",           "args.Device Id",
                                                      "args.Total Reserved", "args.Total Allocated", "args.Addr"};
/// Events that PyTorch does not list.
constexpr std::array<std::string_view, 8> kUnlisted{"[memory]",
                                                    "[OutOfMemory]",
                                                    "profiler::_record_function_enter",
                                                    "profiler::_record_function_enter_new",
                                                    "aten::is_leaf",
                                                    "aten::output_nr",
                                                    "aten::_version",
                                                    "profiler::_record_function_exit"};
enum Listing : std::uint8_t { kListed = 0, kLeftOut = 1, kStep = 2 };

constexpr RoleSet kHostRoles = role_set(trace::Role::op, trace::Role::annotation, trace::Role::launch);

struct Recorded {
  Interval time;
  trace::SliceOrdinal slice = 0;
  NameId name = 0;
  trace::Role role = trace::Role::op;
};

/// Prefix sums of memory changes.
class MemorySums {
 public:
  explicit MemorySums(const std::vector<MemoryChange>& changes) : changes_(changes) {
    host_.push_back(0);
    device_.push_back(0);
    for (const MemoryChange& change : changes) {
      host_.push_back(host_.back() + (change.on_device ? 0 : change.bytes));
      device_.push_back(device_.back() + (change.on_device ? change.bytes : 0));
    }
  }

  /// Returns the range [first, last) of changes during `time`, including both ends.
  [[nodiscard]] std::pair<std::size_t, std::size_t> during(Interval time) const {
    const auto first = std::ranges::lower_bound(changes_, time.begin, {}, &MemoryChange::time);
    const auto last = std::ranges::upper_bound(first, changes_.end(), time.end, {}, &MemoryChange::time);
    return {static_cast<std::size_t>(first - changes_.begin()), static_cast<std::size_t>(last - changes_.begin())};
  }
  [[nodiscard]] std::int64_t host(std::size_t first, std::size_t last) const { return host_[last] - host_[first]; }
  [[nodiscard]] std::int64_t device(std::size_t first, std::size_t last) const {
    return device_[last] - device_[first];
  }

 private:
  const std::vector<MemoryChange>& changes_;
  std::vector<std::int64_t> host_, device_;
};

/// Events whose owner is neither the host nor a device are counted only if an allocation failed.
Result<std::vector<MemoryChange>> read_memory_events(const AnalysisInput& input, const trace::Rank& rank,
                                                     std::string_view name) {
  constexpr std::int64_t kUnknownDevice = -2;
  std::vector<MemoryChange> changes;
  NameId wanted = 0;
  if (!input.profile.names().find(name, wanted)) return changes;
  std::vector<trace::SliceOrdinal> slices;
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    if (rank.rows_of(l) != trace::LaneKind::instant) continue;
    for (std::uint32_t i = 0; i < rank.lanes[l].size(); ++i)
      if (rank.lanes[l].name(i) == wanted) slices.push_back(rank.lane_start[l] + i);
  }
  if (slices.empty()) return changes;
  const auto add = [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
    const ingest::MemoryOwner owner = ingest::memory_owner(whole_number_of(event, "args.Device Type"));
    const bool known = owner != ingest::MemoryOwner::other;
    if (!known && name == ingest::kMemoryEvent) return;
    changes.push_back({rank.begin(slice), whole_number_of(event, "args.Bytes", 0), owner != ingest::MemoryOwner::host,
                       known ? whole_number_of(event, "args.Device Id") : kUnknownDevice,
                       whole_number_of(event, "args.Total Reserved"), slice,
                       whole_number_of(event, "args.Total Allocated"), whole_number_of(event, "args.Addr")});
  };
  if (auto failure = read_events(input, rank, slices, kMemoryRows, add)) return *failure;
  std::ranges::stable_sort(changes, {}, &MemoryChange::time);
  return changes;
}

}  // namespace

std::string_view listed_name(std::string_view name) { return name.starts_with(kStepName) ? "ProfilerStep*" : name; }

Result<std::vector<MemoryChange>> memory_changes(const AnalysisInput& input, std::uint32_t rank) {
  return read_memory_events(input, *input.profile.ranks[rank], ingest::kMemoryEvent);
}

Result<std::vector<MemoryChange>> failed_allocations(const AnalysisInput& input, std::uint32_t rank) {
  return read_memory_events(input, *input.profile.ranks[rank], ingest::kOutOfMemoryEvent);
}

HostEvents::HostEvents(const AnalysisInput& input, std::uint32_t rank_index, const GpuRows::Rows& rows,
                       const std::vector<MemoryChange>& memory) {
  const trace::Rank& rank = *input.profile.ranks[rank_index];
  slices_ = rank.lane_start.empty() ? 0 : rank.lane_start.back();
  names_.assign(input.profile.names().size(), kListed);
  for (NameId id = 0; id < names_.size(); ++id) {
    const std::string_view name = input.profile.names().view(id);
    if (name.starts_with(kStepName)) {
      names_[id] = kStep;
      steps_ = id;
    } else if (std::ranges::find(kUnlisted, name) != kUnlisted.end()) {
      names_[id] = kLeftOut;
    }
  }
  for (const trace::Track& track : rank.tracks) {
    if (cancelled(input.cancel)) return;
    if (track.kind == trace::TrackKind::thread) add_thread(input, rank_index, track);
  }
  own_activity(rows);
  merge_repeated();
  sum_up(memory);
}

void HostEvents::add_thread(const AnalysisInput& input, std::uint32_t rank_index, const trace::Track& track) {
  const trace::Rank& rank = *input.profile.ranks[rank_index];
  const RoleOfCategory roles = roles_of_categories(input.profile);
  const auto first = static_cast<std::uint32_t>(events_.size());
  // Sort before creating the events, which are four times as large.
  std::vector<Recorded> recorded;
  for (const std::uint32_t l : recorded_lanes(rank, track)) {
    const trace::Lane& lane = rank.lanes[l];
    for_each_part(lane, input.scope.on_host(rank_index), [&](std::uint32_t i, Interval time) {
      const trace::Role role = roles[lane.category(i)];
      const NameId name = lane.name(i);
      if ((role_set(role) & kHostRoles) == 0 || names_[name] == kLeftOut) return;
      recorded.push_back({time, rank.lane_start[l] + i, names_[name] == kStep ? steps_ : name, role});
    });
  }
  // Of two equal events, the later one in the file is in a deeper lane and so has a greater ordinal.
  std::sort(recorded.begin(), recorded.end(), [](const Recorded& a, const Recorded& b) {
    return std::tuple(a.time.begin, -a.time.end, a.slice) < std::tuple(b.time.begin, -b.time.end, b.slice);
  });
  if (const std::size_t size = events_.size() + recorded.size(); size > events_.capacity())
    events_.reserve(std::max(size, 2 * events_.capacity()));
  for (const Recorded& each : recorded) {
    HostEvent& event = events_.emplace_back();
    event.time = each.time;
    event.slice = each.slice;
    event.name = each.name;
    event.role = each.role;
  }
  std::vector<std::uint32_t> open;
  for (std::uint32_t e = first; e < events_.size(); ++e) {
    HostEvent& event = events_[e];
    while (!open.empty() &&
           (event.time.begin >= events_[open.back()].time.end || event.time.end > events_[open.back()].time.end))
      open.pop_back();
    if (!open.empty()) event.parent = open.back();
    open.push_back(e);
  }
}

void HostEvents::own_activity(const GpuRows::Rows& rows) {
  std::vector<std::uint32_t> event_of(slices_, HostEvent::kNone);
  for (std::uint32_t e = 0; e < events_.size(); ++e) event_of[events_[e].slice] = e;
  activity_.reserve(rows.size());
  for (const GpuRow& row : rows) {
    OwnedActivity& owned = activity_.emplace_back(OwnedActivity{row});
    if (!row.launch || event_of[*row.launch] == HostEvent::kNone) continue;
    std::uint32_t annotation = HostEvent::kNone;
    for (std::uint32_t e = events_[event_of[*row.launch]].parent; e != HostEvent::kNone; e = events_[e].parent) {
      if (events_[e].role == trace::Role::op) {
        owned.owner = e;
        break;
      }
      if (annotation == HostEvent::kNone && events_[e].role == trace::Role::annotation) annotation = e;
    }
    if (owned.owner == HostEvent::kNone) owned.owner = annotation;
    if (owned.owner != HostEvent::kNone) events_[owned.owner].self_device += row.time.length();
  }
}

void HostEvents::merge_repeated() {
  for (const HostEvent& event : events_)
    if (event.parent != HostEvent::kNone) ++events_[event.parent].children;
  // Parents come first, so a merged parent already points to the event it was merged into.
  for (HostEvent& event : events_) {
    if (event.parent == HostEvent::kNone) continue;
    if (events_[event.parent].merged) event.parent = events_[event.parent].parent;
    HostEvent& parent = events_[event.parent];
    if (parent.name != event.name || parent.children != 1) continue;
    event.merged = true;
    parent.children = event.children;
    parent.self_device += event.self_device;
  }
  for (OwnedActivity& owned : activity_)
    if (owned.owner != HostEvent::kNone && events_[owned.owner].merged) owned.owner = events_[owned.owner].parent;
}

void HostEvents::sum_up(const std::vector<MemoryChange>& memory) {
  const MemorySums sums(memory);
  std::vector<bool> claimed(memory.size());
  for (HostEvent& event : events_) {
    event.device_total += event.self_device;
    if (memory.empty()) continue;
    const auto [first, last] = sums.during(event.time);
    event.cpu_memory = sums.host(first, last);
    event.device_memory = sums.device(first, last);
    if (event.parent == HostEvent::kNone)
      for (std::size_t c = first; c < last; ++c) claimed[c] = true;
  }
  for (std::size_t e = events_.size(); e-- > 0;) {
    const HostEvent& event = events_[e];
    if (event.merged || event.parent == HostEvent::kNone) continue;
    HostEvent& parent = events_[event.parent];
    parent.children_time += event.time.length();
    parent.device_total += event.device_total;
    parent.children_cpu_memory += event.cpu_memory;
    parent.children_device_memory += event.device_memory;
  }
  for (std::size_t c = 0; c < memory.size(); ++c)
    if (!claimed[c]) unclaimed_.push_back(memory[c]);
}

// Walks a thread's events and changes in parallel.
std::vector<std::uint32_t> owners_of(const trace::Rank& rank, const std::vector<HostEvent>& events,
                                     std::span<const MemoryChange> changes) {
  std::vector<std::uint32_t> owners(changes.size(), HostEvent::kNone);
  std::vector<std::uint32_t> order(changes.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto track_of = [&](trace::SliceOrdinal slice) { return rank.track_of_lane(rank.locate(slice).lane); };
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return track_of(changes[i].slice); });
  std::size_t e = 0;
  for (std::size_t i = 0; i < order.size();) {
    const std::uint32_t track = track_of(changes[order[i]].slice);
    while (e < events.size() && track_of(events[e].slice) < track) ++e;
    std::vector<std::uint32_t> open;
    for (; i < order.size() && track_of(changes[order[i]].slice) == track; ++i) {
      const MemoryChange& change = changes[order[i]];
      for (; e < events.size() && track_of(events[e].slice) == track && events[e].time.begin <= change.time; ++e)
        open.push_back(static_cast<std::uint32_t>(e));
      std::erase_if(open, [&](std::uint32_t each) { return events[each].time.end < change.time; });
      const auto owner = std::find_if(open.rbegin(), open.rend(),
                                      [&](std::uint32_t each) { return events[each].role == trace::Role::op; });
      if (owner != open.rend()) owners[order[i]] = *owner;
    }
  }
  return owners;
}

}  // namespace warpscope::analysis
