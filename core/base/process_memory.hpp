#pragma once
// How much memory this process holds, as the system counts it. 0 where the system does not say.
#include <cstdint>

namespace warpscope {

struct ProcessMemory {
  std::uint64_t resident = 0;  ///< bytes now
  std::uint64_t peak = 0;      ///< most there ever were
};

[[nodiscard]] ProcessMemory process_memory();

}  // namespace warpscope
