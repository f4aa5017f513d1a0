#pragma once
// Formats a count with its noun: "1 file", "12 345 files".
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/format.hpp"

namespace warpscope {

[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return format_count(static_cast<std::int64_t>(count)).append(" ").append(count == 1 ? one : many);
}

}  // namespace warpscope
