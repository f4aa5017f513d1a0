#pragma once
// Natural order of names: "rank2" before "rank10".
#include <string_view>

namespace warpscope {

/// True if a comes before b. Compares runs of digits as numbers, letters case-insensitively, and everything else byte
/// by byte. Breaks ties by comparing bytes.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace warpscope
