#include "app/ui/timeline/panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/timeline/connections_panel.hpp"
#include "app/ui/timeline/diagnostics_panel.hpp"
#include "app/ui/timeline/range_panel.hpp"
#include "app/ui/timeline/selection_panel.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/slices/slice_details.hpp"

namespace warpscope::ui {

std::vector<std::unique_ptr<Panel>> make_panels(AppContext& /*app*/) {
  std::vector<std::unique_ptr<Panel>> panels;
  panels.push_back(std::make_unique<SelectionPanel>());
  panels.push_back(std::make_unique<ConnectionsPanel>());
  panels.push_back(std::make_unique<RangePanel>());
  panels.push_back(std::make_unique<DiagnosticsPanel>());
  return panels;
}

std::string track_path(const trace::Profile& profile, trace::SliceRef slice) {
  std::string path = analysis::track_name(profile, slice);
  if (profile.ranks.size() > 1) path = "rank " + std::to_string(profile.ranks[slice.rank]->number) + " · " + path;
  return path;
}

}  // namespace warpscope::ui
