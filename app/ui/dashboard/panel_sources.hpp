#pragma once
// Utilization has two sources: activity in the trace and samples of SageMaker Debugger's agents. Utilization panels can
// switch between them if a profile has both.
#include <cstddef>
#include <span>

#include "app/ui/dashboard/panel_spec.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

struct PanelSources {
  bool gpus = false;  ///< has both GPU activity and GPU samples
  bool cpus = false;  ///< has both host calls and CPU core samples

  friend bool operator==(const PanelSources&, const PanelSources&) = default;
};

[[nodiscard]] PanelSources sources_of(const trace::Profile& profile);

/// Returns the choices that the panel offers.
[[nodiscard]] std::span<const PanelChoice> offered_choices(const PanelSpec& spec, const PanelSources& sources);

/// Returns the choice with that index; the first one if it is not offered, null if none is.
[[nodiscard]] const PanelChoice* chosen_of(const PanelSpec& spec, std::size_t choice, const PanelSources& sources);

}  // namespace warpscope::ui
