// node, rank, track, step and launch: the structure of the job, part by part of the profile.
#include <algorithm>

#include "core/analysis/slices/launch_latency.hpp"
#include "core/sql/part_table.hpp"
#include "core/sql/tables.hpp"
#include "core/trace/file_time.hpp"

namespace warpscope::sql {

namespace {

using enum FieldType;

class Nodes : public PlainTable<Nodes> {
 public:
  using PlainTable::PlainTable;
  [[nodiscard]] std::size_t count() const { return profile().nodes.size(); }
  [[nodiscard]] const trace::Node& at(Place at) const { return profile().nodes[at.row]; }
};

constexpr PartField<Nodes> kNodeColumns[]{
    {"node", text, [](const Nodes& t, Place at) -> Cell { return t.at(at).label; }, "Label, such as algo-1"},
    {"host", text,
     [](const Nodes& t, Place at) -> Cell { return t.at(at).host.empty() ? Cell() : Cell(t.at(at).host); },
     "Host name"},
    {"ranks", integer, [](const Nodes& t, Place at) -> Cell { return t.at(at).ranks.size(); }, "Number of ranks"},
    {"gpus", integer, [](const Nodes& t, Place at) -> Cell { return t.at(at).gpus; }, "GPUs with activity"},
};

class Ranks : public PlainTable<Ranks> {
 public:
  using PlainTable::PlainTable;
  [[nodiscard]] std::size_t count() const { return profile().ranks.size(); }
  [[nodiscard]] const trace::Rank& at(Place at) const { return rank(at.row); }
  [[nodiscard]] Cell node(Place at) const { return profile().nodes[profile().node_of_rank[at.row]].label; }
  [[nodiscard]] Cell start_in_file(Place at) const {
    const trace::Rank& rank = this->at(at);
    if (rank.span.empty()) return {};
    return saturating_difference(saturating_difference(rank.span.begin, rank.clock_shift), trace::file_zero(rank));
  }
};

constexpr PartField<Ranks> kRankColumns[]{
    {"rank", integer, [](const Ranks& t, Place at) -> Cell { return t.at(at).number; }, "Rank"},
    {"node", text, [](const Ranks& t, Place at) { return t.node(at); }, "Node it runs on: node.node"},
    {"process", integer, [](const Ranks& t, Place at) -> Cell { return t.at(at).process; }, "Process ID on the host"},
    {"world_size", integer,
     [](const Ranks& t, Place at) -> Cell { return t.at(at).world_size > 0 ? Cell(t.at(at).world_size) : Cell(); },
     "Number of ranks of the job, if recorded"},
    {"gpus", integer, [](const Ranks& t, Place at) -> Cell { return t.at(at).devices.size(); },
     "Devices with activity"},
    {"start", integer,
     [](const Ranks& t, Place at) { return t.at(at).span.empty() ? Cell() : t.since_start(t.at(at).span.begin); },
     "Start of its first slice, since the start of the profile", "ns"},
    {"dur", integer,
     [](const Ranks& t, Place at) -> Cell { return t.at(at).span.empty() ? Cell() : Cell(t.at(at).span.length()); },
     "From its first slice to the end of its last", "ns"},
    {"events", integer, [](const Ranks& t, Place at) -> Cell { return t.at(at).counts.events; }, "Events in its file"},
    {"slices", integer, [](const Ranks& t, Place at) -> Cell { return t.at(at).counts.slices; }, "Slices"},
    {"gpu_activities", integer, [](const Ranks& t, Place at) -> Cell { return t.at(at).counts.runs; },
     "Kernels, memcpys and memsets"},
    {"launches", integer, [](const Ranks& t, Place at) -> Cell { return t.at(at).counts.launches; },
     "Host calls that launched GPU activity"},
    {"clock_shift_ns", integer, [](const Ranks& t, Place at) -> Cell { return t.at(at).clock_shift; },
     "Added to its times to align the clocks of ranks", "ns"},
    {"file_start_ns", integer, [](const Ranks& t, Place at) { return t.start_in_file(at); },
     "Start of its first slice on the clock of its file: the `ts` there", "ns"},
    {"file", text, [](const Ranks& t, Place at) -> Cell { return t.at(at).source.path; }, "Path of its trace"},
};

/// Tables whose parts are ranks, with the condition rank = N. `id` is the rank's index · 2^32 + the row.
template <class Derived>
class OfRanks : public PlainTable<Derived> {
 public:
  using PlainTable<Derived>::PlainTable;
  using PlainTable<Derived>::rank;
  using PlainTable<Derived>::profile;

  struct Search {
    IndexRange ranks{};
    Bounds id{};
  };
  [[nodiscard]] Search search(const Query& query) const {
    const Bounds& number = query.bounds[Derived::kRank];
    Search found{ranks_numbered(profile(), number.least, number.most), query.bounds.front()};
    if (!found.id.any()) return found;
    // A condition on the first column is an equality with a row's number.
    const std::int64_t part = found.id.least >> 32;
    const bool within = found.id.least == found.id.most && found.ranks.first <= part && part < found.ranks.last;
    found.ranks =
        within ? IndexRange{static_cast<std::uint32_t>(part), static_cast<std::uint32_t>(part) + 1} : IndexRange{};
    return found;
  }
  [[nodiscard]] IndexRange parts(const Search& search) const { return search.ranks; }
  [[nodiscard]] IndexRange rows(std::uint32_t part, const Search& search) const {
    const auto count = static_cast<std::uint32_t>(self().count_of(rank(part)));
    if (!search.id.any()) return {0, count};
    const auto row = static_cast<std::uint32_t>(search.id.least);
    return row < count ? IndexRange{row, row + 1} : IndexRange{};
  }
  [[nodiscard]] double size() const {
    double sum = 0;
    for (const auto& each : profile().ranks) sum += static_cast<double>(self().count_of(*each));
    return sum;
  }
  [[nodiscard]] Estimate estimate(const Plan& plan, const std::vector<Field>& fields) const {
    return usual_estimate(plan, fields, size());
  }

 private:
  [[nodiscard]] const Derived& self() const { return static_cast<const Derived&>(*this); }
};

class Tracks : public OfRanks<Tracks> {
 public:
  using OfRanks::OfRanks;
  static constexpr std::uint32_t kRank = 1;
  [[nodiscard]] std::size_t count_of(const trace::Rank& of) const { return of.tracks.size(); }
  [[nodiscard]] const trace::Track& at(Place at) const { return rank(at.part).tracks[at.row]; }
  [[nodiscard]] Cell slices(Place place) const {
    const trace::Rank& of = rank(place.part);
    const trace::Track& own = at(place);
    std::uint64_t sum = 0;
    for (std::uint32_t l = own.first_lane; l < own.first_lane + own.lane_count; ++l)
      if (of.rows_of(l) != trace::LaneKind::instant) sum += of.lanes[l].size();
    return sum;
  }
  [[nodiscard]] Cell device(Place place) const {
    const std::int32_t device = at(place).device;
    return device < 0 ? Cell() : Cell(rank(place.part).devices[static_cast<std::size_t>(device)].id);
  }
};

std::string_view word_of(trace::TrackKind kind) {
  return kind == trace::TrackKind::stream ? "stream" : kind == trace::TrackKind::thread ? "thread" : "async";
}

constexpr PartField<Tracks> kTrackColumns[]{
    {"id", integer, [](const Tracks& t, Place at) -> Cell { return t.id(at); }, "Number of the track", "", Key::equal,
     1e4},
    {"rank", integer, [](const Tracks& t, Place at) -> Cell { return t.rank(at.part).number; }, "Rank", "", Key::range},
    {"kind", text, [](const Tracks& t, Place at) -> Cell { return word_of(t.at(at).kind); }, "stream, thread or async"},
    {"name", text, [](const Tracks& t, Place at) -> Cell { return t.at(at).label; }, "Label, such as stream 7"},
    {"process", integer, [](const Tracks& t, Place at) -> Cell { return t.at(at).process; },
     "Process ID; of a stream: its device"},
    {"number", integer, [](const Tracks& t, Place at) -> Cell { return t.at(at).id; }, "Thread ID or stream"},
    {"device", integer, [](const Tracks& t, Place at) { return t.device(at); },
     "Device of a stream, or that a thread launches to"},
    {"lanes", integer, [](const Tracks& t, Place at) -> Cell { return t.at(at).lane_count; }, "Rows of slices"},
    {"slices", integer, [](const Tracks& t, Place at) { return t.slices(at); }, "Slices"},
    {"launches", integer, [](const Tracks& t, Place at) -> Cell { return t.at(at).launches; },
     "Host calls on it that launched GPU activity"},
    {"communication", integer, [](const Tracks& t, Place at) -> Cell { return t.at(at).communication ? 1 : 0; },
     "1 if it is busy mostly with communication"},
};

class Steps : public OfRanks<Steps> {
 public:
  using OfRanks::OfRanks;
  static constexpr std::uint32_t kRank = 1;
  [[nodiscard]] std::size_t count_of(const trace::Rank& of) const { return of.steps.size(); }
  [[nodiscard]] const trace::Step& at(Place at) const { return rank(at.part).steps[at.row]; }
  [[nodiscard]] std::string_view name(Place place) const { return profile().names().view(at(place).name); }
};

constexpr PartField<Steps> kStepColumns[]{
    {"id", integer,
     [](const Steps& t, Place at) -> Cell {
       return slice_id({at.part, t.at(at).slice});
     },
     "The step's annotation on the host: slice.id"},
    {"rank", integer, [](const Steps& t, Place at) -> Cell { return t.rank(at.part).number; }, "Rank", "", Key::range},
    {"name", text, [](const Steps& t, Place at) -> Cell { return t.name(at); }, "Name, such as ProfilerStep#7"},
    {"start", integer, [](const Steps& t, Place at) { return t.since_start(t.at(at).time.begin); },
     "Start on the host, since the start of the profile", "ns"},
    {"dur", integer, [](const Steps& t, Place at) -> Cell { return t.at(at).time.length(); }, "Duration on the host",
     "ns"},
};

class Launches : public OfRanks<Launches> {
 public:
  using OfRanks::OfRanks;
  enum : std::uint32_t { kLaunch, kActivity, kRank };

  struct Search {
    IndexRange ranks{};
    Bounds launch{};
    Bounds activity{};
  };
  [[nodiscard]] Search search(const Query& query) const {
    const Bounds& number = query.bounds[kRank];
    Search found{ranks_numbered(profile(), number.least, number.most), query.bounds[kLaunch], query.bounds[kActivity]};
    for (const Bounds& bounds : {found.launch, found.activity}) {
      if (!bounds.any()) continue;
      const auto slice = bounds.least == bounds.most ? slice_of(profile(), bounds.least) : std::nullopt;
      if (!slice || slice->rank < found.ranks.first || slice->rank >= found.ranks.last)
        found.ranks = {};
      else
        found.ranks = {slice->rank, slice->rank + 1};
    }
    return found;
  }
  [[nodiscard]] IndexRange parts(const Search& search) const { return search.ranks; }
  [[nodiscard]] IndexRange rows(std::uint32_t part, const Search& search) const {
    const trace::Connections& pairs = rank(part).launches;
    const auto all = pairs.all();
    const auto position = [&](const trace::Connection* pair) { return static_cast<std::uint32_t>(pair - all.data()); };
    if (search.activity.any()) {
      const trace::Connection* pair = pairs.cause_of(static_cast<trace::SliceOrdinal>(search.activity.least));
      const bool same = pair != nullptr && search.launch.contains(slice_id({part, pair->from}));
      return same ? IndexRange{position(pair), position(pair) + 1} : IndexRange{};
    }
    if (!search.launch.any()) return {0, static_cast<std::uint32_t>(all.size())};
    const auto own = pairs.caused_by(static_cast<trace::SliceOrdinal>(search.launch.least));
    return own.empty() ? IndexRange{} : IndexRange{position(own.data()), position(own.data() + own.size())};
  }
  [[nodiscard]] std::size_t count_of(const trace::Rank& of) const { return of.launches.size(); }
  [[nodiscard]] const trace::Connection& at(Place at) const { return rank(at.part).launches.all()[at.row]; }
  [[nodiscard]] Interval call(Place place) const {
    const trace::Rank& of = rank(place.part);
    const trace::SliceOrdinal from = at(place).from;
    return {of.begin(from), saturating_add(of.begin(from), of.duration(from))};
  }
  [[nodiscard]] analysis::LaunchLatency latency(Place place) const {
    return analysis::launch_latency(call(place), rank(place.part).begin(at(place).to));
  }
};

constexpr PartField<Launches> kLaunchColumns[]{
    {"launch", integer,
     [](const Launches& t, Place at) -> Cell {
       return slice_id({at.part, t.at(at).from});
     },
     "The host call: slice.id", "", Key::equal, 1e5},
    {"activity", integer,
     [](const Launches& t, Place at) -> Cell {
       return slice_id({at.part, t.at(at).to});
     },
     "What it launched: gpu_activity.id, or a node of a CUDA graph in slice", "", Key::equal, 1e6},
    {"rank", integer, [](const Launches& t, Place at) -> Cell { return t.rank(at.part).number; }, "Rank", "",
     Key::range},
    {"name", text,
     [](const Launches& t, Place at) -> Cell { return t.profile().names().view(t.rank(at.part).name(t.at(at).from)); },
     "Name of the host call"},
    {"start", integer, [](const Launches& t, Place at) { return t.since_start(t.call(at).begin); },
     "Start of the call, since the start of the profile", "ns"},
    {"dur", integer, [](const Launches& t, Place at) -> Cell { return t.call(at).length(); }, "Duration of the call",
     "ns"},
    {"latency_from_start_ns", integer, [](const Launches& t, Place at) -> Cell { return t.latency(at).from_start; },
     "API start to kernel start", "ns"},
    {"latency_from_end_ns", integer, [](const Launches& t, Place at) -> Cell { return t.latency(at).from_end; },
     "API end to kernel start", "ns"},
};

}  // namespace

std::unique_ptr<Relation> tables::node(Context& context) {
  return relation_of<Nodes>("node", "Hosts.", context, kNodeColumns);
}
std::unique_ptr<Relation> tables::rank(Context& context) {
  return relation_of<Ranks>("rank", "Ranks: one per trace. Traces of several recordings may have the same rank.",
                            context, kRankColumns);
}
std::unique_ptr<Relation> tables::track(Context& context) {
  return relation_of<Tracks>("track", "Threads and streams.", context, kTrackColumns);
}
std::unique_ptr<Relation> tables::step(Context& context) {
  return relation_of<Steps>("step", "Training steps, rank by rank.", context, kStepColumns);
}
std::unique_ptr<Relation> tables::launch(Context& context) {
  return relation_of<Launches>("launch", "Pairs of a host call and what it launched on a GPU.", context,
                               kLaunchColumns);
}

}  // namespace warpscope::sql
