#pragma once
// This process's memory usage as reported by the system; 0 if unavailable.
#include <cstdint>

namespace warpscope {

struct ProcessMemory {
  std::uint64_t resident = 0;  ///< current, in bytes
  std::uint64_t peak = 0;      ///< peak, in bytes
};

[[nodiscard]] ProcessMemory process_memory();

}  // namespace warpscope
