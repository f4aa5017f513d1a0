#pragma once
// Determines which panels a profile has data for. Utilization has two sources: activity in the trace and samples from
// SageMaker Debugger's agents or `warpscope record`. Utilization panels can switch between them if a profile has both.
// Panels without data are replaced by a line of text that lists them.
#include <bitset>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "app/ui/dashboard/panel_spec.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

struct PanelSources {
  bool gpus = false;                  ///< has both GPU activity and GPU samples
  bool cpus = false;                  ///< has both host calls and CPU core samples
  std::bitset<kPanelNeeds> absent{};  ///< by PanelNeed; none while the profile is loading

  friend bool operator==(const PanelSources&, const PanelSources&) = default;
};

[[nodiscard]] PanelSources sources_of(const trace::Profile& profile);

[[nodiscard]] bool is_absent(const PanelSpec& spec, const PanelSources& sources);
/// Returns a sentence for each kind of data that panels need but the profile lacks, listing the affected panels and
/// explaining how to record the data.
[[nodiscard]] std::vector<std::string> absent_lines(const PanelSources& sources);

/// Returns the choices that the panel offers.
[[nodiscard]] std::span<const PanelChoice> offered_choices(const PanelSpec& spec, const PanelSources& sources);

/// Returns the choice with this index, or the first choice if the panel does not offer it; null if it offers none.
[[nodiscard]] const PanelChoice* chosen_of(const PanelSpec& spec, std::size_t choice, const PanelSources& sources);

}  // namespace warpscope::ui
