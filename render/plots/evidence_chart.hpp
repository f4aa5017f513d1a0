#pragma once
// Draws the evidence for a finding as a small chart next to the finding's text. It has no axes: each bar shows its
// value, and column charts show the largest value and the first and last label. Items are indices into Evidence::bars.
#include <string>

#include "core/rules/evidence.hpp"
#include "render/charts/drawing.hpp"

namespace warpscope::plots {

/// Returns the height of the chart in px at 1×; 0 if there is nothing to draw.
[[nodiscard]] float evidence_height(const rules::Evidence& evidence);
/// All lengths scale with `style`; `width` is in px.
[[nodiscard]] charts::Drawing draw_evidence(const rules::Evidence& evidence, float width,
                                            const charts::ChartStyle& style);
/// Returns the text of a tooltip, such as "short launch delays: 6.74 ms".
[[nodiscard]] std::string bar_words(const rules::Evidence& evidence, std::size_t bar);

}  // namespace warpscope::plots
