#pragma once
// Work in units that do not depend on each other, for whoever has threads to share it among.
#include <cstddef>
#include <functional>

namespace warpscope::ingest {

/// Calls unit(0) … unit(count - 1), in any order and on any threads, and returns when all of them have.
using UnitRunner = std::function<void(std::size_t count, const std::function<void(std::size_t)>& unit)>;

/// One after the other, on this thread.
inline void run_in_order(std::size_t count, const std::function<void(std::size_t)>& unit) {
  for (std::size_t i = 0; i < count; ++i) unit(i);
}

}  // namespace warpscope::ingest
