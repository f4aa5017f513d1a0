#pragma once
// The pages between Load and Settings, for the window and snapshots.
#include <vector>

#include "app/ui/page.hpp"
#include "app/ui/timeline/timeline_page.hpp"

namespace warpscope::ui {

/// In the order of settings::kPageNames.
[[nodiscard]] std::vector<PageFactory> all_pages(TimelineOptions timeline = {});

}  // namespace warpscope::ui
