// trace_diff: count and time of each operator and kernel in two profiles.
#include <array>

#include "core/analysis/diff/diff_parameters.hpp"
#include "core/analysis/request/tables.hpp"

namespace warpscope::analysis::registered::trace_diff {

namespace {

constexpr std::array kParameters{kControlRankParameter,
                                 kTestRankParameter,
                                 kControlIterationParameter,
                                 kTestIterationParameter,
                                 kDeviceTypeParameter,
                                 flag_parameter("short_names", "combine kernels with the same short name into one row"),
                                 kHtaParameter,
                                 kRoundingParameter};

std::string_view change_of(std::uint64_t control, std::uint64_t test) {
  if (control == test) return "=";
  return test > control ? "+" : "-";
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const bool short_names = input.values.flag("short_names");
  Table table("trace-diff", "Operators and kernels of two profiles",
              {{"name", "", ColumnRole::name, short_names ? "short_name" : "name"},
               {"control count", "", ColumnKind::integer, "Control_counts"},
               {"control time", "", ColumnKind::duration, "Control_total_duration", 1000, 0, 1},
               {"test count", "", ColumnKind::integer, "Test_counts"},
               {"test time", "", ColumnKind::duration, "Test_total_duration", 1000, 0, 1},
               {"count difference", "", ColumnKind::integer, "diff_counts"},
               {"time difference", "", ColumnKind::duration, "diff_duration", 1000, 0, 1},
               {"change", "", ColumnKind::text, "counts_change_categories"},
               {"control mean", "", ColumnKind::duration, "Control_mean_duration", 1000, 0, 2},
               {"test mean", "", ColumnKind::duration, "Test_mean_duration", 1000, 0, 2},
               {"slower by", "", ColumnKind::share, "slower_pct"}});
  if (input.other != nullptr) {
    const auto diffs = chosen_diff(input, short_names);
    if (!diffs) return diffs.error();
    table.reserve(diffs->size());
    for (const NameDiff& each : *diffs) {
      const bool both = each.control.count > 0 && each.test.count > 0;
      table.add_row({each.name, each.control.count, each.control.time, each.test.count, each.test.time,
                     static_cast<std::int64_t>(each.test.count) - static_cast<std::int64_t>(each.control.count),
                     saturating_difference(each.test.time, each.control.time),
                     change_of(each.control.count, each.test.count),
                     each.control.count > 0 ? Cell(each.control.mean()) : Cell(),
                     each.test.count > 0 ? Cell(each.test.mean()) : Cell(),
                     both ? share_of(each.test.mean() - each.control.mean(), each.control.mean()) : Cell()});
    }
  }
  if (table.rows() == 0) table.note = empty_diff_note(input);
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{
    .name = "trace_diff",
    .title = "Operators and kernels of two profiles",
    .about =
        "Count, total and mean time of host calls and GPU activity by name in two profiles, and their differences. "
        "Each step includes the host calls that start in it and the GPU activity launched in it. HTA uses the first "
        "rank and the first step, and counts annotations on the GPU as host calls.",
    .parameters = kParameters,
    .run = run,
    .compares = true};

}  // namespace warpscope::analysis::registered::trace_diff
