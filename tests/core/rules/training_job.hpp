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

inline std::string training_events(const TrainingShape& shape, const InjectDefect& defect) {
  TinyEvents events;
  int correlation = 1;
  for (int s = 0; s < shape.steps; ++s) {
    const double begin = 1'000 + s * shape.step;
    events.step(s + 1, begin, shape.step);
    for (double at = 0; at + shape.kernel <= shape.step; at += shape.kernel + shape.gap) {
      if (at < shape.hole_end && at + shape.kernel > shape.hole_begin) continue;
      events.launch(begin + at - shape.lead, correlation);
      events.run({.name = shape.kernel_name, .begin = begin + at, .length = shape.kernel, .correlation = correlation});
      ++correlation;
    }
    if (defect) defect(events, s, begin, 1'000'000 + s * 1'000);
  }
  return events.text();
}

inline std::string training_metadata(const TrainingShape& shape) {
  return R"("deviceProperties": [{"id": 0, "name": "A100", "totalGlobalMem": 80000000000, "computeMajor": 8}])" +
         (shape.extra.empty() ? "" : ", " + shape.extra);
}

inline std::shared_ptr<const trace::Profile> training_profile(const TrainingShape& shape = {},
                                                              const InjectDefect& defect = {}) {
  return load_events(training_events(shape, defect), training_metadata(shape));
}

inline rules::Evaluation rules_evaluated(const trace::Profile& profile, std::vector<analysis::Setting> settings = {}) {
  auto evaluation = rules::evaluate({.profile = profile, .scope = {}, .values = {}}, {.settings = settings});
  INFO((evaluation ? std::string() : evaluation.error().message()));
  REQUIRE(evaluation);
  return std::move(*evaluation);
}

inline const rules::Outcome& outcome_of(const rules::Evaluation& evaluation, std::string_view rule) {
  for (const rules::Evaluated& each : evaluation.rules)
    if (each.rule->name == rule) return each.outcome;
  FAIL("no rule " << rule);
  return evaluation.rules.front().outcome;
}

/// Returns true if `value` is within `percent` % of `expected`.
inline bool within_percent(double value, double expected, double percent) {
  return std::abs(value - expected) <= expected * percent / 100;
}

/// Rules of the findings, in order.
inline std::vector<std::string> found_rules(const rules::Evaluation& evaluation) {
  std::vector<std::string> names;
  for (const rules::Ranked& each : evaluation.findings) names.emplace_back(each.rule->name);
  return names;
}

}  // namespace warpscope::tests
