#include "app/ui/timeline/panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/slices/slice_details.hpp"

namespace warpscope::ui {

std::span<const TabSpec> tab_specs() {
#define WARPSCOPE_LIST(name) registered::name::kTab,
  static const std::array kAll{WARPSCOPE_TABS(WARPSCOPE_LIST)};
#undef WARPSCOPE_LIST
  return kAll;
}

std::string track_path(const trace::Profile& profile, trace::SliceRef slice) {
  std::string path = analysis::track_name(profile, slice);
  if (profile.ranks.size() > 1) path = "rank " + std::to_string(profile.ranks[slice.rank]->number) + " · " + path;
  return path;
}

}  // namespace warpscope::ui
