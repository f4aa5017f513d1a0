#pragma once
// Every analysis of the registry as a table-valued function under its own name:
//
//   SELECT * FROM late_ranks WHERE clocks = 'recorded'
//   SELECT * FROM late_ranks('recorded')
//
// Hidden columns are the analysis's parameters, in the order of `analyze NAME --help`, then the scope: scope_ranks
// ('0,3-5'), scope_from and scope_to ('12.3ms'), scope_whole ('true'). If a column of the result has the name of a
// parameter, the parameter is set_NAME. Other columns have the names and values of `analyze NAME --csv`.
//
// NAME is the analysis's first table; each of its tables is NAME_ID, where ID is that of `analyze NAME --parts` with
// "_" for "-": late_ranks_late_by_step. gpu_activity is a table of the profile, so its analysis is
// gpu_activity_gpu_activity.
//
// SQLite wants to know the columns before the parameters, but an analysis only has them after running. It is therefore
// run with its defaults when its name is first used, and the result is kept for queries that set nothing. With other
// parameters, columns that are no longer there are NULL.
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/sql/context.hpp"
#include "core/sql/relation.hpp"

namespace warpscope::sql {

class AnalysisTables {
 public:
  using Tables = std::shared_ptr<const std::vector<Table>>;

  /// `taken`: tables that hide the analyses of their names.
  AnalysisTables(Context& context, const std::vector<std::unique_ptr<Relation>>& taken);

  /// Returns the relations of the first tables of the analyses that need only one profile.
  [[nodiscard]] const std::vector<std::unique_ptr<Relation>>& all() const { return all_; }
  /// Returns the relation of any table, NAME_ID; null if there is none. Runs the analysis.
  [[nodiscard]] Relation* find(std::string_view name);

  /// Same, but returns null for a table that no query has named yet.
  [[nodiscard]] const Relation* known(std::string_view name) const;

  /// Returns the names of the tables of an analysis that has run, separated by commas.
  [[nodiscard]] std::string part_names(std::string_view analysis) const;

  /// Runs an analysis with these settings, the last of which may be of the scope; keeps some results.
  [[nodiscard]] Result<Tables> run(const analysis::Analysis& analysis, const std::vector<analysis::Setting>& settings);
  [[nodiscard]] Context& context() { return context_; }

 private:
  static constexpr std::size_t kMostKept = 60;  // results

  Context& context_;
  std::vector<std::unique_ptr<Relation>> all_;
  std::map<std::string, std::unique_ptr<Relation>, std::less<>> further_;
  std::map<std::string, Tables, std::less<>> kept_;  // by name and settings
};

}  // namespace warpscope::sql
