#pragma once
// A healthy training job in which a test can inject one defect. Each step of 10 ms keeps the GPU busy with compute
// kernels that were launched in time.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/rules/registry.hpp"
#include "core/rules/settings.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

namespace warpscope::tests {

/// Times in µs.
struct TrainingShape {
  int steps = 8;
  double step = 10'000;  ///< length of a step
  double kernel = 99;    ///< length of a kernel
  double gap = 1;        ///< between kernels
  double lead = 200;     ///< from a launch to its kernel
  std::string kernel_name = "ampere_fp16_s16816gemm_fp16_128x128";
  /// Part of a step that is reserved for the defect, without regular kernels: its start and end, relative to the start
  /// of the step.
  double hole_begin = 0;
  double hole_end = 0;
  std::string extra{};  ///< metadata: "\"key\": value"
};

/// Adds the defect to a step that starts at `begin`; the 1000 correlation ids from `correlation` on are free.
using InjectDefect = std::function<void(TinyEvents& events, int step, double begin, int correlation)>;

std::string training_events(const TrainingShape& shape, const InjectDefect& defect);

std::string training_metadata(const TrainingShape& shape);

std::shared_ptr<const trace::Profile> training_profile(const TrainingShape& shape = {},
                                                       const InjectDefect& defect = {});

/// A job whose host launches 8 ms of kernels in each step of 10 ms, waits for them, and then works for almost 2 ms.
/// `inject` adds events to the wait, which starts 450 µs into the step.
struct WaitingShape {
  int kernels = 80;            ///< of 99 µs, one every 100 µs
  double waits_until = 8'020;  ///< µs since the start of the step
};
std::shared_ptr<const trace::Profile> waiting_profile(const InjectDefect& inject, const WaitingShape& shape = {},
                                                      const std::string& metadata = {});

rules::Evaluation rules_evaluated(const trace::Profile& profile, std::vector<analysis::Setting> settings = {});

const rules::Outcome& outcome_of(const rules::Evaluation& evaluation, std::string_view rule);

/// Returns true if `value` is within `percent` % of `expected`.
inline bool within_percent(double value, double expected, double percent) {
  return std::abs(value - expected) <= expected * percent / 100;
}

/// Rules of the findings, in order.
std::vector<std::string> found_rules(const rules::Evaluation& evaluation);

}  // namespace warpscope::tests
