// step_time: durations of training steps.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/shared/distribution.hpp"

namespace warpscope::analysis::registered::step_time {

namespace {

constexpr std::array kParameters{kBinsParameter, kWidthParameter, kLogParameter};

std::string note(const trace::Profile& profile, const std::vector<StepSample>& samples) {
  if (samples.empty() && !profile.steps.empty()) return "No step on these ranks lies entirely within this range.";
  if (samples.empty()) return "No steps in this selection. Call the profiler's step() or add annotations named step_N.";
  constexpr std::array<std::string_view, 4> kMeaning{"duration of the step's annotation on the GPU",
                                                     "from the first to the last GPU activity launched in the step",
                                                     "duration on the host (no GPU activity launched)",
                                                     "from the first to the last GPU activity launched in the step, "
                                                     "because its annotation on the GPU covers less than half of it"};
  std::array<std::size_t, kMeaning.size()> by_source{};
  for (const StepSample& sample : samples)
    ++by_source[sample.short_annotation ? kMeaning.size() - 1 : static_cast<std::size_t>(sample.source)];
  std::string text;
  for (std::size_t s = 0; s < by_source.size(); ++s) {
    if (by_source[s] == 0) continue;
    text += fmt::format("{}{} {}: {}", text.empty() ? "" : "; ", by_source[s], by_source[s] == 1 ? "step" : "steps",
                        kMeaning[s]);
  }
  return text + ".";
}

Table steps_table(const trace::Profile& profile, const std::vector<StepSample>& samples) {
  Table table(
      "steps", "Steps",
      {col::node, col::rank, col::step, col::begin(), col::duration, col::ns("host duration"), col::text("source")});
  table.reserve(samples.size());
  for (const StepSample& sample : samples)
    table.add_row({profile.nodes[profile.node_of_rank[sample.slice.rank]].label,
                   profile.ranks[sample.slice.rank]->number, profile.names().view(sample.name),
                   sample.begin - profile.span.begin, sample.duration, profile.duration(sample.slice),
                   to_string(sample.source)});
  return table;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const std::vector<StepSample> samples = step_samples(input.profile, input.scope, input.cancel);
  std::vector<Ns> durations;
  durations.reserve(samples.size());
  for (const StepSample& sample : samples) durations.push_back(sample.duration);
  auto bins = histogram_table("step-time", "Step time distribution", durations, histogram_options(input.values));
  if (!bins) return bins.error();
  bins->note = note(input.profile, samples);
  Table figures = statistics_table("Step time", std::move(durations));
  figures.note = bins->note;
  return std::vector{std::move(*bins), std::move(figures), steps_table(input.profile, samples)};
}

}  // namespace

extern const Analysis kAnalysis{
    "step_time", "Step time distribution",
    "Duration of each step on each rank: on the GPU if the step launched GPU activity, otherwise on the host.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::step_time
