#pragma once
// The keyboard in a list below a popup's field: the arrows go through its lines while the field keeps what is typed,
// and Enter takes the line that they are at. They are at none until one of them is pressed, and again above the first
// line, so that Enter means what is typed.
#include "app/ui/app_context.hpp"

namespace warpscope::ui {

class ListCursor {
 public:
  /// Call once a frame in the popup, before the lines. `count`: how many there are.
  void update(int count);
  /// Lets go of the line: the popup opened anew, or something else is typed.
  void reset() { at_ = kNone; }
  /// The line, for a clipper that may pass over it; negative: none.
  [[nodiscard]] int at() const { return at_; }
  /// Enter was pressed in this frame, at a line.
  [[nodiscard]] bool entered() const { return entered_; }
  /// … at this one.
  [[nodiscard]] bool entered(int line) const { return entered_ && line == at_; }
  /// Call after the item of a line, which is then outlined and scrolled into view if the keyboard is at it.
  void mark(const AppContext& app, int line) const;

 private:
  static constexpr int kNone = -1;
  static constexpr int kPage = 8;

  int at_ = kNone;
  bool moved_ = false;
  bool entered_ = false;
};

}  // namespace warpscope::ui
