#pragma once
// Links from other pages to locations in the Timeline, and from diagnostics to the affected slices.
#include "app/ui/app_context.hpp"
#include "app/ui/model/timeline_request.hpp"
#include "core/base/diagnostics.hpp"

namespace warpscope::ui {

/// Passes the request to the Timeline and switches to that page.
void show_in_timeline_page(AppContext& app, TimelineRequest request);

/// True if the diagnostic has a position in its file, which jump_to() requires.
[[nodiscard]] bool has_place(const Diagnostic& diagnostic);

/// Selects the affected slice of the current profile and shows it in the Timeline; shows a message if there is none.
/// O(slices of the file).
void jump_to(AppContext& app, const Diagnostic& diagnostic);

}  // namespace warpscope::ui
