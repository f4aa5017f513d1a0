#pragma once
// Finds the code that runs while GPUs are idle: the outermost annotations and operators within the steps, on threads
// that launch GPU activity. A backward pass is attributed to the annotation that runs it, if any. Annotations
// longer than 90 % of the mean step are skipped.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/rules/evidence.hpp"
#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

struct IdleCode {
  std::size_t gpus = 1;             ///< number of GPUs considered: those with the most idle time
  Ns idle = 0;                      ///< all idle time
  std::map<std::string, Ns> times;  ///< idle time by name; overlapping calls are not counted twice
  std::string most;                 ///< the name with the most time; "" if there is none
  std::vector<Place> places{};      ///< calls of `most` with the most idle time

  /// Returns "; 60 % `is_in` forward"; "" if no name accounts for at least 10 %.
  [[nodiscard]] std::string clause(std::string_view is_in) const;
  /// Returns one bar per name and one for the rest, each with its mean per step. Empty for fewer than two names.
  [[nodiscard]] Evidence evidence(Facts& facts, std::string title) const;
  /// Appends `places` to `gaps`; if there are too many gaps, drops the shortest.
  void add_places(std::vector<Place>& gaps) const;
};

/// Finds the code that runs while each GPU is idle. `idle_of` returns a GPU's idle intervals, disjoint and sorted by
/// start. `gpu`: index into Facts::gpus(). O(host slices).
[[nodiscard]] IdleCode idle_code(Facts& facts,
                                 const std::function<const std::vector<Interval>&(std::size_t gpu)>& idle_of);

}  // namespace warpscope::rules
