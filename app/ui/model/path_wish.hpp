#pragma once
// Request to show a critical path in the Timeline: rank, time range, weights, and the part to show. Other pages pass it
// to the session; the Timeline computes the path on another thread.
#include <cstdint>
#include <optional>
#include <string>

#include "core/analysis/critical_path/critical_path.hpp"

namespace warpscope::ui {

struct PathWish {
  std::uint32_t rank = 0;  ///< index
  Interval window;
  std::string of;  ///< "ProfilerStep#15 of rank 3"
  analysis::CriticalPathChoice choice{};
  std::string what_if{};                ///< "compute=0.5, without sync"; "" for the unmodified path
  std::optional<std::uint32_t> edge{};  ///< edge of the path to go to; otherwise the whole path is shown
};

}  // namespace warpscope::ui
