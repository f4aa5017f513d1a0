#pragma once
// The pane below the canvas: a tab strip and the current panel. When the pane is folded, only the strip is visible. It
// starts folded. It unfolds when a tab is opened and, unless the user folded it, when a slice is first selected or a
// range first marked.
#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/timeline/panel.hpp"

namespace warpscope::ui {

class BottomPane {
 public:
  static constexpr float kStrip = 32;  ///< height of the tab strip, grid px

  /// Adds one command per tab and a command that folds the pane.
  explicit BottomPane(AppContext& app);

  void draw(PanelContext& context, ImVec2 at, ImVec2 size);
  [[nodiscard]] bool folded(const AppContext& app) const { return rests_ || app.settings.bottom_folded; }
  void fold(AppContext& app, bool to) {
    rests_ = false;
    app.settings.bottom_folded = to;
  }
  /// Unfolds the pane on first use, unless the user folded it. Returns true if this call unfolded the pane.
  bool wake(const AppContext& app) { return std::exchange(rests_, false) && !app.settings.bottom_folded; }
  /// Selects a tab.
  void choose(std::string_view id);
  [[nodiscard]] std::string_view chosen() const { return tab_specs()[chosen_].name; }
  /// True while the visible panel is waiting for results. Hidden panels do not fetch results until they are drawn
  /// again.
  [[nodiscard]] bool busy() const;
  /// Releases the profile.
  void forget() {
    for (const auto& panel : panels_) panel->forget();
    rests_ = true;
  }
  void write_state(JsonWriter& writer, const PanelContext& context) const;

 private:
  void draw_tabs(PanelContext& context, ImVec2 at, float width);

  std::vector<std::unique_ptr<Panel>> panels_;  // in the order of tab_specs()
  std::size_t chosen_ = 0;
  bool save_range_ = false;  // in the next frame
  std::optional<std::size_t> drawn_;  // panel drawn in the last frame; none if folded
  bool rests_ = true;                 // nothing has been selected or opened yet
  struct TabPlace {
    float x = 0;
    float y = 0;
  };
  std::vector<TabPlace> tab_places_;  // tab centers on the screen, as last drawn
};

}  // namespace warpscope::ui
