#pragma once
// Keyboard cursor for a list below a popup's text field: arrow keys move through the lines while the field keeps its
// text, and Enter accepts the current line. Until an arrow key is pressed, and after moving above the first line, there
// is no current line and Enter applies to the text.
#include "app/ui/app_context.hpp"

namespace warpscope::ui {

class ListCursor {
 public:
  /// Call once per frame in the popup, before drawing the lines. `count`: number of lines.
  void update(int count);
  /// Resets the cursor. Call when the popup is reopened or the text changes.
  void reset() { at_ = kNone; }
  void move_to(int line) { at_ = line; }
  /// Returns the current line, which a clipper must not skip; negative if there is none.
  [[nodiscard]] int at() const { return at_; }
  /// True if Enter was pressed on the current line in this frame.
  [[nodiscard]] bool entered() const { return entered_; }
  /// True if Enter was pressed on `line` in this frame.
  [[nodiscard]] bool entered(int line) const { return entered_ && line == at_; }
  /// Outlines the line and scrolls it into view if it is current. Call after submitting the line's item.
  void mark(const AppContext& app, int line) const;

 private:
  static constexpr int kNone = -1;
  static constexpr int kPage = 8;

  int at_ = kNone;
  bool moved_ = false;
  bool entered_ = false;
};

}  // namespace warpscope::ui
