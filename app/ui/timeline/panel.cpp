#include "app/ui/timeline/panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/slices/slice_details.hpp"

namespace warpscope::ui {

std::vector<std::unique_ptr<Panel>> make_panels() {
  std::vector<std::unique_ptr<Panel>> panels;
  panels.push_back(make_selection_panel());
  panels.push_back(make_connections_panel());
  panels.push_back(make_range_panel());
  panels.push_back(make_diagnostics_panel());
  return panels;
}

std::string track_path(const trace::Profile& profile, trace::SliceRef slice) {
  std::string path = analysis::track_name(profile, slice);
  if (profile.ranks.size() > 1) path = "rank " + std::to_string(profile.ranks[slice.rank]->number) + " · " + path;
  return path;
}

}  // namespace warpscope::ui
