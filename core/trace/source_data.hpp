#pragma once
// The data from one source of a profile. Code that only passes the data on, such as the loader, does not depend on its
// kind.
#include <memory>

#include "core/trace/memory_timeline.hpp"
#include "core/trace/python_stats.hpp"
#include "core/trace/rank.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::trace {

/// At most one of these is set; none if there is nothing to show.
struct SourceData {
  std::shared_ptr<const Rank> rank{};
  std::shared_ptr<const NodeMetrics> metrics{};
  std::shared_ptr<const MemoryTimeline> memory{};
  std::shared_ptr<const PythonStats> python{};

  explicit operator bool() const { return rank || metrics || memory || python; }
};

}  // namespace warpscope::trace
