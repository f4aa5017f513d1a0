#pragma once
// A bar that accounts for all evaluated GPU time, above the findings: computation, communication, waits, memory
// operations, and idle time by cause. Each part leads to the finding about it, if any.
#include <cstddef>
#include <optional>

#include "app/ui/app_context.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::ui {

/// Draws the bar and the names of its largest parts; nothing without GPU time. Returns the finding whose part was
/// clicked.
std::optional<std::size_t> draw_account_bar(AppContext& app, const rules::Evaluation& evaluation, float width);

}  // namespace warpscope::ui
