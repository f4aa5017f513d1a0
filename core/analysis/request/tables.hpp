#pragma once
// What the tables of several analyses share.
#include <concepts>

#include "core/analysis/request/parameters.hpp"
#include "core/base/table.hpp"

namespace warpscope::analysis {

/// `part` / `whole`; missing if the whole is nothing, which no share is of.
template <class Number>
requires std::integral<Number> || std::floating_point<Number>
[[nodiscard]] Cell share_of(Number part, Number whole) {
  if (!(whole > 0)) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// `k` of analyses that tell the first k by name and all others as one row.
[[nodiscard]] constexpr Parameter top_parameter() {
  return {.name = "k",
          .about = "number of kernels listed by name, 0 for all",
          .kind = ParameterKind::integer,
          .preset = "15",
          .least = 0,
          .most = 1e6};
}

}  // namespace warpscope::analysis
