#pragma once
// The legend below the canvas: shows the color of each slice class and optional overlay. Clicking an entry or running
// its command shows or hides that class or overlay.
#include <imgui.h>

#include <optional>
#include <string_view>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

class ClassLegend {
 public:
  static constexpr float kHeight = 26;

  struct Item {
    std::optional<scene::Family> family{};  ///< the class; nullopt for an overlay
    const OverlaySpec* overlay = nullptr;
    float x = 0, y = 0, width = 0, height = 0;  // screen px
  };

  /// Adds the commands. Both arguments must outlive this object.
  ClassLegend(AppContext& app, TimelineState& state);

  void draw(AppContext& app, TimelineState& state, const OverlayInput& over, ImVec2 at, ImVec2 size);
  /// Items as last drawn.
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }

 private:
  std::vector<Item> items_;
};

/// Returns the class's legend name, such as "runtime calls".
[[nodiscard]] std::string_view legend_name(scene::Family family);
/// Returns the classes that occur in the profile, based on its categories.
[[nodiscard]] scene::FamilySet families_of(const trace::Profile& profile);

}  // namespace warpscope::ui
