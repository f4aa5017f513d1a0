#pragma once
// Order of names as people count: "rank2" before "rank10".
#include <string_view>

namespace warpscope {

/// True if a comes before b; runs of digits compare as numbers, the rest byte by byte.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace warpscope
