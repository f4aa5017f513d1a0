#pragma once
// The help overlay: lists all keys in the command table by category and the current page's mouse gestures, with a
// search field.
#include <span>
#include <string>

#include "app/ui/page.hpp"
#include "app/ui/widgets/dialog.hpp"

namespace warpscope::ui {

class HelpOverlay : public Dialog {
 public:
  HelpOverlay() : Dialog("##help") {}
  /// `gestures`: the current page's gestures.
  void draw(AppContext& context, std::span<const Gesture> gestures);

 private:
  std::string query_;
  float full_height_ = 0;  // with all sections, so the box keeps its size during a search
};

}  // namespace warpscope::ui
