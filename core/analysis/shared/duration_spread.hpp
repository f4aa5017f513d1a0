#pragma once
// Duration statistics by name, as in HTA's breakdowns: sum, min, max, mean and standard deviation. If there are many
// names, only those that together take most of the time are listed; all others are folded into one row. Each row's
// statistics are computed over its slices. HTA computes the folded row's statistics over per-name sums (B3) and folds
// names whose running sum exceeds a quantile of the running sums. HTA's method is available for comparison.
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/request/parameters.hpp"
#include "core/base/table.hpp"
#include "core/base/time.hpp"
#include "core/trace/string_table.hpp"

namespace warpscope::analysis {

/// Running statistics of durations (ns). Mean and deviation use B. P. Welford's method (Technometrics 4/3, 1962), which
/// is numerically stable; merging follows T. F. Chan, G. H. Golub and R. J. LeVeque (1979).
class DurationSpread {
 public:
  void add(Ns duration);
  void merge(const DurationSpread& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] Ns sum() const { return sum_; }  ///< saturates
  [[nodiscard]] Ns min() const { return min_; }
  [[nodiscard]] Ns max() const { return max_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// Sample standard deviation (divisor n - 1); 0 for fewer than two values.
  [[nodiscard]] double stddev() const;

 private:
  std::uint64_t count_ = 0;
  Ns sum_ = 0;
  Ns min_ = 0;
  Ns max_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared distances from the mean
};

struct NamedSpread {
  std::optional<NameId> name{};  ///< nullopt: the other names
  DurationSpread durations{};
};

/// Statistics by name id. Allocates an index array over all names once, and statistics only for names that occur.
class SpreadsByName {
 public:
  explicit SpreadsByName(std::size_t names) : place_(names) {}
  void add(NameId name, Ns duration);
  /// Returns the statistics added since the last call, unordered. O(names that occur).
  [[nodiscard]] std::vector<NamedSpread> take();

 private:
  std::vector<std::uint32_t> place_;  // 1 + index into spreads_; 0: none
  std::vector<NamedSpread> spreads_;
};

/// Selects which names are listed; set by the parameters below.
struct Folding {
  std::size_t most_names = 0;  ///< 0: all
  double share = 1;
  bool hta = false;
  std::function<bool(NameId)> keep{};  ///< names that are never folded; may be empty

  [[nodiscard]] static Folding of(const ParameterValues& values, bool hta);
};

/// Sorts by sum, largest first, then by name, and folds the remaining names into a final entry. Folds nothing if there
/// are at most `most_names` names. O(n log n).
[[nodiscard]] std::vector<NamedSpread> fold(std::vector<NamedSpread> spreads, const StringTable& names,
                                            const Folding& folding);

[[nodiscard]] constexpr Parameter num_kernels_parameter(std::string_view preset, std::string_view about) {
  return integer_parameter("num_kernels", about, preset);
}
inline constexpr Parameter kDurationRatioParameter = real_parameter(
    "duration_ratio", "with more than num_kernels names, list only those that make up this fraction of the time", "0.8",
    0, 1);

/// Appends the columns "sum", "count", "max", "min", "stddev" and "mean", with HTA's names in CSV;
/// append_spread_cells() appends the matching cells.
void append_spread_columns(std::vector<Column>& columns);
void append_spread_cells(std::vector<Cell>& cells, const DurationSpread& durations);

}  // namespace warpscope::analysis
