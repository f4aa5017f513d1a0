#include "core/store/rank_head.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/store/diagnostics_stream.hpp"

namespace warpscope::store {

namespace {

class HeadReader {
 public:
  HeadReader(std::span<const std::uint8_t> bytes, std::uint64_t body, RankHead& head, trace::Rank& rank)
      : stream_(bytes), body_(body), head_(head), rank_(rank) {}

  bool read() {
    read_facts(stream_);
    for (SectionRef* ref : {&head_.strings, &head_.trees, &head_.near, &head_.counters, &head_.launches,
                            &head_.forward_backward, &head_.transfers})
      *ref = stream_.ref();
    head_.launch_count = stream_.number_to(std::numeric_limits<std::uint32_t>::max());
    head_.forward_backward_count = stream_.number_to(std::numeric_limits<std::uint32_t>::max());
    head_.transfer_count = stream_.number_to(std::numeric_limits<std::uint32_t>::max());
    return read_lanes(stream_) && read_tracks(stream_) && read_devices(stream_) && read_counters(stream_) &&
           read_steps(stream_) && stream_.left() == 0;
  }

 private:
  void read_facts(StreamReader& stream) {
    rank_.source.path = stream.string();
    rank_.source.size = stream.number();
    rank_.source.modified_ns = stream.signed_number();
    rank_.source.inode = stream.number();
    rank_.source.text_bytes = stream.number();
    rank_.number = stream.signed_number();
    rank_.world_size = stream.signed_number();
    rank_.number_assigned = stream.flag();
    rank_.host = stream.string();
    rank_.process = stream.signed_number();
    for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
      std::string key = stream.string();
      rank_.properties[std::move(key)] = stream.string();
    }
    for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
      std::string family = stream.string();
      rank_.annotations[std::move(family)] = stream.number();
    }
    rank_.counts.events = stream.number();
    rank_.counts.slices = stream.number();
    rank_.counts.runs = stream.number();
    rank_.counts.launches = stream.number();
    for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
      const std::uint64_t category = stream.number();
      head_.by_category.emplace_back(category, stream.number());
    }
    rank_.span.begin = stream.signed_number();
    rank_.span.end = stream.signed_number();
    rank_.diagnostics = read_diagnostics(stream);
  }

  bool read_row(StreamReader& stream, bool of_lane, bool has_sums, std::uint8_t families) {
    RowHead row;
    row.size = stream.index_to(std::numeric_limits<std::uint32_t>::max() - 1);
    row.near = stream.index_to(blocks_of(row.size));
    row.times = stream.ref();
    if (of_lane) row.labels = stream.ref();
    if (of_lane) row.offsets = stream.ref();
    row.of_lane = of_lane;
    row.has_sums = has_sums;
    row.families = families;
    if (row.size > 0 && row.near == 0) return false;
    // Rows must not share bytes, so the size of a rank's body limits how much can be loaded.
    for (const SectionRef& ref : {row.times, row.labels, row.offsets}) {
      stored_ += std::min(ref.stored, body_ + 1);
      if (stored_ > body_) return false;
    }
    head_.rows.push_back(std::move(row));
    return stream.ok() && head_.rows.size() <= kMostRows;
  }

  bool read_lanes(StreamReader& stream) {
    std::uint64_t slices = 0;
    rank_.lane_start.push_back(0);
    for (std::size_t left = stream.count(); left > 0; --left) {
      LaneHead lane;
      lane.kind = static_cast<trace::LaneKind>(stream.number_to(static_cast<std::uint64_t>(trace::LaneKind::damaged)));
      lane.depth = static_cast<std::uint16_t>(stream.number_to(std::numeric_limits<std::uint16_t>::max()));
      const std::uint8_t families = stream.byte();
      const std::uint8_t family_columns = stream.byte();
      const int slots = std::popcount(families);
      lane.row = head_.rows.size();
      const bool folded = lane.kind == trace::LaneKind::folded;
      if (slots == 0 || (folded && slots > 1) || !read_row(stream, true, !folded, families)) return false;
      if (slots == 1 ? family_columns != 0 : family_columns + 1 != slots && family_columns != slots) return false;
      head_.rows.back().family_columns = family_columns;
      if (folded && !read_row(stream, false, true, families)) return false;
      slices += head_.rows[lane.row].size;
      if (slices >= std::numeric_limits<std::uint32_t>::max()) return false;
      rank_.lane_start.push_back(static_cast<trace::SliceOrdinal>(slices));
      head_.lanes.push_back(lane);
    }
    return stream.ok();
  }

  bool read_tracks(StreamReader& stream) {
    std::uint64_t first_lane = 0;
    for (std::size_t left = stream.count(); left > 0; --left) {
      trace::Track track;
      track.kind = static_cast<trace::TrackKind>(stream.number_to(static_cast<std::uint64_t>(trace::TrackKind::async)));
      track.label = stream.string();
      track.process = stream.signed_number();
      track.id = stream.signed_number();
      track.first_lane = static_cast<std::uint32_t>(first_lane);
      track.lane_count = stream.index_to(static_cast<std::uint32_t>(head_.lanes.size()));
      track.launches = stream.number();
      const std::int64_t device = stream.signed_number();
      if (device < -1 || device > std::numeric_limits<std::int32_t>::max()) return false;
      track.device = static_cast<std::int32_t>(device);
      track.communication = stream.flag();
      first_lane += track.lane_count;
      if (!stream.ok() || first_lane > head_.lanes.size()) return false;
      rank_.tracks.push_back(std::move(track));
    }
    return stream.ok();
  }

  bool read_devices(StreamReader& stream) {
    for (std::size_t left = stream.count(); left > 0; --left) {
      trace::Device device;
      device.id = stream.signed_number();
      device.model = stream.string();
      for (std::size_t streams = stream.count(); streams > 0 && stream.ok(); --streams)
        device.streams.push_back(stream.index_to(static_cast<std::uint32_t>(rank_.tracks.size())));
      if (!read_row(stream, false, true, 1)) return false;
      rank_.devices.push_back(std::move(device));
    }
    return stream.ok();
  }

  bool read_steps(StreamReader& stream) {
    for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
      trace::Step step;
      step.name = stream.index_to(std::numeric_limits<std::uint32_t>::max());
      step.time.begin = stream.signed_number();
      step.time.end = stream.signed_number();
      step.slice = stream.index_to(std::numeric_limits<std::uint32_t>::max());
      rank_.steps.push_back(step);
    }
    return stream.ok();
  }

  bool read_counters(StreamReader& stream) {
    for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
      CounterHead counter;
      counter.name = stream.string();
      counter.unit = stream.string();
      counter.size = stream.number();
      head_.counter_heads.push_back(std::move(counter));
    }
    return stream.ok();
  }

  StreamReader stream_;
  std::uint64_t body_;
  RankHead& head_;
  trace::Rank& rank_;
  std::uint64_t stored_ = 0;
};

}  // namespace

bool read_head(std::span<const std::uint8_t> bytes, std::uint64_t body, RankHead& head, trace::Rank& rank) {
  return HeadReader(bytes, body, head, rank).read();
}

}  // namespace warpscope::store
