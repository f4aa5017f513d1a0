#pragma once
// Style of the report: the window's colors, dark or light as set on the reader's system, and light on paper.
#include <string>

#include "render/charts/svg_writer.hpp"

namespace warpscope::cli {

/// CSS for the page's <style> element. `colors`: those of the charts, which use the window's backgrounds.
[[nodiscard]] std::string report_style(const charts::SvgColors& colors);

}  // namespace warpscope::cli
