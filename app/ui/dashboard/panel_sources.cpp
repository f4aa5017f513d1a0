#include "app/ui/dashboard/panel_sources.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/sampled.hpp"

namespace warpscope::ui {

namespace {

std::bitset<kPanelNeeds> absent_in(const trace::Profile& profile) {
  std::bitset<kPanelNeeds> absent;
  if (!profile.complete) return absent;
  const auto sampled = [&](std::initializer_list<trace::Metric> metrics) {
    return std::ranges::any_of(
        metrics, [&](trace::Metric metric) { return !analysis::nodes_sampling(profile, {}, metric).empty(); });
  };
  const auto needs = [&](PanelNeed need, bool there) { absent.set(static_cast<std::size_t>(need), !there); };
  const bool gpus = profile.gpus > 0;
  needs(PanelNeed::gpu_activity, gpus);
  needs(PanelNeed::gpu_load, gpus || sampled({trace::Metric::gpu_utilisation}));
  needs(PanelNeed::steps, !profile.steps.empty());
  needs(PanelNeed::host_load, gpus || sampled({trace::Metric::cpu_utilisation}));
  needs(PanelNeed::host_memory, sampled({trace::Metric::host_memory}));
  needs(PanelNeed::disk,
        sampled({trace::Metric::disk_read, trace::Metric::disk_written, trace::Metric::disk_operations}));
  needs(PanelNeed::network, sampled({trace::Metric::network_received, trace::Metric::network_sent}));
  return absent;
}

}  // namespace

bool is_absent(const PanelSpec& spec, const PanelSources& sources) {
  return sources.absent.test(static_cast<std::size_t>(spec.need));
}

std::vector<std::string> absent_lines(const PanelSources& sources) {
  std::vector<std::pair<std::string_view, std::string>> lines;  // advice on recording the data, and the panels' titles
  for (const PanelSpec& spec : panel_specs()) {
    if (!is_absent(spec, sources)) continue;
    const std::string_view missing = missing_of(spec.need);
    const auto line = std::ranges::find(lines, missing, [](const auto& each) { return each.first; });
    if (line == lines.end())
      lines.emplace_back(missing, "Not in this recording: " + std::string(spec.title));
    else
      line->second.append(", ").append(spec.title);
  }
  std::vector<std::string> sentences;
  for (const auto& [missing, titles] : lines) sentences.push_back(titles + ". " + std::string(missing));
  return sentences;
}

PanelSources sources_of(const trace::Profile& profile) {
  const auto sampled = [&](trace::Metric metric) { return !analysis::nodes_sampling(profile, {}, metric).empty(); };
  // Traces without host calls are rare, and the panel reports them.
  return {.gpus = sampled(trace::Metric::gpu_utilisation) && !analysis::gpus_in(profile, {}).empty(),
          .cpus = sampled(trace::Metric::cpu_utilisation) && profile.gpus > 0,
          .absent = absent_in(profile)};
}

std::span<const PanelChoice> offered_choices(const PanelSpec& spec, const PanelSources& sources) {
  if (spec.need == PanelNeed::host_load ? sources.cpus : sources.gpus) return spec.choices;
  const auto first = std::ranges::find(spec.choices, true, &PanelChoice::of_two_sources);
  return spec.choices.first(static_cast<std::size_t>(first - spec.choices.begin()));
}

const PanelChoice* chosen_of(const PanelSpec& spec, std::size_t choice, const PanelSources& sources) {
  const std::span<const PanelChoice> offered = offered_choices(spec, sources);
  if (offered.empty()) return nullptr;
  return &offered[choice < offered.size() ? choice : 0];
}

}  // namespace warpscope::ui
