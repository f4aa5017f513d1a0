#include "core/store/rank_head.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/store/diagnostics_stream.hpp"

namespace warpscope::store {

namespace {

constexpr std::uint64_t kMostIndex = std::numeric_limits<std::uint32_t>::max();

bool families_match(const LaneHead& lane) {
  const int slots = std::popcount(lane.families);
  if (slots <= 1) return slots == 1 && lane.family_columns == 0;
  return lane.kind != trace::LaneKind::folded && (lane.family_columns + 1 == slots || lane.family_columns == slots);
}

/// Writes or reads a head. Reading also adds the rows and lanes to the head.
template <class Stream, class Head, class Rank>
void transfer(Stream& stream, std::uint64_t body, Head& head, Rank& rank) {
  auto& source = rank.source;
  stream.fields(source.path, source.size, source.modified_ns, source.inode, source.text_bytes, rank.number,
                rank.world_size, rank.number_assigned, rank.host, rank.process, rank.properties, rank.annotations,
                rank.counts.events, rank.counts.slices, rank.counts.runs, rank.counts.launches, head.by_category,
                rank.span.begin, rank.span.end);
  transfer_diagnostics(stream, rank.diagnostics);
  stream.fields(head.strings, head.trees, head.near, head.counters, head.launches, head.forward_backward,
                head.graph_edges, head.transfers, head.launch_count, head.forward_backward_count, head.graph_edge_count,
                head.transfer_count);
  stream.check(std::max({head.launch_count, head.forward_backward_count, head.graph_edge_count, head.transfer_count}) <=
               kMostIndex);

  std::size_t rows = 0;
  std::uint64_t stored = 0;
  const auto transfer_row = [&](bool of_lane, bool has_sums, std::uint8_t families, std::uint8_t family_columns) {
    if constexpr (Stream::kReads) {
      RowHead& fresh = head.rows.emplace_back();
      fresh.of_lane = of_lane;
      fresh.has_sums = has_sums;
      fresh.families = families;
      fresh.family_columns = family_columns;
    }
    auto& row = head.rows[rows++];
    stream.fields(row.size, row.near, row.times);
    if (of_lane) stream.fields(row.labels, row.offsets);
    stream.check(rows <= kMostRows && row.size < kMostIndex && row.near <= blocks_of(row.size) &&
                 (row.near > 0) == (row.size > 0));
    // Rows must not share bytes, so the size of a rank's body limits how much can be loaded.
    for (const SectionRef& ref : {row.times, row.labels, row.offsets}) {
      stored += std::min(ref.stored, body + 1);
      stream.check(stored <= body);
    }
  };
  stream.each(head.lanes, [&](auto& lane) {
    stream.fields(lane.kind, lane.depth, lane.families, lane.family_columns);
    stream.check(lane.kind <= trace::LaneKind::damaged && families_match(lane));
    if constexpr (Stream::kReads) lane.row = rows;
    const bool folded = lane.kind == trace::LaneKind::folded;
    transfer_row(true, !folded, lane.families, lane.family_columns);
    if (folded) transfer_row(false, true, lane.families, 0);
  });
  stream.each(rank.tracks, [&](auto& track) {
    stream.fields(track.kind, track.label, track.process, track.id, track.lane_count, track.launches, track.device,
                  track.communication, track.runs);
    stream.check(track.kind <= trace::TrackKind::async);
  });
  stream.each(rank.devices, [&](auto& device) {
    stream.fields(device.id, device.model, device.streams);
    transfer_row(false, true, 1, 0);
  });
  auto& curve = head.curve;
  stream.fields(curve.busy, curve.computation, curve.communication, curve.memory);
  stream.check((curve.empty() || curve.computation.size() == trace::BusyCurve::kParts) &&
               curve.communication.size() == curve.computation.size() &&
               curve.memory.size() == curve.computation.size());
  stream.each(head.counter_heads, [&](auto& counter) { stream.fields(counter.name, counter.unit, counter.size); });
  stream.each(head.steps, [&](auto& step) { stream.fields(step.name, step.time.begin, step.time.end, step.slice); });
}

}  // namespace

std::vector<std::uint8_t> write_head(const RankHead& head, const trace::Rank& rank) {
  StreamWriter stream;
  transfer(stream, 0, head, rank);
  return stream.bytes();
}

bool read_head(std::span<const std::uint8_t> bytes, std::uint64_t body, RankHead& head, trace::Rank& rank) {
  StreamReader stream(bytes);
  transfer(stream, body, head, rank);
  if (!stream.ok() || stream.left() != 0) return false;
  std::uint64_t slices = 0;
  rank.lane_start.push_back(0);
  for (const LaneHead& lane : head.lanes) {
    slices += head.rows[lane.row].size;
    if (slices >= kMostIndex) return false;
    rank.lane_start.push_back(static_cast<trace::SliceOrdinal>(slices));
  }
  std::uint32_t lanes = 0;
  for (trace::Track& track : rank.tracks) {
    track.first_lane = lanes;
    lanes += track.lane_count;
  }
  return true;
}

}  // namespace warpscope::store
