#pragma once
// What palette, help and browser have in common: a box over the middle of the window that takes the keyboard, closes on
// Esc and on a click beside it.
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
  /// Between begin() (if it returns true) and end() the content is drawn. `size` in px, cut to the window's; `top` px
  /// from the window's top, or centred if negative. `modal`: the rest is dimmed.
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

/// Moves `cursor` in a list of `count` rows as Up, Down, PageUp, PageDown ask for; true if it moved. For lists whose
/// text field has the keyboard.
bool move_cursor(int& cursor, int count, int page_rows);

}  // namespace warpscope::ui
