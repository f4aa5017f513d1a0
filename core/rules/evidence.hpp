#pragma once
// A small chart of the values behind a finding: bars by name, largest first, or columns in chronological order. The
// Findings page and the report draw the chart; `rules --json` writes it as a table.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/table.hpp"
#include "core/base/time.hpp"

namespace warpscope::rules {

struct Evidence {
  enum class Form : std::uint8_t { bars, columns };
  struct Bar {
    std::string label;
    double value = 0;
  };
  std::string title;                       ///< "Idle time per step, by cause"
  ColumnKind kind = ColumnKind::duration;  ///< of the values: duration (ns) or share
  Form form = Form::bars;
  std::vector<Bar> bars{};  ///< empty: no chart
};
inline constexpr std::size_t kMostBars = 5;
inline constexpr std::size_t kMostColumns = 100;

/// Sorts bars from largest to smallest and merges all but the first five into "n others". Returns no bars for a single
/// value, because there is nothing to compare it with.
[[nodiscard]] Evidence largest_bars(std::string title, ColumnKind kind, std::vector<Evidence::Bar> bars);

/// Charts samples as columns labeled with the time since `start`. Each column is the mean of about the same
/// number of samples.
[[nodiscard]] Evidence over_time(std::string title, ColumnKind kind, const std::vector<Ns>& times,
                                 const std::vector<double>& values, Ns start);

}  // namespace warpscope::rules
