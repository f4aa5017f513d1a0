#pragma once
// The report of a benchmark: the machine, tables, and a line for each requirement with its result.
#include <string>
#include <vector>

#include "core/base/table.hpp"

namespace warpscope::bench {

/// A measurement with a limit.
struct Requirement {
  std::string what;
  double figure = 0;
  double limit = 0;
  std::string unit;       ///< "×", "MB", "ms"
  bool at_least = false;  ///< the limit is a minimum, not a maximum

  /// False for NaN: a value that was not measured does not meet the requirement.
  [[nodiscard]] bool met() const { return at_least ? figure >= limit : figure <= limit; }
};

/// Average number of running and waiting processes in the last minute; NaN if the system does not report it.
[[nodiscard]] double load_average();

/// Create the report before measuring.
struct Report {
  std::string name;   ///< name of the benchmark: "load"
  std::string title;  ///< what was measured and how
  int runs = 0;
  std::vector<Table> tables{};
  std::vector<std::string> notes{};  ///< caveats for the reader: omissions and failures
  std::vector<Requirement> requirements{};

  double load_before = load_average();  ///< load of the machine by other processes

  [[nodiscard]] bool all_met() const;
};

/// Text of at most 100 columns, or JSON:
///   {"schema": 2, "benchmark": "load", "title": …, "machine": {"processor": …, "cores": 2, "memory_bytes": …,
///    "load_before": …}, "runs": 5, "tables": {"NAME": [records as in core/base/table_writers.hpp]}, "notes": […],
///    "requirements": [{"what": …, "figure": 2.7, "limit": 3.5, "unit": "×", "at_least": false, "met": true}]}
[[nodiscard]] std::string to_text(const Report& report);
[[nodiscard]] std::string to_json(const Report& report);

/// Returns the middle value, or the mean of the two middle ones; NaN if empty.
[[nodiscard]] double median(std::vector<double> values);

/// Cell of a duration column, in ns. Missing for NaN.
[[nodiscard]] Cell duration_cell(double seconds);
/// Cell of a bytes column. Missing for NaN.
[[nodiscard]] Cell bytes_cell(double bytes);

}  // namespace warpscope::bench
