// slice, gpu_activity and annotation: slices in their lanes, with different columns.
#include <algorithm>

#include "core/analysis/request/samples.hpp"
#include "core/analysis/slices/launch_latency.hpp"
#include "core/sql/lane_table.hpp"
#include "core/sql/tables.hpp"
#include "core/trace/annotation_family.hpp"

namespace warpscope::sql {

namespace {

using trace::Role;
using Slices = LaneTable;

const trace::Rank& rank_of(const Slices& table, Place at) { return *table.lane(at).rank; }
const trace::Track& track_of(const Slices& table, Place at) { return rank_of(table, at).tracks[table.lane(at).track]; }
Ns start_of(const Slices& table, Place at) { return table.lane(at).lane->time().begin(at.row); }

Cell step_name(const Slices& table, Place at) {
  const trace::Rank& rank = rank_of(table, at);
  if (rank.steps.empty()) return {};
  const Slices::Launch& launch = table.launch(at);
  const auto step = analysis::step_at(rank, launch.connection != nullptr ? launch.call.begin : start_of(table, at));
  return step ? Cell(table.name_of(rank.steps[*step].name)) : Cell();
}

Cell latency(const Slices& table, Place at, Ns analysis::LaunchLatency::*which) {
  const Slices::Launch& launch = table.launch(at);
  if (launch.connection == nullptr) return {};
  return analysis::launch_latency(launch.call, start_of(table, at)).*which;
}

/// Returns the innermost annotation of a track at a time; nullopt if there is none.
std::optional<NameId> annotation_at(const Slices& table, const trace::Rank& rank, const trace::Track& track, Ns time) {
  for (std::uint32_t l = track.first_lane + track.lane_count; l-- > track.first_lane;) {
    const trace::Lane& lane = rank.lanes[l];
    if (lane.folded() || lane.kind() == trace::LaneKind::damaged) continue;
    const std::uint32_t i = lane.tree().at(time);
    if (i == trace::IntervalTree::kNone) continue;
    const Role role = table.context().roles()[lane.category(i)];
    if (role == Role::annotation || role == Role::gpu_annotation) return lane.name(i);
  }
  return std::nullopt;
}

/// The annotation on the device or, without one, around the launch.
Cell annotation_of(const Slices& table, Place at) {
  const trace::Rank& rank = rank_of(table, at);
  auto name = annotation_at(table, rank, track_of(table, at), start_of(table, at));
  if (!name) {
    const Slices::Launch& launch = table.launch(at);
    if (launch.connection == nullptr) return {};
    const trace::Track& host = rank.tracks[rank.track_of_lane(launch.place.lane)];
    name = annotation_at(table, rank, host, launch.call.begin);
  }
  return name ? Cell(table.name_of(*name)) : Cell();
}

/// Returns the columns of a table of slices, the common ones first.
std::vector<PartField<Slices>> with_common(std::initializer_list<PartField<Slices>> more) {
  using enum FieldType;
  std::vector<PartField<Slices>> all{
      {"id", integer, [](const Slices& t, Place at) -> Cell { return t.id(at); },
       "Number of the slice: index of its rank · 2^32 + ordinal. Stable for a profile", "", Key::equal, 1e6},
      {"rank", integer, [](const Slices& t, Place at) -> Cell { return rank_of(t, at).number; }, "Rank", "",
       Key::range},
      {"track", integer,
       [](const Slices& t, Place at) -> Cell {
         return slice_id({t.lane(at).rank_index, t.lane(at).track});
       },
       "Thread or stream: track.id", "", Key::equal},
      {"lane", integer, [](const Slices& t, Place at) -> Cell { return t.lane(at).lane_index; },
       "Row in the Timeline, within its rank"},
      {"depth", integer, [](const Slices& t, Place at) -> Cell { return t.lane(at).lane->depth(); },
       "Row within its track; 0 is the top"},
      {"start", integer, [](const Slices& t, Place at) { return t.since_start(start_of(t, at)); },
       "Start, since the start of the profile", "ns", Key::range},
      {"dur", integer, [](const Slices& t, Place at) -> Cell { return t.lane(at).lane->time().duration(at.row); },
       "Duration, as recorded", "ns"},
      {"end", integer, [](const Slices& t, Place at) { return t.since_start(t.lane(at).lane->time().end(at.row)); },
       "End, since the start of the profile", "ns", Key::range},
      {"name", text, [](const Slices& t, Place at) -> Cell { return t.name_of(t.lane(at).lane->name(at.row)); }, "Name",
       "", Key::text},
      {"category", text,
       [](const Slices& t, Place at) -> Cell {
         return t.profile().categories().name(t.lane(at).lane->category(at.row));
       },
       "Category, as in the trace", "", Key::text},
      {"step", text, step_name, "Name of the step that contains the slice or, for GPU activity, its launch"}};
  all.insert(all.end(), more);
  return all;
}

std::unique_ptr<Relation> slice_relation(const char* name, const char* about, Context& context, LaneTable::Kind kind,
                                         std::span<const PartField<Slices>> columns) {
  auto relation = std::make_unique<PartRelation<Slices>>(name, about, columns, context, Slices(context, kind));
  const trace::Profile& profile = context.profile();
  double tracks = 0;
  for (const auto& rank : profile.ranks) tracks += static_cast<double>(rank->tracks.size());
  relation->fields[Slices::kTrack].distinct = std::max(1.0, tracks);
  relation->fields[Slices::kName].distinct = std::max(1.0, static_cast<double>(profile.names().size()));
  relation->fields[Slices::kCategory].distinct = 5;
  return relation;
}

}  // namespace

std::unique_ptr<Relation> tables::slice(Context& context) {
  static const auto kColumns = with_common({});
  return slice_relation(
      "slice", "All slices of all ranks, on hosts and GPUs, and spans of async tracks, which `info` does not count.",
      context, LaneTable::Kind::slices, kColumns);
}

std::unique_ptr<Relation> tables::gpu_activity(Context& context) {
  using enum FieldType;
  static const auto kColumns = with_common({
      {"device", integer,
       [](const Slices& t, Place at) -> Cell {
         const std::int32_t device = track_of(t, at).device;
         return device < 0 ? Cell() : Cell(rank_of(t, at).devices[static_cast<std::size_t>(device)].id);
       },
       "Device, as numbered by the trace"},
      {"stream", integer, [](const Slices& t, Place at) -> Cell { return track_of(t, at).id; }, "Stream"},
      {"class", text,
       [](const Slices& t, Place at) -> Cell {
         const LaneRef& lane = t.lane(at);
         return to_string(t.context().classes().of(lane.rank_index, lane.lane_index, at.row, t.role(at)));
       },
       "computation, communication or memory"},
      {"precision", text,
       [](const Slices& t, Place at) -> Cell {
         if (!trace::is_kernel(t.role(at))) return {};
         return to_string(t.context().precision_of(t.lane(at).lane->name(at.row)));
       },
       "Precision of a kernel, inferred from its name"},
      {"bytes", integer, [](const Slices& t, Place at) -> Cell { return rank_of(t, at).bytes(t.ref(at).slice); },
       "Bytes moved by a memcpy or memset, if recorded", "bytes"},
      {"launch", integer,
       [](const Slices& t, Place at) -> Cell {
         const trace::Connection* launch = t.launch(at).connection;
         return launch == nullptr ? Cell() : Cell(slice_id({t.lane(at).rank_index, launch->from}));
       },
       "Host call that launched it: slice.id"},
      {"latency_from_start_ns", integer,
       [](const Slices& t, Place at) { return latency(t, at, &analysis::LaunchLatency::from_start); },
       "Launch latency: API start to kernel start", "ns"},
      {"latency_from_end_ns", integer,
       [](const Slices& t, Place at) { return latency(t, at, &analysis::LaunchLatency::from_end); },
       "Launch latency: API end to kernel start", "ns"},
      {"annotation", text, annotation_of, "Innermost annotation on the device or, without one, around the launch"},
  });
  return slice_relation("gpu_activity", "Kernels, memcpys and memsets.", context, LaneTable::Kind::gpu_activity,
                        kColumns);
}

std::unique_ptr<Relation> tables::annotation(Context& context) {
  using enum FieldType;
  static const auto kColumns = with_common({
      {"family", text,
       [](const Slices& t, Place at) -> Cell {
         return trace::annotation_family(t.name_of(t.lane(at).lane->name(at.row)));
       },
       "Name without the trailing number"},
      {"side", text,
       [](const Slices& t, Place at) -> Cell {
         return to_string(t.role(at) == Role::gpu_annotation ? analysis::Side::gpu : analysis::Side::cpu);
       },
       "cpu, or gpu for the copies on the device"},
  });
  return slice_relation("annotation", "Annotations of the user and the framework, on hosts and GPUs.", context,
                        LaneTable::Kind::annotations, kColumns);
}

}  // namespace warpscope::sql
