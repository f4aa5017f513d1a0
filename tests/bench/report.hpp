#pragma once
// What a benchmark has to say, in one form for all of them: what machine it ran on, tables, and for each figure that is
// demanded of the product a line that says whether it is met.
#include <string>
#include <vector>

#include "core/base/table.hpp"

namespace warpscope::bench {

/// A figure with a limit.
struct Requirement {
  std::string what;
  double figure = 0;
  double limit = 0;
  std::string unit;       ///< "×", "MB", "ms"
  bool at_least = false;  ///< the limit is the least, not the most

  /// False also for a figure that is not a number: what could not be measured is not met.
  [[nodiscard]] bool met() const { return at_least ? figure >= limit : figure <= limit; }
};

/// Processes that ran or waited to run, on average over the last minute; NaN if the system does not say.
[[nodiscard]] double load_average();

/// Made before anything is measured.
struct Report {
  std::string name;   ///< of the benchmark: "load"
  std::string title;  ///< what was measured, and how
  int runs = 0;
  std::vector<Table> tables{};
  std::vector<std::string> notes{};  ///< what the reader must know: what was left out, what failed
  std::vector<Requirement> requirements{};

  double load_before = load_average();  ///< of the machine, by others

  [[nodiscard]] bool all_met() const;
};

/// As text of at most 100 columns, or as JSON:
///   {"schema": 1, "benchmark": "load", "title": …, "machine": {"processor": …, "cores": 2, "memory_bytes": …,
///    "load_before": …}, "runs": 5, "tables": [as core/base/table_writers.hpp has them], "notes": […],
///    "requirements": [{"what": …, "figure": 2.7, "limit": 3.5, "unit": "×", "at_least": false, "met": true}]}
[[nodiscard]] std::string to_text(const Report& report);
[[nodiscard]] std::string to_json(const Report& report);

/// The middle value, the mean of the two middle ones of an even number; NaN of none.
[[nodiscard]] double median(std::vector<double> values);

/// A duration column's cell: ns. Missing for NaN.
[[nodiscard]] Cell duration_cell(double seconds);
/// A bytes column's cell. Missing for NaN.
[[nodiscard]] Cell bytes_cell(double bytes);

}  // namespace warpscope::bench
