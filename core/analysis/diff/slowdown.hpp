#pragma once
// What became slower from one profile to another: steps, kernels and operators, by the time they take in a step. Where
// not both profiles have steps, single calls are compared: nothing tells then how many calls are too many.
//
// What is compared is what began in a step on the host, and the GPU activity launched there. If less than half of the
// GPU time is, as where launches are not recorded, everything counts, by the number of steps.
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
  double control_time = 0;  ///< ns per step of a rank; without steps per rank
  double test_time = 0;
  double control_mean = 0;  ///< ns of a call
  double test_mean = 0;
  double share = 0;      ///< of the time of all of its kind, in the profile where it is more
  bool per_step = true;  ///< by() compares times, else means

  /// Only one of the profiles has it.
  [[nodiscard]] bool added() const { return control_count == 0; }
  [[nodiscard]] bool removed() const { return test_count == 0; }
  [[nodiscard]] double difference() const { return test_time - control_time; }
  /// By what fraction it takes longer; negative if it is faster. Infinite if it took no time before.
  [[nodiscard]] double by() const;
};

[[nodiscard]] std::string_view to_string(Slowdown::Kind kind);

/// What comparing name by name cannot judge. ns as Slowdown's times, of one kind.
struct Uncompared {
  double control_time = 0;  ///< of all of the kind, compared or not
  double added = 0;
  double removed = 0;
  std::size_t added_names = 0;
  std::size_t removed_names = 0;
  Ns control_outside = 0;  ///< outside of steps, over all ranks and the whole profile
  Ns test_outside = 0;

  /// What the names of one profile add to the kind: time that only moved to another name is none.
  [[nodiscard]] double net() const { return added - removed; }
};

struct Slowdowns {
  /// The largest difference of time comes first, be it slower or faster.
  std::vector<Slowdown> rows;
  std::array<Uncompared, Slowdown::kKinds> uncompared;  ///< by kind
  bool per_step = false;
  std::uint64_t control_steps = 0;  ///< summed over ranks
  std::uint64_t test_steps = 0;
  std::string partial;  ///< what is left out of either because traces end early; "" if nothing
  std::string title;    ///< with what differs between the profiles: "What became slower: A100 → V100"
};

/// All that occurs in either profile. Names that take less than `least_share` of the time of their kind in both are one
/// row, of those in both if there are no steps. Kernels: also memcpys and memsets; operators count with what they
/// call. O(slices + names).
[[nodiscard]] Slowdowns slowdowns(const trace::Profile& control, const trace::Profile& test, double least_share);

/// Rows that became slower by more than `limit`, which both profiles have.
[[nodiscard]] std::size_t count_over(const Slowdowns& found, double limit);
/// The kinds to which names of the test alone add more than `limit` of the control's time. None without steps.
[[nodiscard]] std::vector<Slowdown::Kind> added_over(const Slowdowns& found, double limit);
/// How much time was not compared by name, as a sentence.
[[nodiscard]] std::string uncompared_text(const Slowdowns& found);

/// At most `most` rows (0: all); those by more than `limit`, if there is one, are marked.
[[nodiscard]] Table slowdown_table(const Slowdowns& found, std::optional<double> limit, std::size_t most);

}  // namespace warpscope::analysis
