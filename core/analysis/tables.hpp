#pragma once
// What the tables of several analyses share.
#include <concepts>

#include "core/base/table.hpp"

namespace warpscope::analysis {

/// `part` / `whole`; missing if the whole is nothing, which no share is of.
template <class Number>
requires std::integral<Number> || std::floating_point<Number>
[[nodiscard]] Cell share_of(Number part, Number whole) {
  if (!(whole > 0)) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace warpscope::analysis
