#pragma once
// From a diagnostic to the place in the timeline that it is about.
#include <cstddef>

#include "app/ui/app_context.hpp"
#include "core/base/diagnostics.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

/// The diagnostic that a row of diagnostics_table() tells; null if the row is of another profile.
[[nodiscard]] const Diagnostic* diagnostic_of_row(const trace::Profile& profile, const Table& table, std::size_t row);

/// It tells where in its file it happened, so that jump_to() can try.
[[nodiscard]] bool has_place(const Diagnostic& diagnostic);

/// Selects the slice of the current profile that it is about and shows it in the Timeline; says so where there is none.
/// O(slices of the file).
void jump_to(AppContext& app, const Diagnostic& diagnostic);

}  // namespace warpscope::ui
