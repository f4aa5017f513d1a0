#pragma once
// Goes from another page to a place in the Timeline.
#include "app/ui/app_context.hpp"
#include "app/ui/model/timeline_request.hpp"

namespace warpscope::ui {

/// Passes the request to the Timeline and shows that page.
void show_in_timeline_page(AppContext& app, TimelineRequest request);

}  // namespace warpscope::ui
