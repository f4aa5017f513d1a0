#pragma once
// All analyses by name. The command line, the dashboard, the Analysis page and the report know none of them: they list
// what is here, make controls from the parameters and show the tables. A new analysis is a file and a line (see
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
  const CancelToken* cancel = nullptr;  ///< may be null; once cancelled, what comes back is of no use
  /// The profile to compare with, of analyses that do; the scope is of the other. Without one their tables are empty.
  const trace::Profile* other = nullptr;
  /// Arguments of slices, for the few analyses that need some; without one they are looked for in the sources.
  const ingest::EventLookup* events = nullptr;
  /// What other analyses of the same request computed; null for one that is alone.
  SharedResults* shared = nullptr;
};

struct Analysis {
  std::string_view name;   ///< snake_case, unique: "kernel_time"
  std::string_view title;  ///< sentence case: "GPU kernel time"
  std::string_view about;  ///< what is counted, in one or two lines
  std::span<const Parameter> parameters;
  /// The main table first; ids are unique among them. A table may be empty, with the reason in its note. An error is
  /// what a user can mend: a parameter that makes no sense for this profile. Pure; meant for a worker thread.
  Result<std::vector<Table>> (*run)(const AnalysisInput& input);
  bool compares = false;  ///< needs a second profile: for those who can give one
  /// Of those with the parameter `hta`: which figures are not HTA's even with it, and why; "" if all are.
  std::string_view still_ours{};
  /// Whether what the parameters ask for by name is there at all, for whoever wants an error and no empty table; may be
  /// null. Errors: as run's.
  Failure (*check)(const AnalysisInput& input) = nullptr;
  /// Of tables whose chart does not follow from the kinds of their columns.
  std::span<const ChartSpec> charts{};
};

/// What it counts, in which way HTA counts otherwise, and what still differs where it is asked to count as HTA.
[[nodiscard]] std::string description(const Analysis& analysis);

/// In the order in which they are listed: group by group.
[[nodiscard]] std::span<const Analysis> analyses();
/// What it is listed under: "Time", "Communication", …
[[nodiscard]] std::string_view group_of(const Analysis& analysis);
[[nodiscard]] bool has_parameter(const Analysis& analysis, std::string_view name);
/// The analysis of that name, or nullptr.
[[nodiscard]] const Analysis* find_analysis(std::string_view name);
/// The chart that an analysis declares for a table; one of kind automatic if it declares none.
[[nodiscard]] ChartSpec chart_of(std::string_view analysis, std::string_view table);

/// Checks the settings and runs. Errors: as ParameterValues::parse and parse_kernel_rules; the analysis' own; as
/// trace::damage_of, of the ranks in the scope and of `other`. `shared`: for several analyses of this profile, or null.
[[nodiscard]] Result<std::vector<Table>> run_analysis(const Analysis& analysis, const trace::Profile& profile,
                                                      Scope scope, std::span<const Setting> settings,
                                                      const CancelToken* cancel = nullptr,
                                                      const trace::Profile* other = nullptr,
                                                      const ingest::EventLookup* events = nullptr,
                                                      SharedResults* shared = nullptr);

}  // namespace warpscope::analysis
