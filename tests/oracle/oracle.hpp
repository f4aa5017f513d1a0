#pragma once
// Compares our tables with HTA's results for the same traces (see README.md here). Both sides are CSV, so the tests
// compare what a notebook would read.
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/trace/profile.hpp"
#include "tests/oracle/csv_frame.hpp"

namespace warpscope::tests {

/// A set of traces with HTA's results.
struct OracleSet {
  std::string name;               ///< name of the results folder
  std::filesystem::path traces;   ///< file or folder
  std::filesystem::path answers;  ///< folder of HTA's results
  bool rounded = false;           ///< times in ns, rounded to µs by HTA
  bool exact = true;              ///< times are whole µs; otherwise each of HTA's may be off by 0.25 µs
  std::int64_t first_rank = 0;    ///< the rank that HTA used where it reads only one

  /// True if HTA has a result; it fails on some traces.
  [[nodiscard]] bool has(const std::string& file) const { return !path_of(file).empty(); }
  /// Empty for a missing file.
  [[nodiscard]] std::filesystem::path path_of(const std::string& file) const;
  [[nodiscard]] CsvFrame answer(const std::string& file) const { return CsvFrame::read(path_of(file)); }
  /// Settings that reproduce HTA's way of counting for these results.
  [[nodiscard]] std::vector<analysis::Setting> as_hta() const;
  /// HTA's time zero, in ns since the start of the profile.
  [[nodiscard]] Ns zero() const;
  /// The profile, loaded once for all tests of the program.
  [[nodiscard]] std::shared_ptr<const trace::Profile> profile() const;
  /// The same files, read apart, and only once.
  [[nodiscard]] const Brute& brute() const;
};

/// All sets; empty, with a warning, if the shared folder is missing.
[[nodiscard]] const std::vector<OracleSet>& oracle_sets();
/// The set of that name; null if the shared folder is missing.
[[nodiscard]] const OracleSet* oracle_set(const std::string& name);

/// Runs an analysis and returns the table with that id ("": the main one) as its CSV.
[[nodiscard]] CsvFrame run_as_csv(const trace::Profile& profile, std::string_view analysis,
                                  std::vector<analysis::Setting> settings = {}, std::string_view part = {},
                                  const analysis::Scope& scope = {});

/// Sets for which HTA's result differs from ours because of a bug in HTA, each with the reason (README.md).
using Differences = std::map<std::string, std::string>;

/// Calls `check` for each set with a result from HTA, except those in `differ`.
void check_sets(const std::string& file, const Differences& differ, const std::function<void(const OracleSet&)>& check);

struct Comparison {
  std::vector<std::string> keys;          ///< key columns for matching rows; unique among rows
  std::map<std::string, double> columns;  ///< compared columns, with their absolute tolerance
  double relative = 1e-9;                 ///< additional relative tolerance
};

/// Checks that rows and values are the same. A failure shows the row and both values.
void check_equal(const CsvFrame& ours, const CsvFrame& theirs, const Comparison& how);

}  // namespace warpscope::tests
