#pragma once
// The menu of a right click on the canvas: what can be done with the slice there, and with its track.
#include <functional>
#include <optional>
#include <string_view>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/hit_test.hpp"

namespace warpscope::ui {

class CanvasMenu {
 public:
  /// Lets go of the profile that was shown.
  void forget() {
    slice_.reset();
    profile_.reset();
  }
  /// Opens it for what was hit.
  void open(const TimelineState& state, const scene::Hit& hit);
  /// `select`: selects a slice; `filter`: adds a filter expression as a chip.
  void draw(AppContext& app, TimelineState& state, const std::function<void(trace::SliceRef)>& select,
            const std::function<void(std::string_view)>& filter);

 private:
  void draw_slice_items(AppContext& app, TimelineState& state, const std::function<void(trace::SliceRef)>& select,
                        const std::function<void(std::string_view)>& filter);
  /// What analyses take kernels of this name for.
  void draw_class_items(AppContext& app, std::string_view name);

  bool wanted_ = false;
  std::shared_ptr<const trace::Profile> profile_;  // that slice_ is of
  std::optional<trace::SliceRef> slice_;
  std::uint64_t track_ = 0;
};

/// The filter expression that only slices of this very name pass.
[[nodiscard]] std::string filter_for_name(std::string_view name);

}  // namespace warpscope::ui
