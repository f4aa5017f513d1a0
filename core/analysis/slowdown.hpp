#pragma once
// What became slower from one profile to another: kernels, operators and steps, by how long one of them takes. Means of
// single runs are compared, so that profiles of different length can be.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct Slowdown {
  enum class Kind : std::uint8_t { step, kernel, op };

  Kind kind = Kind::step;
  std::string name;
  std::uint64_t control_count = 0;
  std::uint64_t test_count = 0;
  double control_mean = 0;  ///< ns
  double test_mean = 0;     ///< ns
  double share = 0;         ///< of the time of all of its kind, in the profile where it is more

  /// By what fraction one takes longer; negative if it is faster.
  [[nodiscard]] double by() const { return test_mean / control_mean - 1; }
};

[[nodiscard]] std::string_view to_string(Slowdown::Kind kind);

/// All that occurs in both profiles and takes at least `least_share` of the time of its kind in either; the mean step
/// is one entry. What became slower most comes first. Kernels: also copies and sets; operators count with what they
/// call. O(slices + names).
[[nodiscard]] std::vector<Slowdown> slowdowns(const trace::Profile& control, const trace::Profile& test,
                                              double least_share);

/// `slowdowns` as a table, at most `most` rows (0: all); those by more than `limit`, if there is
/// one, are marked.
[[nodiscard]] Table slowdown_table(const std::vector<Slowdown>& slowdowns, std::optional<double> limit,
                                   std::size_t most);

}  // namespace warpscope::analysis
