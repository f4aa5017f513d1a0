#pragma once
// Utilization has two sources: what ran, as the trace tells it, and what SageMaker Debugger's agents sampled. Where a
// profile has both, panels of utilization can be switched; where it has one, there is nothing to choose.
#include <cstddef>
#include <span>

#include "app/ui/dashboard/panel_spec.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

struct PanelSources {
  bool gpus = false;  ///< both the GPUs' runs and samples of them
  bool cpus = false;  ///< both host threads' calls and samples of cores

  friend bool operator==(const PanelSources&, const PanelSources&) = default;
};

[[nodiscard]] PanelSources sources_of(const trace::Profile& profile);

/// What a panel's user can choose among.
[[nodiscard]] std::span<const PanelChoice> offered_choices(const PanelSpec& spec, const PanelSources& sources);

/// The choice of that index, the first one if it is not offered; null if none is.
[[nodiscard]] const PanelChoice* chosen_of(const PanelSpec& spec, std::size_t choice, const PanelSources& sources);

}  // namespace warpscope::ui
