#include "tests/core/rules/training_job.hpp"

#include <utility>

namespace warpscope::tests {

std::string training_events(const TrainingShape& shape, const InjectDefect& defect) {
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

std::string training_metadata(const TrainingShape& shape) {
  return R"("deviceProperties": [{"id": 0, "name": "A100", "totalGlobalMem": 80000000000, "computeMajor": 8}])" +
         (shape.extra.empty() ? "" : ", " + shape.extra);
}

std::shared_ptr<const trace::Profile> training_profile(const TrainingShape& shape, const InjectDefect& defect) {
  return load_events(training_events(shape, defect), training_metadata(shape));
}

std::shared_ptr<const trace::Profile> waiting_profile(const InjectDefect& inject, const WaitingShape& shape,
                                                      const std::string& metadata) {
  TinyEvents events;
  int correlation = 1;
  for (int s = 0; s < 8; ++s) {
    const double begin = 1'000 + s * 10'000;
    events.step(s + 1, begin, 10'000);
    for (int k = 0; k < shape.kernels; ++k, ++correlation) {
      events.launch(begin + 5 + k * 5, correlation);
      events.run({.name = "fp16_s16816gemm", .begin = begin + 15 + k * 100, .length = 99, .correlation = correlation});
    }
    events.op("aten::item", begin + 450, shape.waits_until - 450);
    events.launch(begin + 460, 0, "cudaStreamSynchronize", shape.waits_until - 470);
    if (inject) inject(events, s, begin, 1'000'000 + s * 1'000);
  }
  return metadata.empty() ? load_events(events.text()) : load_events(events.text(), metadata);
}

rules::Evaluation rules_evaluated(const trace::Profile& profile, std::vector<analysis::Setting> settings) {
  auto evaluation = rules::evaluate({.profile = profile, .scope = {}, .values = {}}, {.settings = settings});
  INFO((evaluation ? std::string() : evaluation.error().message()));
  REQUIRE(evaluation);
  return std::move(*evaluation);
}

const rules::Outcome& outcome_of(const rules::Evaluation& evaluation, std::string_view rule) {
  for (const rules::Evaluated& each : evaluation.rules)
    if (each.rule->name == rule) return each.outcome;
  FAIL("no rule " << rule);
  return evaluation.rules.front().outcome;
}

std::vector<std::string> found_rules(const rules::Evaluation& evaluation) {
  std::vector<std::string> names;
  for (const rules::Ranked& each : evaluation.findings) names.emplace_back(each.rule->name);
  return names;
}

}  // namespace warpscope::tests
