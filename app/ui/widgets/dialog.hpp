#pragma once
// Base class for the palette, help and path dialogs: a box over the window that takes keyboard focus and closes on Esc
// or a click outside it.
#include <imgui.h>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

class Dialog {
 public:
  explicit Dialog(const char* id) : id_(id) {}

  void open() { wanted_ = true; }
  void close() { wanted_ = false; }
  [[nodiscard]] bool is_open() const { return wanted_; }

 protected:
  /// If begin() returns true, draw the content and then call end(). `size` is in px and limited to the window's size.
  /// `top`: px from the top of the window; negative: centered. `modal`: dims the rest of the window.
  bool begin(const AppContext& context, ImVec2 size, float top, bool modal);
  void end();
  /// True in the first frame after open().
  [[nodiscard]] bool just_opened() const { return just_opened_; }

 private:
  const char* id_;
  bool wanted_ = false;
  bool shown_ = false;
  bool just_opened_ = false;
};

}  // namespace warpscope::ui
