#pragma once
// The legend below the canvas: which color is which class of slices. A click hides a class and shows it again; so do
// commands, for the keyboard and the palette.
#include <imgui.h>

#include <optional>
#include <string_view>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

class ClassLegend {
 public:
  static constexpr float kHeight = 26;

  struct Item {
    scene::Family family;
    float x = 0, y = 0, width = 0, height = 0;  // on the screen, px
  };

  /// Adds the commands. Both must outlive this.
  ClassLegend(AppContext& app, TimelineState& state);

  void draw(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size);
  /// As drawn last.
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }

 private:
  void draw_menu(AppContext& app, TimelineState& state);

  std::vector<Item> items_;
  std::optional<scene::Family> menu_of_;
};

/// "runtime calls": the class in the legend.
[[nodiscard]] std::string_view legend_name(scene::Family family);
/// The classes that slices of the profile have, told from its categories.
[[nodiscard]] scene::FamilySet families_of(const trace::Profile& profile);

}  // namespace warpscope::ui
