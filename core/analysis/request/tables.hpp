#pragma once
// Helpers shared by the tables of several analyses.
#include <concepts>

#include "core/analysis/request/parameters.hpp"
#include "core/base/table.hpp"

namespace warpscope::analysis {

/// Returns `part` / `whole`; missing if the whole is not positive.
template <class Number>
requires std::integral<Number> || std::floating_point<Number>
[[nodiscard]] Cell share_of(Number part, Number whole) {
  if (!(whole > 0)) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// Parameter `k` of analyses that list the first k names and sum up all others in one row.
[[nodiscard]] constexpr Parameter top_parameter() {
  return {.name = "k",
          .about = "number of kernels listed by name, 0 for all",
          .kind = ParameterKind::integer,
          .preset = "15",
          .least = 0,
          .most = 1e6};
}

}  // namespace warpscope::analysis
