#pragma once
// How the report looks: the window's colours, told by the reader's system to be dark or light, and light on paper.
#include <string>

#include "render/charts/svg_writer.hpp"

namespace warpscope::cli {

/// The contents of the page's <style>. `colors`: those of its charts, which stand on the window's grounds.
[[nodiscard]] std::string report_style(const charts::SvgColors& colors);

}  // namespace warpscope::cli
