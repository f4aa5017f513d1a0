#pragma once
// Writes reports for the window.
#include "app/ui/shell/report_saver.hpp"

namespace warpscope::cli {

/// Returns the function that writes reports.
[[nodiscard]] ui::WriteReport report_writer();

}  // namespace warpscope::cli
