#pragma once
// What the window writes its reports with.
#include "app/ui/shell/report_saver.hpp"

namespace warpscope::cli {

/// Call before there are threads (usual_permissions()).
[[nodiscard]] ui::WriteReport report_writer();

}  // namespace warpscope::cli
