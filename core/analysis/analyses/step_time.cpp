// step_time: durations of training steps.
#include <algorithm>
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/shared/distribution.hpp"
#include "core/base/counted.hpp"

namespace warpscope::analysis::registered::step_time {

namespace {

constexpr std::array kParameters{kBinsParameter};

std::string note(const trace::Profile& profile, const std::vector<StepSample>& samples) {
  if (samples.empty() && !profile.steps.empty()) return "No step on these ranks lies entirely within this range.";
  if (samples.empty()) return "No steps in this selection. Call the profiler's step() or add annotations named step_N.";
  std::size_t on_gpu = 0;
  for (const StepSample& sample : samples) on_gpu += sample.source == StepSource::gpu ? 1 : 0;
  std::string text;
  if (on_gpu > 0)
    text = counted(on_gpu, "step", "steps") +
           " on the GPU, each from the end of the previous step's GPU activity to the end of its own";
  if (on_gpu < samples.size())
    text += (text.empty() ? "" : "; ") + counted(samples.size() - on_gpu, "step", "steps") +
            " on the host, because no GPU activity was launched";
  return text + ".";
}

Table steps_table(const trace::Profile& profile, const std::vector<StepSample>& samples) {
  Table table(
      "steps", "Steps",
      {col::node, col::rank, col::step, col::begin(), col::duration, col::ns("host duration"), col::text("source")});
  table.reserve(samples.size());
  for (const StepSample& sample : samples)
    table.add_row({profile.nodes[profile.node_of_rank[sample.slice.rank]].label,
                   profile.ranks[sample.slice.rank]->number,
                   Cell(profile.names().view(sample.name), sample.slice.slice), sample.begin - profile.span.begin,
                   sample.duration, profile.duration(sample.slice), to_string(sample.source)});
  return table;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const std::vector<StepSample> samples = step_samples(input.profile, input.scope, input.cancel);
  std::vector<Ns> durations;
  durations.reserve(samples.size());
  for (const StepSample& sample : samples) durations.push_back(sample.duration);
  Table bins = histogram_table("step-time", "Step time distribution", durations, histogram_bins(input.values));
  bins.note = note(input.profile, samples);
  Table figures = statistics_table("Step time", std::move(durations));
  figures.note = bins.note;
  return std::vector{std::move(bins), std::move(figures), steps_table(input.profile, samples)};
}

}  // namespace

extern const Analysis kAnalysis{
    "step_time", "Step time distribution",
    "Duration of each step on each rank. If the step launched GPU activity, from the end of the activity launched "
    "before it to the end of its own, so the durations add up; otherwise on the host.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::step_time
