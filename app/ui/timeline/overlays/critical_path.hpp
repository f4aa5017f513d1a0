#pragma once
// Draws a critical path over the canvas: one arrow per edge, and labels where they fit.
#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "render/scene/path_arrows.hpp"

namespace warpscope::ui {

class CriticalPathOverlay final : public Overlay {
 public:
  void draw(const OverlayFrame& frame) override;

  /// Arrows drawn in the last frame.
  [[nodiscard]] const scene::PathInView& in_view() const { return in_view_; }
  /// Returns the index in PathChain::links() of the edge whose arrow is near `at`; nullopt if there is none.
  [[nodiscard]] std::optional<std::uint32_t> link_at(scene::Point at, float scale) const;

 private:
  void draw_words(const OverlayFrame& frame, const scene::PathChain& chain) const;

  scene::PathInView in_view_;
  scene::TimelineInput made_of_;
  std::shared_ptr<const scene::PathChain> chain_;
};

/// A label, or the room for it.
struct WordBox {
  ImVec2 from;
  ImVec2 to;
};
/// Centers a label, or moves it to the edge of the room; nullopt if the center is outside or the label does not fit.
[[nodiscard]] std::optional<WordBox> place_in(ImVec2 centre, ImVec2 size, const WordBox& room);

/// Returns the label of an edge: "launch 5.12 µs", "wait", "rank 3 → 5".
[[nodiscard]] std::string words_of(const trace::Profile& profile, const scene::PathLink& link);

}  // namespace warpscope::ui
