#pragma once
// Profiles with made-up system metrics, sampled every half second.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/trace/profile.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::tests {

inline constexpr Ns kHalfSecond = 500'000'000;
inline constexpr std::size_t kSamples = 1'200;  // ten minutes

/// Value of a series at a sample.
using Value = std::function<double(std::size_t)>;

struct SampledNode {
  std::vector<Value> gpus;
  std::vector<Value> gpu_memory{};
  std::vector<Value> cores{};
  std::vector<Value> io_waits{};
};

inline Value always(double value) {
  return [=](std::size_t) { return value; };
}

/// `start`: one interval before the first sample.
inline std::vector<std::shared_ptr<const trace::NodeMetrics>> sampled_metrics(const std::vector<SampledNode>& nodes,
                                                                              std::size_t samples = kSamples,
                                                                              Ns start = 0) {
  std::vector<std::shared_ptr<const trace::NodeMetrics>> metrics;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    trace::MetricColumn column;
    for (std::size_t i = 0; i < samples; ++i) column.times.push_back(start + static_cast<Ns>(i + 1) * kHalfSecond);
    const auto add = [&](const std::vector<Value>& series, const char* type, const char* name, const char* dimension) {
      for (std::size_t k = 0; k < series.size(); ++k) {
        trace::MetricColumn::Series one{type, name + std::to_string(k), dimension, {}};
        for (std::size_t i = 0; i < samples; ++i) one.values.push_back(static_cast<float>(series[k](i)));
        column.series.push_back(std::move(one));
      }
    };
    add(nodes[n].gpus, "gpu", "gpu", "GPUUtilization");
    add(nodes[n].gpu_memory, "gpu", "gpu", "GPUMemoryUtilization");
    add(nodes[n].cores, "cpu", "cpu", "CPUUtilization");
    add(nodes[n].io_waits, "cpu", "cpu", "I/OWaitPercentage");
    trace::NodeMetrics::Origin origin;
    origin.node = "algo-" + std::to_string(n + 1);
    origin.source = "/job/" + origin.node;
    metrics.push_back(std::make_shared<const trace::NodeMetrics>(origin, std::vector<trace::MetricColumn>{column}));
  }
  return metrics;
}

inline std::shared_ptr<const trace::Profile> sampled_profile(const std::vector<SampledNode>& nodes,
                                                             std::size_t samples = kSamples) {
  return trace::assemble_profile("/job", std::make_shared<const trace::Dictionary>(), {}, {}, true,
                                 sampled_metrics(nodes, samples));
}

/// High in the first `share` of every hundred samples, otherwise low.
inline Value partly(int share, double high, double low) {
  return [=](std::size_t i) { return static_cast<int>(i % 100) < share ? high : low; };
}

}  // namespace warpscope::tests
