// critical_path: the longest chain of dependent calls, launches, GPU activity and waits in a step, an annotation or a
// time range, and its length if some parts took more or less time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "core/analysis/critical_path/critical_path.hpp"
#include "core/analysis/critical_path/path_choice.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::critical_path {
namespace {

constexpr std::array kParameters{
    text_parameter("annotation",
                   "annotation or call to analyze, by part of its name; if empty, the selected range or, without a "
                   "range, a step"),
    integer_parameter("instance", "0-based instance of the annotation or step", "0"),
    text_parameter("data_load_events", "comma-separated names of data-loading calls; * matches anything"),
    text_parameter("scale",
                   "what if: time factors, such as compute=0.5, for cpu, data_loading, compute, communication, memory, "
                   "launch and gap"),
    text_parameter("without",
                   "what if: comma-separated edge types to remove (operator, dependency, launch, kernel, sync)"),
    integer_parameter("rows", "number of edges to list per rank, longest first; 0 for all", "1000"),
    kHtaParameter,
    kRoundingParameter,
    kKernelClassParameter};

struct Tables {
  Table bounds{"critical-path",
               "Critical path",
               {col::rank, col::bound, Column(col::share).csv("duration"),
                Column("time", col::total).csv("time(us)", 1000), col::integer("links").labeled("edges"),
                col::percent("of the stretch").csv("stretch_pctg").labeled("share of window")}};
  Table lengths{"critical-path-length",
                "Critical path length",
                {col::rank, col::window, col::begin().csv("ts", 1000), col::us(col::duration, "dur"),
                 col::us(col::ns("path"), "path(us)"),
                 col::percent("of the stretch").csv("stretch_pctg").labeled("share of window"),
                 col::us(col::ns("what if"), "what_if(us)"),
                 col::percent("of the path").csv("what_if_pctg").labeled("share of path"), col::integer("calls"),
                 col::integer("runs").labeled("GPU activity"), col::integer("links").labeled("edges")}};
  Table kinds{"critical-path-edges",
              "Critical path by edge type",
              {col::rank, Column(col::kind).csv("type"), col::integer("links").labeled("edges"),
               Column("time", col::total).csv("duration", 1000), Column(col::share).csv("share_pctg")}};
  Table chain{"critical-path-chain",
              "Critical path edges",
              {col::rank, Column("link", col::edge).labeled("edge"), col::begin().csv("ts", 1000),
               Column("time", col::total).csv("duration", 1000), Column(col::kind).csv("type"), col::bound,
               Column(col::name).csv("s_name"), col::id("process").csv("pid"), col::id("thread").csv("tid"),
               col::stream, col::id("slice").csv("index"), col::id("from"), col::id("to")}};
};

struct Sum {
  std::uint64_t links = 0;
  Ns time = 0;
  void add(Ns more) {
    ++links;
    time = saturating_add(time, more);
  }
};

/// `stretch`: length of the analyzed window, in ns.
void add_sums(Tables& tables, std::int64_t rank, const CriticalPath& path, Ns stretch) {
  std::array<Sum, kBounds> bounds{};
  std::array<Sum, kEdgeKinds> kinds{};
  for (const CriticalLink& link : path.links) {
    bounds[static_cast<std::size_t>(link.bound)].add(link.weight);
    kinds[static_cast<std::size_t>(link.kind)].add(link.weight);
  }
  std::vector<std::size_t> order;
  for (std::size_t b = 0; b < static_cast<std::size_t>(BoundBy::nothing); ++b)
    if (bounds[b].links > 0) order.push_back(b);
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t b) { return bounds[b].time; });
  for (const std::size_t b : order)
    tables.bounds.add_row({rank, Cell(hta_name(static_cast<BoundBy>(b)), static_cast<BoundBy>(b)),
                           share_of(bounds[b].time, path.length), bounds[b].time, bounds[b].links,
                           share_of(bounds[b].time, stretch)});
  for (std::size_t k = 0; k < kEdgeKinds; ++k)
    if (kinds[k].links > 0)
      tables.kinds.add_row({rank, hta_name(static_cast<EdgeKind>(k)), kinds[k].links, kinds[k].time,
                            share_of(kinds[k].time, path.length)});
}

/// Adds the longest edges in path order. Returns true if all were added.
bool add_chain(Table& table, const trace::Profile& profile, const trace::Rank& rank, const CriticalPath& path,
               std::size_t most, bool hta) {
  std::vector<std::size_t> told(path.links.size());
  for (std::size_t i = 0; i < told.size(); ++i) told[i] = i;
  if (most > 0 && most < told.size()) {
    std::ranges::nth_element(told, told.begin() + static_cast<std::ptrdiff_t>(most), {},
                             [&](std::size_t i) { return std::pair(-path.links[i].weight, i); });
    told.resize(most);
    std::ranges::sort(told);
  }
  const auto name_of = [&](trace::SliceOrdinal slice) {
    const std::string_view name = profile.names().view(rank.name(slice));
    return hta ? hta_short_name(name) : std::string(name);
  };
  for (const std::size_t i : told) {
    const CriticalLink& link = path.links[i];
    const Ns begin =
        saturating_add(rank.begin(link.from), link.from_begin ? 0 : std::max<Ns>(0, rank.duration(link.from)));
    const Ns since = saturating_difference(begin, profile.span.begin);
    const trace::Track* track = nullptr;
    if (link.slice) track = &rank.tracks[rank.track_of_lane(rank.locate(*link.slice).lane)];
    const bool on_stream = track != nullptr && track->kind == trace::TrackKind::stream;
    table.add_row({rank.number, i, since, link.weight, hta_name(link.kind), Cell(hta_name(link.bound), link.bound),
                   link.slice ? Cell(name_of(*link.slice), *link.slice) : Cell(),
                   track == nullptr ? Cell() : Cell(track->process), track == nullptr ? Cell() : Cell(track->id),
                   on_stream ? Cell(track->id) : Cell(), Cell(link.slice), link.from, link.to});
  }
  return told.size() == path.links.size();
}

/// Collects notes about ranks. Lists each note once, with the number of ranks it applies to.
class RankNotes {
 public:
  void add(std::string_view text) {
    if (text.empty()) return;
    const auto known = std::ranges::find(notes_, text, &std::pair<std::string, std::size_t>::first);
    if (known == notes_.end())
      notes_.emplace_back(text, 1);
    else
      ++known->second;
  }
  /// Adds the assumptions made for a path.
  void add(const CriticalPath& path, bool hta, bool of_pytorch) {
    back_ += path.back;
    if (!path.links.empty() && path.length > path.window.length())
      add("The path is longer than the range because GPU activity launched in the range continues past its end.");
    if (path.runs == 0)
      add("No GPU activity was launched in this range, or the trace has no launch records.");
    else if (!path.waits_recorded)
      add(hta ? "The trace has no waits (cuda_sync), so the path rarely leaves the host."
              : joined_notes({"The trace has no waits (cuda_sync), so blocking calls are assumed to wait for the GPU "
                              "activity that ends during them.",
                              of_pytorch ? "To record waits, use enable_cuda_sync_events." : ""}));
  }
  [[nodiscard]] std::string joined(std::size_t ranks) const {
    std::string all;
    for (const auto& [text, count] : notes_)
      all = joined_notes({all, count == ranks ? text : fmt::format("{} ({} of {} ranks.)", text, count, ranks)});
    if (back_ == 0) return all;
    return joined_notes(
        {all, fmt::format("{} delays between host and device or on a stream are negative and count as 0.",
                          format_count(static_cast<std::int64_t>(back_)))});
  }

 private:
  std::vector<std::pair<std::string, std::size_t>> notes_;
  std::uint64_t back_ = 0;
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const KernelClasses::Choice classes = KernelClasses::choice(input.values);
  const auto what_if = parse_what_if(input.values.text("scale"), input.values.text("without"));
  if (!what_if) return what_if.error();
  const bool asks = !(*what_if == WhatIf{});
  const auto most = static_cast<std::size_t>(input.values.integer("rows"));
  std::optional<HtaSteps> steps;
  if (classes.hta) steps.emplace(profile);

  Tables tables;
  RankNotes notes;
  bool all_told = true;
  std::set<std::string> of;  // names of the analyzed windows
  const std::vector<std::uint32_t> ranks = ranks_in(profile, input.scope);
  for (const std::uint32_t r : ranks) {
    const trace::Rank& rank = *profile.ranks[r];
    PathWindow window = path_window(profile, r, input.values.text("annotation"),
                                    static_cast<std::uint64_t>(input.values.integer("instance")), input.scope.range);
    if (cancelled(input.cancel)) break;
    if (!window.reason.empty()) {
      notes.add(window.reason);
      continue;
    }
    const Interval counted = looked_at(rank, window.time, steps ? &*steps : nullptr, classes.rounding);
    const CriticalPathFinder finder(profile, r, counted, {classes, input.values.text("data_load_events"), input.shared},
                                    input.cancel);
    if (cancelled(input.cancel)) break;
    const CriticalPath path = finder.path();
    if (!path.reason.empty()) {
      notes.add(path.reason);
      continue;
    }
    const std::optional<CriticalPath> other = asks ? std::optional(finder.path(*what_if)) : std::nullopt;
    const CriticalPath& shown = other ? *other : path;
    const Ns stretch = saturating_difference(window.time.end, window.time.begin);
    tables.lengths.add_row({rank.number, window.name, saturating_difference(window.time.begin, profile.span.begin),
                            stretch, path.length, share_of(path.length, stretch), other ? Cell(other->length) : Cell(),
                            other ? share_of(other->length, path.length) : Cell(), path.calls, path.runs,
                            shown.links.size()});
    of.insert(window.name);
    add_sums(tables, rank.number, shown, stretch);
    all_told &= add_chain(tables.chain, profile, rank, shown, most, classes.hta);
    notes.add(path, classes.hta, of_pytorch(profile, {{r}, {}}));
  }
  const std::string of_path = asks ? "Shows the what-if path; the length table shows the actual length." : "";
  const std::string rest = all_told ? ""
                                    : fmt::format("Shows the {} longest edges per rank; rows=0 shows all.",
                                                  format_count(static_cast<std::int64_t>(most)));
  const std::string joined = ranks.empty() ? "No rank selected." : notes.joined(ranks.size());
  if (of.size() == 1 && (input.values.text("annotation") != "" || !input.scope.range) && *of.begin() != kWholeWindow)
    tables.bounds.title += " of " + *of.begin();
  tables.bounds.note = joined_notes({joined, of_path});
  tables.lengths.note = joined;
  tables.kinds.note = joined_notes({tables.kinds.rows() == 0 ? joined : std::string(), of_path});
  tables.chain.note = joined_notes({tables.chain.rows() == 0 ? joined : std::string(), of_path, rest});
  std::vector<Table> result;
  for (Table* each : {&tables.bounds, &tables.lengths, &tables.kinds, &tables.chain})
    result.push_back(std::move(*each));
  return result;
}

constexpr std::array kCharts{ChartSpec{.table = "critical-path",
                                       .kind = ChartKind::rows,
                                       .title = "Time on the critical path by bottleneck",
                                       .x = ColumnRole::bound,
                                       .y = ColumnRole::total}};

}  // namespace

extern const Analysis kAnalysis{
    .name = "critical_path",
    .title = "Critical path",
    .about =
        "The longest chain of dependent calls, launches, GPU activity and waits in a step, annotation or range: its "
        "bottlenecks, and its length if parts took more or less time. Time between two top-level operators of a thread "
        "counts as zero, so the path can be shorter than the range. Percentages are relative to the path unless the "
        "column name says otherwise.",
    .parameters = kParameters,
    .run = run,
    .charts = kCharts,
    .still_ours =
        "All kernels of a graph can be on the path. HTA keeps only the last one, so its path stays on the host. If "
        "waits are not recorded, HTA counts a stream's wait for another stream as launch delay. Triton operators with "
        "a stream argument are host calls, not GPU activity."};

}  // namespace warpscope::analysis::registered::critical_path
