// job_statistics: initialization, training loop and finalization of a job.
#include <fmt/format.h>

#include <array>

#include "core/analysis/job/all_steps.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/step_range.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/calendar.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::job_statistics {

namespace {

/// Returns why a part of the job is missing; "" if none is.
std::string missing(const trace::Profile& profile, const JobTimes& times) {
  if (profile.ranks.empty() && profile.metrics.empty()) return "The profile is empty.";
  if (!times.steps) return "No steps were recorded, so initialization, training loop and finalization are unknown.";
  std::string note;
  if (!times.start)
    note =
        "The start and end of the job are unknown: there are no system metrics and no saved output of "
        "describe-training-job.";
  const std::string_view first = profile.names().view(times.first_step);
  if (step_number(first).value_or(0) > 1)
    note +=
        fmt::format("{}The traces start with {}; earlier steps count as initialization, later ones as finalization.",
                    note.empty() ? "" : " ", first);
  return note;
}

constexpr std::array kCharts{ChartSpec{.table = "job-statistics",
                                       .kind = ChartKind::rows,
                                       .x = ColumnRole::name,
                                       .y = ColumnRole::duration,
                                       .whole = "Job"}};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const JobTimes times = job_times(profile, input.scope);
  Table parts("job-statistics", "Parts of the job", {Column("part", col::name), col::start, col::duration, col::share});
  const Interval whole =
      times.steps ? Interval{std::min(times.start.value_or(times.steps->begin), times.steps->begin),
                             std::max(times.end.value_or(times.steps->end), times.steps->end)}
                  : Interval{times.start.value_or(0), std::max(times.end.value_or(0), times.start.value_or(0))};
  if (times.steps)
    for (const auto& [name, part] :
         {std::pair("Initialization", Interval{whole.begin, times.steps->begin}),
          std::pair("Training loop", *times.steps), std::pair("Finalization", Interval{times.steps->end, whole.end})})
      parts.add_row({name, part.begin - profile.span.begin, part.length(), share_of(part.length(), whole.length())});
  parts.note = missing(profile, times);
  Table job("job", "Job", {Column("time", col::name), col::text("value")});
  const auto add = [&](std::string_view name, const std::optional<Ns>& time) {
    if (time) job.add_row({name, format_calendar_time(*time, true)});
  };
  add("Start", times.start);
  add("End", times.end);
  if (!whole.empty()) job.add_row({"Duration", format_duration(whole.length())});
  if (times.steps) {
    add("Training loop start", times.steps->begin);
    add("Training loop end", times.steps->end);
    job.add_row({"First step", profile.names().view(times.first_step)});
  }
  return std::vector{std::move(parts), std::move(job)};
}

}  // namespace

extern const Analysis kAnalysis{"job_statistics",
                                "Job statistics",
                                "Time before the first step, from the first to the last step, and after the last step, "
                                "as in SageMaker Debugger's report. The start and end of the job are taken from the "
                                "system metrics or from the saved output of describe-training-job.",
                                {},
                                run,
                                kCharts};

}  // namespace warpscope::analysis::registered::job_statistics
