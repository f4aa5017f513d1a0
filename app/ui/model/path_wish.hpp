#pragma once
// The critical path that the Timeline is asked for: of which rank, in which stretch of time, counted how, and what of
// it is to be shown. Other pages hand it to the session; the Timeline finds the path, off the window's thread.
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
  std::string what_if{};                ///< "compute=0.5, without sync"; "" for the path as it is
  std::optional<std::uint32_t> edge{};  ///< link of the path, to be gone to; else all of it is shown
};

}  // namespace warpscope::ui
