#pragma once
// Order of names as people count: "rank2" before "rank10".
#include <string_view>

namespace warpscope {

/// True if a comes before b; runs of digits compare as numbers, letters without their case, the rest
/// byte by byte. Names that are equal so are told apart by their bytes.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace warpscope
