#pragma once
// Undo and redo for views. Records only settled views. A burst of changes, such as ten wheel notches, is recorded as
// one view.
#include <cstddef>
#include <vector>

#include "render/scene/view.hpp"

namespace warpscope::scene {

/// The state that undo restores: the time window and the scroll position of the tracks.
struct ViewPoint {
  TimeView time;
  double scroll = 0;  ///< px of rows at 1×

  friend bool operator==(const ViewPoint&, const ViewPoint&) = default;
};

class ViewHistory {
 public:
  static constexpr std::size_t kLimit = 200;
  static constexpr double kBurstSeconds = 0.5;

  /// Call when the view has settled. `now` is in seconds from any fixed origin. A view within kBurstSeconds of the last
  /// recorded one replaces it, an equal one is ignored, and a new one clears redo.
  void record(const ViewPoint& point, double now);
  [[nodiscard]] bool can_undo() const { return position_ > 0; }
  [[nodiscard]] bool can_redo() const { return position_ + 1 < points_.size(); }
  /// Returns the previous view. Requires can_undo().
  const ViewPoint& undo();
  /// Returns the next view. Requires can_redo().
  const ViewPoint& redo();
  void clear();

 private:
  std::vector<ViewPoint> points_;
  std::size_t position_ = 0;  // index of the current view
  double last_ = 0;
  bool burst_ = false;  // the current view may still be replaced
};

}  // namespace warpscope::scene
