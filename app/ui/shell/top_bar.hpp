#pragma once
// The bar above every page: the open profile and its size, the find field, diagnostics and load progress.
#include <string>

#include "app/ui/app_context.hpp"
#include "app/ui/model/loading.hpp"
#include "app/ui/shell/find_field.hpp"

namespace warpscope::ui {

class TopBar {
 public:
  static constexpr float kHeight = 40;  ///< px at scale 1

  /// Fills the current window. `searcher`: the current page's searcher; may be null.
  void draw(AppContext& context, Searcher* searcher, std::string_view page);

  [[nodiscard]] FindField& find() { return find_; }
  [[nodiscard]] const FindField& find() const { return find_; }
  /// Returns the cursor y that vertically centers an item of `height` px in the bar.
  [[nodiscard]] static float middle(const AppContext& context, float height);

 private:
  void draw_profile(AppContext& context);
  static void draw_menu(AppContext& context, std::string_view page);
  void draw_facts(const AppContext& context, float right);
  static void draw_status(AppContext& context, float right);
  [[nodiscard]] static float status_width(const AppContext& context);

  FindField find_;
};

}  // namespace warpscope::ui
