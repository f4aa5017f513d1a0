#pragma once
// The style of the report. It uses the window's colors: dark or light depending on the reader's system, always light in
// print.
#include <string>

#include "render/charts/svg_writer.hpp"

namespace warpscope::cli {

/// Returns the CSS for the page's <style> element. `colors`: the chart colors, which match the window's backgrounds.
[[nodiscard]] std::string report_style(const charts::SvgColors& colors);

}  // namespace warpscope::cli
