#pragma once
// Writes lines of SageMaker Debugger's system metrics, and reads the resulting samples.
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/system_metrics.hpp"

namespace warpscope::tests {

/// One line with the utilization of a core. `time` is in seconds since the epoch.
inline std::string metrics_line(const std::string& time, const std::string& value, const std::string& name = "cpu0") {
  return R"({"Type":"cpu","Name":")" + name + R"(","Dimension":"CPUUtilization","Value":)" + value +
         R"(,"NodeId":"algo-1","Timestamp":)" + time + "}\n";
}

using Samples = std::vector<std::pair<Ns, float>>;

/// Values of a series by time, without gaps.
inline Samples samples_of(const trace::NodeMetrics& metrics, trace::Metric metric, std::uint32_t instance) {
  Samples result;
  for (const trace::MetricSeries& one : metrics.of(metric))
    for (std::size_t i = 0; one.instance == instance && i < one.counter.size(); ++i)
      if (!std::isnan(one.counter.value(i))) result.emplace_back(one.counter.time(i), one.counter.value(i));
  return result;
}

}  // namespace warpscope::tests
