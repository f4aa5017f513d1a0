// Tables of HTA's critical path.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/analysis/critical_path/hta_path.hpp"
#include "core/analysis/critical_path/path_window.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {
namespace {

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
                 col::percent("of the stretch").csv("stretch_pctg").labeled("share of window"), col::integer("calls"),
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
    tables.bounds.add_row({rank, hta_name(static_cast<BoundBy>(b)), share_of(bounds[b].time, path.length),
                           bounds[b].time, bounds[b].links, share_of(bounds[b].time, stretch)});
  for (std::size_t k = 0; k < kEdgeKinds; ++k)
    if (kinds[k].links > 0)
      tables.kinds.add_row({rank, hta_name(static_cast<EdgeKind>(k)), kinds[k].links, kinds[k].time,
                            share_of(kinds[k].time, path.length)});
}

/// Adds the longest edges in path order. Returns true if all were added.
bool add_chain(Table& table, const trace::Profile& profile, const trace::Rank& rank, const CriticalPath& path,
               std::size_t most) {
  std::vector<std::size_t> told(path.links.size());
  for (std::size_t i = 0; i < told.size(); ++i) told[i] = i;
  if (most > 0 && most < told.size()) {
    std::ranges::nth_element(told, told.begin() + static_cast<std::ptrdiff_t>(most), {},
                             [&](std::size_t i) { return std::pair(-path.links[i].weight, i); });
    told.resize(most);
    std::ranges::sort(told);
  }
  const auto name_of = [&](trace::SliceOrdinal slice) {
    return hta_short_name(profile.names().view(rank.name(slice)));
  };
  for (const std::size_t i : told) {
    const CriticalLink& link = path.links[i];
    const Ns begin =
        saturating_add(rank.begin(link.from), link.from_begin ? 0 : std::max<Ns>(0, rank.duration(link.from)));
    const Ns since = saturating_difference(begin, profile.span.begin);
    const trace::Track* track = nullptr;
    if (link.slice) track = &rank.tracks[rank.track_of_lane(rank.locate(*link.slice).lane)];
    const bool on_stream = track != nullptr && track->kind == trace::TrackKind::stream;
    table.add_row({rank.number, i, since, link.weight, hta_name(link.kind), hta_name(link.bound),
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
  void add(const CriticalPath& path) {
    back_ += path.back;
    if (!path.links.empty() && path.length > path.window.length())
      add("The path is longer than the range because GPU activity launched in the range continues past its end.");
    if (path.runs == 0) add("No GPU activity was launched in this range, or the trace has no launch records.");
  }
  [[nodiscard]] std::string joined(std::size_t ranks) const {
    std::string all;
    for (const auto& [text, count] : notes_)
      all = joined_notes({all, count == ranks ? text : fmt::format("{} ({} of {} ranks.)", text, count, ranks)});
    if (back_ == 0) return all;
    return joined_notes({all, fmt::format("Negative delays between host and device or on a stream count as 0: {}.",
                                          format_count(static_cast<std::int64_t>(back_)))});
  }

 private:
  std::vector<std::pair<std::string, std::size_t>> notes_;
  std::uint64_t back_ = 0;
};

/// HTA leaves out the last step.
Interval window_of_hta(const trace::Rank& rank, Interval window, const HtaSteps& steps, bool rounding) {
  if (const auto last = steps.last_begin(rank)) window.end = std::min(window.end, saturating_add(*last, -1));
  return rounding ? hta_rounded(window) : window;
}

}  // namespace

Result<std::vector<Table>> hta_path_tables(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const KernelClasses::Choice classes = KernelClasses::choice(input.values);
  const auto most = static_cast<std::size_t>(input.values.integer("rows"));
  const HtaSteps steps(profile);
  Tables tables;
  RankNotes notes;
  bool all_told = true;
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
    const CriticalPath path =
        find_hta_path(profile, r, window_of_hta(rank, window.time, steps, classes.rounding),
                      {classes, input.values.text("data_load_events"), input.shared}, input.cancel);
    if (cancelled(input.cancel)) break;
    if (!path.reason.empty()) {
      notes.add(path.reason);
      continue;
    }
    const Ns stretch = saturating_difference(window.time.end, window.time.begin);
    tables.lengths.add_row({rank.number, window.name, saturating_difference(window.time.begin, profile.span.begin),
                            stretch, path.length, share_of(path.length, stretch), path.calls, path.runs,
                            path.links.size()});
    add_sums(tables, rank.number, path, stretch);
    all_told &= add_chain(tables.chain, profile, rank, path, most);
    notes.add(path);
  }
  const std::string rest = all_told ? ""
                                    : fmt::format("Shows the {} longest edges per rank; rows=0 shows all.",
                                                  format_count(static_cast<std::int64_t>(most)));
  const std::string joined = ranks.empty() ? "No rank selected." : notes.joined(ranks.size());
  tables.bounds.note = tables.lengths.note = joined;
  tables.kinds.note = tables.kinds.rows() == 0 ? joined : std::string();
  tables.chain.note = joined_notes({tables.chain.rows() == 0 ? joined : std::string(), rest});
  std::vector<Table> result;
  for (Table* each : {&tables.bounds, &tables.lengths, &tables.kinds, &tables.chain})
    result.push_back(std::move(*each));
  return result;
}

}  // namespace warpscope::analysis
