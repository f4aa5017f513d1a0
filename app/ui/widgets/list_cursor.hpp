#pragma once
// Keyboard cursor for a list below the text field of a popup: arrow keys move through the lines while the field keeps
// its text, and Enter accepts the current line. There is no current line until an arrow key is pressed, or after moving
// above the first line; Enter then applies to the text.
#include "app/ui/app_context.hpp"

namespace warpscope::ui {

class ListCursor {
 public:
  /// Call once per frame in the popup, before the lines. `count`: number of lines.
  void update(int count);
  /// Resets the cursor: the popup was reopened or the text changed.
  void reset() { at_ = kNone; }
  /// Current line, for a clipper that might skip it; negative: none.
  [[nodiscard]] int at() const { return at_; }
  /// True if Enter was pressed on a line in this frame.
  [[nodiscard]] bool entered() const { return entered_; }
  /// Same for this line.
  [[nodiscard]] bool entered(int line) const { return entered_ && line == at_; }
  /// Call after the item of a line: outlines it and scrolls it into view if it is current.
  void mark(const AppContext& app, int line) const;

 private:
  static constexpr int kNone = -1;
  static constexpr int kPage = 8;

  int at_ = kNone;
  bool moved_ = false;
  bool entered_ = false;
};

}  // namespace warpscope::ui
