#include "app/ui/dashboard/absent_data.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "core/analysis/shared/sampled.hpp"

namespace warpscope::ui {

AbsentData absent_data(const trace::Profile& profile) {
  AbsentData absent;
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

bool is_absent(const PanelSpec& spec, const AbsentData& absent) {
  return absent.test(static_cast<std::size_t>(spec.need));
}

std::vector<std::string> absent_lines(const AbsentData& absent) {
  std::vector<std::pair<std::string_view, std::string>> lines;  // advice on recording the data, and the panels' titles
  for (const PanelSpec& spec : panel_specs()) {
    if (!is_absent(spec, absent)) continue;
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

}  // namespace warpscope::ui
