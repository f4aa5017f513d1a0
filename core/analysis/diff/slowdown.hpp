#pragma once
// Finds steps, kernels and operators that are slower in a second profile, by time per step. Unless both profiles have
// steps, compares the mean time per call, because call counts are not comparable without steps.
//
// Compares host calls that start in a step and the GPU activity launched in it. If these account for less than half of
// the GPU time (for example because launches are not recorded), compares all calls and activity, divided by the number
// of steps.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct Slowdown {
  enum class Kind : std::uint8_t { step, kernel, op };
  static constexpr std::size_t kKinds = 3;

  Kind kind = Kind::step;
  std::string name;
  std::uint64_t control_count = 0;
  std::uint64_t test_count = 0;
  double control_time = 0;  ///< ns per step of a rank; per rank if there are no steps
  double test_time = 0;
  double control_mean = 0;  ///< ns per call
  double test_mean = 0;
  double share = 0;      ///< share of its kind's total time, in the profile where it is larger
  bool per_step = true;  ///< by() compares times per step; otherwise mean times

  /// True if only one of the profiles contains this name.
  [[nodiscard]] bool added() const { return control_count == 0; }
  [[nodiscard]] bool removed() const { return test_count == 0; }
  [[nodiscard]] double difference() const { return test_time - control_time; }
  /// Relative slowdown; negative if faster in the test, infinite if the control time is 0.
  [[nodiscard]] double by() const;
};

[[nodiscard]] std::string_view to_string(Slowdown::Kind kind);

/// Time of one kind of work that cannot be compared name by name. Same units as Slowdown.
struct Uncompared {
  double control_time = 0;  ///< total of this kind, compared or not
  double added = 0;
  double removed = 0;
  std::size_t added_names = 0;
  std::size_t removed_names = 0;
  Ns control_outside = 0;  ///< ns outside steps, summed over all ranks and the whole profile
  Ns test_outside = 0;

  /// Net time added by names found in only one profile; 0 if the time only moved to another name.
  [[nodiscard]] double net() const { return added - removed; }
};

struct Slowdowns {
  /// Sorted by absolute time difference, largest first.
  std::vector<Slowdown> rows;
  std::array<Uncompared, Slowdown::kKinds> uncompared;  ///< by kind
  bool per_step = false;
  std::uint64_t control_steps = 0;  ///< summed over ranks
  std::uint64_t test_steps = 0;
  std::string partial;  ///< describes data excluded because traces end early; "" if none
  std::string title;    ///< includes differences in setup: "What became slower: A100 → V100"
};

/// Compares everything in both profiles. Names below `least_share` of their kind's time in both profiles are merged
/// into one row; without steps, that row includes only names found in both profiles. Kernels include memcpys and
/// memsets. Operator times include nested calls. O(slices + names).
[[nodiscard]] Slowdowns slowdowns(const trace::Profile& control, const trace::Profile& test, double least_share);

/// Counts the names found in both profiles that got slower by more than `limit`.
[[nodiscard]] std::size_t count_over(const Slowdowns& found, double limit);
/// Returns the kinds in which names found only in the test profile add more than `limit` of the control's time. Empty
/// without steps.
[[nodiscard]] std::vector<Slowdown::Kind> added_over(const Slowdowns& found, double limit);
/// Returns a sentence describing the time that was not compared by name.
[[nodiscard]] std::string uncompared_text(const Slowdowns& found);

/// Returns at most `most` rows (0: all). Marks rows that got slower by more than `limit`, if given.
[[nodiscard]] Table slowdown_table(const Slowdowns& found, std::optional<double> limit, std::size_t most);

}  // namespace warpscope::analysis
