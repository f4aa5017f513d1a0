#pragma once
// Runs independent units of work, for callers that can share them among threads.
#include <cstddef>
#include <functional>

namespace warpscope::ingest {

/// Calls unit(0) … unit(count - 1) in any order and on any threads; returns when all are done.
using UnitRunner = std::function<void(std::size_t count, const std::function<void(std::size_t)>& unit)>;

/// Runs them in order on this thread.
inline void run_in_order(std::size_t count, const std::function<void(std::size_t)>& unit) {
  for (std::size_t i = 0; i < count; ++i) unit(i);
}

}  // namespace warpscope::ingest
