#pragma once
// Critical path legend below the canvas: rank or ranks, path length, share of each class, arrow styles and
// current segment.
#include <imgui.h>

#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/overlays/shown_path.hpp"
#include "render/scene/path_arrows.hpp"

namespace warpscope::ui {

/// A class and its share of the path.
struct PathShare {
  analysis::TimeLabel what = analysis::TimeLabel::unknown;
  double share = 0;
};
/// Returns the classes on the path, largest first; omits those that take no time.
[[nodiscard]] std::vector<PathShare> path_shares(const scene::PathChain& chain);

/// Returns "Segment 12 of 340: launch latency, 5.12 µs, 0.8 %". Without a current segment, returns the number of
/// segments and the keys for stepping through them.
[[nodiscard]] std::string segment_words(const ShownPath& shown, std::string_view keys);
/// Returns "400 of 3 120 edges shown; zoom in to see the rest"; "" if all are shown.
[[nodiscard]] std::string count_words(const scene::PathInView& in_view);

/// Draws the legend in one to three columns at `at`, in screen px; returns its height. `list`: null to measure only.
float draw_path_legend(const AppContext& app, const trace::Profile& profile, ImDrawList* list, ImVec2 at, float width,
                       const ShownPath& shown, const scene::PathInView& in_view);

}  // namespace warpscope::ui
