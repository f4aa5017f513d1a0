#pragma once
// All analyses by name. The command line, the dashboard, the Analysis page and the report use only this list: they
// derive controls from the parameters and show the tables. Adding an analysis requires one file and one line here (see
// CONTRIBUTING.md).
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/chart_spec.hpp"
#include "core/analysis/request/parameters.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/analysis/request/shared_results.hpp"
#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {
class EventLookup;
}

namespace warpscope::analysis {

struct AnalysisInput {
  const trace::Profile& profile;
  Scope scope;
  ParameterValues values;
  const CancelToken* cancel = nullptr;  ///< may be null; after cancellation, results are meaningless
  /// The profile to compare with, for analyses that compare profiles; if null, their tables are empty. `scope` applies
  /// only to `profile`.
  const trace::Profile* other = nullptr;
  /// Looks up arguments of slices, for the few analyses that need them. If null, arguments are read from the sources.
  const ingest::EventLookup* events = nullptr;
  /// Results of other analyses in the same request; null if there are none.
  SharedResults* shared = nullptr;
};

struct Analysis {
  std::string_view name;   ///< snake_case, unique: "kernel_time"
  std::string_view title;  ///< sentence case: "GPU kernel time"
  std::string_view about;  ///< description of what it counts, in one or two lines
  std::span<const Parameter> parameters;
  /// Returns tables with unique ids, the main table first. If a table is empty, its note explains why. Errors are
  /// problems that the user can fix, such as a parameter that makes no sense for this profile. Pure; intended for
  /// worker threads.
  Result<std::vector<Table>> (*run)(const AnalysisInput& input);
  /// Declared charts. For other tables, the columns determine the chart.
  std::span<const ChartSpec> charts{};
  bool compares = false;  ///< needs a second profile
  /// For analyses with the `hta` parameter: explains which values still differ from HTA's when it is set; "" if none
  /// do.
  std::string_view still_ours{};
};

/// Describes what the analysis counts, how HTA differs, and which differences remain with `hta`.
[[nodiscard]] std::string description(const Analysis& analysis);

/// Returns all analyses in listing order, group by group.
[[nodiscard]] std::span<const Analysis> analyses();
/// Returns an analysis's group in the list: "Time", "Communication", …
[[nodiscard]] std::string_view group_of(const Analysis& analysis);
[[nodiscard]] bool has_parameter(const Analysis& analysis, std::string_view name);
/// Returns the analysis with this name; nullptr if there is none.
[[nodiscard]] const Analysis* find_analysis(std::string_view name);
/// Returns the chart that an analysis declares for a table, or an automatic one.
[[nodiscard]] ChartSpec chart_of(std::string_view analysis, std::string_view table);

/// Checks the settings and runs the analysis. Errors: those of ParameterValues::parse, parse_kernel_rules, the
/// analysis, and trace::damage_of for the ranks in the scope and for `other`. `shared`: results shared by several
/// analyses of this profile, or null.
[[nodiscard]] Result<std::vector<Table>> run_analysis(const Analysis& analysis, const trace::Profile& profile,
                                                      Scope scope, std::span<const Setting> settings,
                                                      const CancelToken* cancel = nullptr,
                                                      const trace::Profile* other = nullptr,
                                                      const ingest::EventLookup* events = nullptr,
                                                      SharedResults* shared = nullptr);

/// Same, with a note on which steps each table covers, for readers who do not see the scope next to it.
[[nodiscard]] Result<std::vector<Table>> run_with_scope_note(const Analysis& analysis, const trace::Profile& profile,
                                                             Scope scope, std::span<const Setting> settings,
                                                             const CancelToken* cancel,
                                                             const ingest::EventLookup* events, SharedResults& shared);

}  // namespace warpscope::analysis
