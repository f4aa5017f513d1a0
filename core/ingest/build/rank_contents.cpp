#include "core/ingest/build/rank_contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/trace/annotation_family.hpp"

namespace warpscope::ingest {

using trace::Lane;
using trace::LaneKind;
using trace::Rank;
using trace::Track;
using trace::TrackKind;

namespace {

bool holds_runs(const Rank& rank, std::uint32_t lane) {
  const LaneKind kind = rank.rows_of(lane);
  return kind == LaneKind::nested || kind == LaneKind::overflow;
}

/// Returns the union of the GPU activity of `lanes`. Merges the sorted lanes instead of sorting all intervals, so it
/// needs memory for the union only. O(n log lanes), O(n) where lanes alternate rarely.
trace::IntervalTree union_of_runs(std::span<const Lane* const> lanes, const trace::Categories& categories) {
  struct Head {
    Ns begin;
    const Lane* lane;
    std::uint32_t next;
  };
  const auto later = [](const Head& a, const Head& b) { return a.begin > b.begin; };
  std::vector<Head> heads;
  for (const Lane* lane : lanes)
    if (lane->size() > 0) heads.push_back({lane->time().begin(0), lane, 0});
  std::ranges::make_heap(heads, later);
  trace::IntervalUnion all;
  while (!heads.empty()) {
    std::ranges::pop_heap(heads, later);
    Head& head = heads.back();
    const Ns limit = heads.size() > 1 ? heads.front().begin : std::numeric_limits<Ns>::max();
    const trace::TimeColumn& time = head.lane->time();
    do {
      if (trace::is_run(categories.role(head.lane->category(head.next)))) all.add({head.begin, time.end(head.next)});
      if (++head.next == head.lane->size()) break;
      head.begin = time.begin(head.next);
    } while (head.begin <= limit);
    if (head.next == head.lane->size())
      heads.pop_back();
    else
      std::ranges::push_heap(heads, later);
  }
  return all.take();
}

}  // namespace

void add_devices(Rank& rank) {
  std::unordered_map<std::int64_t, std::size_t> devices;
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
    if (rank.tracks[t].kind != TrackKind::stream) continue;
    const auto [device, fresh] = devices.try_emplace(rank.tracks[t].process, rank.devices.size());
    if (fresh) rank.devices.emplace_back().id = rank.tracks[t].process;
    rank.devices[device->second].streams.push_back(t);
    rank.tracks[t].device = static_cast<std::int32_t>(device->second);
  }
}

void add_models(Rank& rank, const std::vector<DeviceProperties>& properties) {
  std::unordered_map<std::int64_t, const std::string*> models;
  for (const DeviceProperties& known : properties) models[known.id] = &known.name;
  // deviceProperties numbers only the visible devices; GPU activity may be numbered across all of the host's devices.
  const bool one_model = !properties.empty() && std::ranges::all_of(properties, [&](const DeviceProperties& each) {
    return each.name == properties.front().name;
  });
  for (trace::Device& device : rank.devices)
    if (const auto known = models.find(device.id); known != models.end())
      device.model = *known->second;
    else if (one_model)
      device.model = properties.front().name;
}

void add_busy_time(Rank& rank, trace::Device& device, const trace::Categories& categories) {
  std::vector<const Lane*> lanes;
  for (const std::uint32_t stream : device.streams) {
    Track& track = rank.tracks[stream];
    trace::BusyTime by_family;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      const Lane& lane = rank.lanes[l];
      if (!holds_runs(rank, l)) continue;
      lanes.push_back(&lane);
      for (std::uint32_t i = 0; i < lane.size() && !track.runs; ++i)
        track.runs = trace::is_run(categories.role(lane.category(i)));
      const trace::BusyTime sum = lane.tree().busy_by_family_before_block(lane.tree().time().blocks());
      for (std::size_t f = 0; f < trace::kFamilies; ++f) by_family.by_family[f] += sum.by_family[f];
    }
    track.communication = by_family.dominant() == trace::Family::communication;
  }
  device.busy = union_of_runs(lanes, categories);
}

void add_annotations_and_steps(Rank& rank, const std::vector<trace::SliceOrdinal>& annotations,
                               const trace::Dictionary& dictionary) {
  std::unordered_map<NameId, std::string> families;
  const auto family_of = [&](NameId name) -> const std::string& {
    const auto [entry, fresh] = families.try_emplace(name);
    if (fresh) entry->second = trace::annotation_family(dictionary.names.view(name));
    return entry->second;
  };
  for (const trace::SliceOrdinal slice : annotations) ++rank.annotations[family_of(rank.name(slice))];
  const std::string step = trace::step_family(rank.annotations);
  if (step.empty()) return;
  for (const trace::SliceOrdinal slice : annotations) {
    const trace::SlicePlace place = rank.locate(slice);
    const Lane& lane = rank.lanes[place.lane];
    if (family_of(lane.name(place.index)) != step) continue;
    rank.steps.push_back(
        {lane.name(place.index), {lane.time().begin(place.index), lane.time().end(place.index)}, slice});
  }
  std::sort(rank.steps.begin(), rank.steps.end(), [](const trace::Step& a, const trace::Step& b) {
    return std::pair(a.time.begin, a.slice) < std::pair(b.time.begin, b.slice);
  });
}

void add_counters(Rank& rank, std::vector<PendingCounter> pending) {
  for (PendingCounter& counter : pending) {
    std::ranges::stable_sort(counter.samples, {}, &std::pair<Ns, float>::first);
    std::vector<Ns> times;
    std::vector<float> values;
    for (const auto& [time, value] : counter.samples) {
      times.push_back(time);
      values.push_back(value);
    }
    rank.counters.emplace_back(std::move(counter.name), "", std::move(times), std::move(values));
  }
}

void add_memory_curves(trace::Rank& rank, std::vector<MemorySample> samples) {
  struct Curves {
    std::vector<Ns> times;
    std::vector<float> allocated;
    std::vector<float> reserved;
    std::int64_t used = 0;
    bool any_reserved = false;
  };
  if (!std::ranges::is_sorted(samples, {}, &MemorySample::time))
    std::ranges::stable_sort(samples, {}, &MemorySample::time);
  std::map<std::uint32_t, Curves> curves;  // by device; the host is last
  for (const MemorySample& sample : samples) {
    Curves& device = curves[sample.device];
    device.used = sample.is_total != 0 ? sample.bytes : saturating_add(device.used, sample.bytes);
    device.any_reserved = device.any_reserved || !std::isnan(sample.reserved);
    device.times.push_back(sample.time);
    device.allocated.push_back(static_cast<float>(device.used));
    device.reserved.push_back(sample.reserved);
  }
  for (auto& [device, each] : curves) {
    const bool host = device == MemorySample::kHost;
    const std::string owner = host ? "Host" : fmt::format("GPU-{}", device);
    const auto times = std::make_shared<const std::vector<Ns>>(std::move(each.times));
    rank.counters.emplace_back(owner + " memory allocated", "B", times, std::move(each.allocated));
    if (each.any_reserved && !host)
      rank.counters.emplace_back(reserved_memory_counter(device), "B", times, std::move(each.reserved));
  }
}

void add_span(Rank& rank) {
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    if (rank.rows_of(l) == LaneKind::damaged || rank.rows_of(l) == LaneKind::instant) continue;
    const Lane& lane = rank.lanes[l];
    const trace::TimeColumn& time = lane.time();
    if (time.empty()) continue;
    const trace::TimeColumn& covered = lane.tree().time();
    const Ns end = covered.empty() ? time.begin(time.size() - 1) : covered.end(covered.size() - 1);
    rank.span = cover(rank.span, {time.begin(0), std::max(end, time.begin(time.size() - 1))});
  }
  rank.span = measurable(rank.span);
}

}  // namespace warpscope::ingest
