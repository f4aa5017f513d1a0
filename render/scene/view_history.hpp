#pragma once
// Undo and redo of where one looks. Only settled views are kept, and a burst of them (ten notches of the wheel) is one.
#include <cstddef>
#include <vector>

#include "render/scene/view.hpp"

namespace warpscope::scene {

/// What undo brings back: the window of time and how far the tracks are scrolled.
struct ViewPoint {
  TimeView time;
  double scroll = 0;  ///< px of unscaled rows

  friend bool operator==(const ViewPoint&, const ViewPoint&) = default;
};

class ViewHistory {
 public:
  static constexpr std::size_t kLimit = 200;
  static constexpr double kBurstSeconds = 0.5;

  /// Call when the view has come to rest. `now` in seconds, any steady zero. A view within kBurstSeconds of the last
  /// recorded one replaces it; one that equals it is ignored; anything new forgets what could be redone.
  void record(const ViewPoint& point, double now);
  [[nodiscard]] bool can_undo() const { return position_ > 0; }
  [[nodiscard]] bool can_redo() const { return position_ + 1 < points_.size(); }
  /// The view before, or after, the current one. Only if can_undo(), can_redo().
  const ViewPoint& undo();
  const ViewPoint& redo();
  void clear();

 private:
  std::vector<ViewPoint> points_;
  std::size_t position_ = 0;  // of the current one
  double last_ = 0;
  bool burst_ = false;  // the current one may still be replaced
};

}  // namespace warpscope::scene
