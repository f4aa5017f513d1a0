#pragma once
// Writes reports for the window.
#include "app/ui/shell/report_saver.hpp"

namespace warpscope::cli {

/// Call before starting threads (usual_permissions()).
[[nodiscard]] ui::WriteReport report_writer();

}  // namespace warpscope::cli
