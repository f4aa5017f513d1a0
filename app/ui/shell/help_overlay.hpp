#pragma once
// The help overlay: all keys from the command table by category, with a search field, and the mouse gestures of the
// current page.
#include <span>
#include <string>

#include "app/ui/page.hpp"
#include "app/ui/widgets/dialog.hpp"

namespace warpscope::ui {

class HelpOverlay : public Dialog {
 public:
  HelpOverlay() : Dialog("##help") {}
  /// `gestures`: those of the current page.
  void draw(AppContext& context, std::span<const Gesture> gestures);

 private:
  std::string query_;
  float full_height_ = 0;  // with all sections, so the box keeps its size during a search
};

}  // namespace warpscope::ui
