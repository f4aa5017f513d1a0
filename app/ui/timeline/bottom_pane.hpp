#pragma once
// The pane below the canvas: a strip of tabs and the panel that is chosen. Folded, only the strip is left. It starts
// folded, as it has nothing to show, until something is selected or a tab is opened; and stays so if the user folded
// it.
#include <imgui.h>

#include <memory>
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
  static constexpr float kStrip = 32;  ///< grid px of the tabs

  /// Adds a command for each tab, and one to fold.
  explicit BottomPane(AppContext& app);

  void draw(PanelContext& context, ImVec2 at, ImVec2 size);
  [[nodiscard]] bool folded(const AppContext& app) const { return rests_ || app.settings.bottom_folded; }
  void fold(AppContext& app, bool to) {
    rests_ = false;
    app.settings.bottom_folded = to;
  }
  /// Unfolds it at last unless the user folded it. True if it was not unfolded before.
  bool wake(const AppContext& app) { return std::exchange(rests_, false) && !app.settings.bottom_folded; }
  /// Chooses a tab; false if there is none of this id.
  bool choose(std::string_view id);
  /// Chooses a tab and unfolds.
  bool show(AppContext& app, std::string_view id);
  /// "selection, connections, …"
  [[nodiscard]] std::string ids() const;
  [[nodiscard]] std::string_view chosen() const { return panels_[chosen_]->id(); }
  [[nodiscard]] bool busy() const;
  /// Lets go of the profile that was shown.
  void forget() {
    for (const auto& panel : panels_) panel->forget();
    rests_ = true;
  }
  void write_state(JsonWriter& writer, const PanelContext& context) const;

 private:
  void draw_tabs(PanelContext& context, ImVec2 at, float width);

  std::vector<std::unique_ptr<Panel>> panels_;
  std::size_t chosen_ = 0;
  bool rests_ = true;  // nothing was selected or opened yet
  struct TabPlace {
    float x = 0;
    float y = 0;
  };
  std::vector<TabPlace> tab_places_;  // middles of the tabs on the screen, of the last draw
};

}  // namespace warpscope::ui
