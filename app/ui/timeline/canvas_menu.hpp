#pragma once
// Context menu of the canvas, with actions for the slice and its track.
#include <functional>
#include <optional>
#include <string_view>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/hit_test.hpp"

namespace warpscope::ui {

class CanvasMenu {
 public:
  /// Releases the profile.
  void forget() {
    slice_.reset();
    profile_.reset();
  }
  /// Opens the menu for the item under the pointer.
  void open(const TimelineState& state, const scene::Hit& hit);
  /// Draws the menu. `select`: selects a slice; `filter`: adds a filter expression as a chip.
  void draw(AppContext& app, TimelineState& state, const std::function<void(trace::SliceRef)>& select,
            const std::function<void(std::string_view)>& filter);

 private:
  void draw_slice_items(AppContext& app, TimelineState& state, const std::function<void(trace::SliceRef)>& select,
                        const std::function<void(std::string_view)>& filter);
  /// Draws menu items for setting the class of kernels with this name.
  void draw_class_items(AppContext& app, std::string_view name);

  bool wanted_ = false;
  std::shared_ptr<const trace::Profile> profile_;  // of slice_
  std::optional<trace::SliceRef> slice_;
  std::uint64_t track_ = 0;
};

/// Returns a filter expression that matches only slices with exactly this name.
[[nodiscard]] std::string filter_for_name(std::string_view name);

}  // namespace warpscope::ui
