// critical_path: the dependency chain that determines how long the scope takes, by rank and kind, and its segments.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/analysis/critical_path/hta_path.hpp"
#include "core/analysis/critical_path/path_window.hpp"
#include "core/analysis/critical_path/job_path.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::critical_path {

namespace {

constexpr std::string_view kRows = "rows";
constexpr std::array kParameters{
    text_parameter("annotation",
                   "annotation or call to analyze, by part of its name; if empty, the selected range or the evaluated "
                   "steps (with hta, a step)"),
    integer_parameter("instance", "0-based instance of the annotation", "0"),
    integer_parameter(kRows, "number of segments to list, longest first; 0 for all", "1000"),
    kClocksParameter,
    kHtaParameter,
    kRoundingParameter,
    text_parameter("data_load_events", "with hta: comma-separated names of data-loading calls; * matches anything"),
    kKernelClassParameter};

Table sums_table(const trace::Profile& profile, const JobPath& path) {
  Table table("critical-path", "Critical path",
              {{"rank", "", ColumnRole::rank},
               {"class", "", ColumnRole::path_part},
               {"time", "", ColumnRole::total},
               {"share", "", ColumnRole::share},
               {"segments", "", ColumnKind::integer}});
  std::map<std::pair<std::uint32_t, TimeLabel>, std::uint64_t> counts;
  for (const JobPathSegment& segment : path.segments) ++counts[{segment.rank, segment.what}];
  const JobPath::Sums sums = path.sums();
  std::vector<std::pair<Ns, std::uint32_t>> order;  // ranks by time
  for (const auto& [rank, kinds] : sums) {
    Ns time = 0;
    for (const Ns each : kinds) time += each;
    order.emplace_back(-time, rank);
  }
  std::ranges::sort(order);
  for (const auto& [time, rank] : order) {
    const auto& kinds = sums.at(rank);
    std::array<std::size_t, kTimeLabels> by_time{};
    for (std::size_t k = 0; k < kTimeLabels; ++k) by_time[k] = k;
    std::ranges::stable_sort(by_time, std::greater(), [&](std::size_t k) { return kinds[k]; });
    for (const std::size_t k : by_time) {
      const auto what = static_cast<TimeLabel>(k);
      if (kinds[k] > 0)
        table.add_row({profile.ranks[rank]->number, Cell(words_of(what).words, what), kinds[k],
                       share_of(kinds[k], path.span.length()), counts[{rank, what}]});
    }
  }
  return table;
}

/// Returns the indices of the longest segments, in path order.
std::vector<std::uint32_t> longest(const JobPath& path, std::size_t most) {
  std::vector<std::uint32_t> listed(path.segments.size());
  for (std::uint32_t i = 0; i < listed.size(); ++i) listed[i] = i;
  if (most == 0 || most >= listed.size()) return listed;
  std::ranges::nth_element(listed, listed.begin() + static_cast<std::ptrdiff_t>(most), {},
                           [&](std::uint32_t i) { return std::pair(-path.segments[i].time.length(), i); });
  listed.resize(most);
  std::ranges::sort(listed);
  return listed;
}

Table segments_table(const trace::Profile& profile, const JobPath& path, std::span<const std::uint32_t> listed) {
  Table table("segments", "Critical path segments",
              {{"segment", "", ColumnKind::identifier},
               {"on path", "", ColumnKind::duration},
               {"rank", "", ColumnRole::rank},
               {"rank before", "", ColumnKind::identifier},
               {"step", "", ColumnRole::step},
               {"class", "", ColumnRole::path_part},
               {"name", "", ColumnRole::name},
               {"start", "", ColumnRole::start},
               {"duration", "", ColumnRole::duration},
               {"share", "", ColumnRole::share},
               {"collective", "", ColumnKind::identifier},
               {"slice", "", ColumnKind::identifier}});
  for (const std::uint32_t i : listed) {
    const JobPathSegment& segment = path.segments[i];
    const trace::Rank& rank = *profile.ranks[segment.rank];
    const bool changes = i > 0 && path.segments[i - 1].rank != segment.rank;
    const auto step = step_at(rank, segment.recorded.begin);
    table.add_row({i, segment.time.begin - path.span.begin, rank.number,
                   changes ? Cell(profile.ranks[path.segments[i - 1].rank]->number) : Cell(),
                   step ? Cell(profile.names().view(rank.steps[*step].name)) : Cell(),
                   Cell(words_of(segment.what).words, segment.what),
                   segment.name == 0 ? Cell()
                   : segment.slice   ? Cell(profile.names().view(segment.name), *segment.slice)
                                     : Cell(profile.names().view(segment.name)),
                   saturating_difference(segment.recorded.begin, profile.span.begin), segment.time.length(),
                   share_of(segment.time.length(), path.span.length()),
                   segment.collective == kNoIndex ? Cell() : Cell(segment.collective), Cell(segment.slice)});
  }
  return table;
}

/// Returns the path in the range of the chosen annotation, if one is chosen.
JobPath chosen_path(AnalysisInput input) {
  const std::string annotation = input.values.text("annotation");
  const std::vector<std::uint32_t> ranks = ranks_in(input.profile, input.scope);
  if (annotation.empty() || ranks.empty()) return find_job_path(input);
  const PathWindow window = path_window(input.profile, ranks.front(), annotation,
                                        static_cast<std::uint64_t>(input.values.integer("instance")), {});
  if (!window.reason.empty())
    return JobPath{.segments = {}, .span = {}, .reason = window.reason, .clocks = {}, .left_out = {}, .matching = {}};
  input.scope.range = window.time;
  return find_job_path(input);
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  if (input.values.flag(kHtaParameter.name)) return hta_path_tables(input);
  const JobPath path = chosen_path(input);
  const std::vector<std::uint32_t> listed = longest(path, static_cast<std::size_t>(input.values.integer(kRows)));
  std::vector<Table> tables{sums_table(input.profile, path), segments_table(input.profile, path, listed)};
  const std::size_t changes = path.changes_of_rank();
  const bool alone = input.profile.ranks.size() == 1 && std::ranges::find(path.segments, TimeLabel::transfer,
                                                                          &JobPathSegment::what) != path.segments.end();
  const std::string note = joined_notes(
      {conclusion(input.profile, path),
       changes == 0 ? ""
                    : fmt::format("It changes ranks {}.", changes == 1 ? "once" : counted(changes, "time", "times")),
       alone ? "Communication includes time spent waiting for ranks whose traces are not loaded." : "", path.clocks,
       path.left_out, path.matching});
  tables[0].note = note;
  tables[1].note = joined_notes(
      {tables[1].rows() == 0 ? note : "", listed.size() == path.segments.size()
                                              ? ""
                                              : fmt::format("Shows the {} longest segments; rows=0 shows all.",
                                                            format_count(static_cast<std::int64_t>(listed.size())))});
  return tables;
}

constexpr std::array kCharts{ChartSpec{.table = "critical-path",
                                       .kind = ChartKind::rows,
                                       .title = "Time on the critical path",
                                       .x = ColumnRole::path_part,
                                       .y = ColumnRole::total},
                             ChartSpec{.table = "segments", .kind = ChartKind::none}};

}  // namespace

extern const Analysis kAnalysis{
    .name = "critical_path",
    .title = "Critical path",
    .about =
        "The dependency chain from the last GPU activity of a job, or of the selected ranks, back to the start. Within "
        "a rank, it leads from each GPU activity to the activity, launch or host call that it waited for; from the end "
        "of a collective, it continues on the rank that arrived last. Shown by rank and class, then by segment. Each "
        "moment belongs to one rank, so the segments add up to the span. Only work on this path determines how long "
        "the job takes. For a range, step or annotation, shows the part of the path within it. HTA's path is the "
        "longest chain of one rank; time between two top-level operators of a thread counts as zero in it.",
    .parameters = kParameters,
    .run = run,
    .charts = kCharts,
    .still_ours =
        "All kernels of a graph can be on the path; HTA keeps only the last one, so its path stays on the host. Triton "
        "operators with a stream argument are host calls, not GPU activity."};

}  // namespace warpscope::analysis::registered::critical_path
