#pragma once
// Our tables against what HTA answered for the same traces (see README.md here). Both sides are CSV: what is compared
// is what a notebook would read.
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/hta_steps.hpp"
#include "core/trace/profile.hpp"
#include "tests/oracle/csv_frame.hpp"

namespace warpscope::tests {

/// A set of traces with HTA's answers.
struct OracleSet {
  std::string name;               ///< of the folder of answers
  std::filesystem::path traces;   ///< file or folder
  std::filesystem::path answers;  ///< folder
  bool rounded = false;           ///< times in ns that HTA rounded to µs
  bool exact = true;              ///< times are whole µs; else each of HTA's may be 0.25 µs off
  std::int64_t first_rank = 0;    ///< the one that HTA took where it looks at one only

  /// Whether HTA answered; it fails on some.
  [[nodiscard]] bool has(const std::string& file) const { return !path_of(file).empty(); }
  /// Empty if there is none.
  [[nodiscard]] std::filesystem::path path_of(const std::string& file) const;
  [[nodiscard]] CsvFrame answer(const std::string& file) const { return CsvFrame::read(path_of(file)); }
  /// The settings with which we count as HTA did for these answers.
  [[nodiscard]] std::vector<analysis::Setting> as_hta() const;
  /// The profile, loaded once for all tests of the program.
  [[nodiscard]] std::shared_ptr<const trace::Profile> profile() const;
};

/// All sets; none where the shared folder is absent, which is said.
[[nodiscard]] const std::vector<OracleSet>& oracle_sets();
/// The set of that name; null where the shared folder is absent.
[[nodiscard]] const OracleSet* oracle_set(const std::string& name);

/// The table of that id ("": the main one) as CSV would have it.
[[nodiscard]] CsvFrame run_as_csv(const trace::Profile& profile, std::string_view analysis,
                                  std::vector<analysis::Setting> settings = {}, std::string_view part = {},
                                  const analysis::Scope& scope = {});

/// Sets on which HTA's answer is another than ours because of a fault of it, by name (README.md).
using Differences = std::map<std::string, std::string>;

/// Calls `check` for each set that HTA answered, but for those that differ.
void check_sets(const std::string& file, const Differences& differ, const std::function<void(const OracleSet&)>& check);

struct Comparison {
  std::vector<std::string> keys;          ///< columns by which rows belong together; unique among rows
  std::map<std::string, double> columns;  ///< compared, with how much they may differ (absolute)
  double relative = 1e-9;                 ///< and relative to the value
};

/// Same rows, same figures. Fails with the row and both values.
void check_equal(const CsvFrame& ours, const CsvFrame& theirs, const Comparison& how);

}  // namespace warpscope::tests
