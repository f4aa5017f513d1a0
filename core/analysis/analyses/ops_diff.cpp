// ops_diff: operators and kernels added, removed, or called more or less often in a second profile.
#include <algorithm>
#include <array>

#include "core/analysis/diff/diff_parameters.hpp"

namespace warpscope::analysis::registered::ops_diff {

namespace {

constexpr std::array kParameters{kControlRankParameter,   kTestRankParameter,   kControlIterationParameter,
                                 kTestIterationParameter, kDeviceTypeParameter, kHtaParameter,
                                 kRoundingParameter};

constexpr std::array<std::string_view, 5> kChanges{"added", "deleted", "increased", "decreased", "unchanged"};

/// Returns an index into kChanges.
std::size_t change_of(const NameDiff& diff) {
  if (diff.control.count == 0) return 0;
  if (diff.test.count == 0) return 1;
  if (diff.test.count == diff.control.count) return 4;
  return diff.test.count > diff.control.count ? 2 : 3;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  Table table("ops-diff", "Changed operators and kernels",
              {{"change", "", ColumnKind::text, "change"},
               {"name", "", ColumnRole::name, "name"},
               {"control count", "", ColumnKind::integer, "Control_counts"},
               {"test count", "", ColumnKind::integer, "Test_counts"}});
  Table numbers("changes", "Names by change",
                {{"change", "", ColumnKind::text, "change"}, {"names", "", ColumnKind::integer, "names"}});
  if (input.other != nullptr) {
    auto diffs = chosen_diff(input, false);
    if (!diffs) return diffs.error();
    std::array<std::int64_t, kChanges.size()> names{};
    std::ranges::stable_sort(*diffs, {}, change_of);
    table.reserve(diffs->size());
    for (const NameDiff& each : *diffs) {
      ++names[change_of(each)];
      table.add_row({kChanges[change_of(each)], each.name, each.control.count, each.test.count});
    }
    for (std::size_t change = 0; change < kChanges.size() && !diffs->empty(); ++change)
      numbers.add_row({kChanges[change], names[change]});
  }
  if (table.rows() == 0) table.note = numbers.note = empty_diff_note(input);
  return std::vector{std::move(table), std::move(numbers)};
}

}  // namespace

extern const Analysis kAnalysis{
    .name = "ops_diff",
    .title = "Changed operators and kernels",
    .about =
        "Host calls and GPU activity by name, grouped by change in the second profile: added, deleted, increased, "
        "decreased or unchanged count. Each group is sorted by time difference, largest first.",
    .parameters = kParameters,
    .run = run,
    .compares = true};

}  // namespace warpscope::analysis::registered::ops_diff
