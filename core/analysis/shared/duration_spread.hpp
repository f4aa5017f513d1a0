#pragma once
// Durations added up name by name, as HTA's breakdowns tell them: sum, least, greatest, mean and standard deviation,
// and, of many names, those that take most of the time and all others as one row. One row's figures are those of the
// runs behind it. HTA's are not once it has folded names (B3): it takes figures of the names' sums, and cuts where the
// running sum of the sums passes a quantile of itself. That can be had for comparison.
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/request/parameters.hpp"
#include "core/base/string_table.hpp"
#include "core/base/table.hpp"
#include "core/base/time.hpp"

namespace warpscope::analysis {

/// Figures of durations (ns), one after the other. Mean and deviation by B. P. Welford's method (Technometrics 4/3,
/// 1962), which does not lose digits; merged as T. F. Chan, G. H. Golub and R. J. LeVeque do (1979).
class DurationSpread {
 public:
  void add(Ns duration);
  void merge(const DurationSpread& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] Ns sum() const { return sum_; }  ///< saturates
  [[nodiscard]] Ns min() const { return min_; }
  [[nodiscard]] Ns max() const { return max_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// Of a sample (divided by n - 1); 0 of fewer than two.
  [[nodiscard]] double stddev() const;

 private:
  std::uint64_t count_ = 0;
  Ns sum_ = 0;
  Ns min_ = 0;
  Ns max_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // of the distances from the mean
};

struct NamedSpread {
  std::optional<NameId> name{};  ///< nothing: the others
  DurationSpread durations{};
};

/// Sums by name id: an array of places for all names, made once, and figures only of those that occur.
class SpreadsByName {
 public:
  explicit SpreadsByName(std::size_t names) : place_(names) {}
  void add(NameId name, Ns duration);
  /// What was added since the last call, in no order. O(names that occur).
  [[nodiscard]] std::vector<NamedSpread> take();

 private:
  std::vector<std::uint32_t> place_;  // 1 + index into spreads_; 0: none
  std::vector<NamedSpread> spreads_;
};

/// How many names are told, by the parameters below.
struct Folding {
  std::size_t most_names = 0;  ///< 0: all
  double share = 1;
  bool hta = false;
  std::function<bool(NameId)> keep{};  ///< never folded; may be empty

  [[nodiscard]] static Folding of(const ParameterValues& values, bool hta);
};

/// By sum, greatest first; of equal ones by name; the others are last. Nothing is folded where there are no more than
/// `most_names`. O(n log n).
[[nodiscard]] std::vector<NamedSpread> fold(std::vector<NamedSpread> spreads, const StringTable& names,
                                            const Folding& folding);

[[nodiscard]] constexpr Parameter num_kernels_parameter(std::string_view preset, std::string_view about) {
  return {
      .name = "num_kernels", .about = about, .kind = ParameterKind::integer, .preset = preset, .least = 0, .most = 1e9};
}
inline constexpr Parameter kDurationRatioParameter{
    .name = "duration_ratio",
    .about = "if there are more, list only those that make up this share of the time",
    .kind = ParameterKind::real,
    .preset = "0.8",
    .least = 0,
    .most = 1};

/// Appends the columns "sum", "count", "max", "min", "stddev", "mean" with HTA's names in CSV, or their cells.
void append_spread_columns(std::vector<Column>& columns);
void append_spread_cells(std::vector<Cell>& cells, const DurationSpread& durations);

}  // namespace warpscope::analysis
