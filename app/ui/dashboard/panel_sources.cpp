#include "app/ui/dashboard/panel_sources.hpp"

#include <algorithm>

#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/sampled.hpp"

namespace warpscope::ui {

PanelSources sources_of(const trace::Profile& profile) {
  const auto sampled = [&](trace::Metric metric) { return !analysis::nodes_sampling(profile, {}, metric).empty(); };
  // Traces without host calls are rare, and the panel reports them.
  return {.gpus = sampled(trace::Metric::gpu_utilisation) && !analysis::gpus_in(profile, {}).empty(),
          .cpus = sampled(trace::Metric::cpu_utilisation) && !profile.ranks.empty()};
}

std::span<const PanelChoice> offered_choices(const PanelSpec& spec, const PanelSources& sources) {
  if (spec.host ? sources.cpus : sources.gpus) return spec.choices;
  const auto first = std::ranges::find(spec.choices, true, &PanelChoice::of_two_sources);
  return spec.choices.first(static_cast<std::size_t>(first - spec.choices.begin()));
}

const PanelChoice* chosen_of(const PanelSpec& spec, std::size_t choice, const PanelSources& sources) {
  const std::span<const PanelChoice> offered = offered_choices(spec, sources);
  if (offered.empty()) return nullptr;
  return &offered[choice < offered.size() ? choice : 0];
}

}  // namespace warpscope::ui
