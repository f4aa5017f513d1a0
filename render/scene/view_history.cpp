#include "render/scene/view_history.hpp"

namespace warpscope::scene {

void ViewHistory::record(const ViewPoint& point, double now) {
  if (points_.empty()) {
    points_.push_back(point);
    position_ = 0;
    return;
  }
  if (points_[position_] == point) return;
  points_.resize(position_ + 1);
  if (burst_ && now - last_ < kBurstSeconds) {
    points_[position_] = point;
  } else {
    points_.push_back(point);
    if (points_.size() > kLimit) points_.erase(points_.begin());
    position_ = points_.size() - 1;
  }
  burst_ = true;
  last_ = now;
}

const ViewPoint& ViewHistory::undo() {
  burst_ = false;
  return points_[--position_];
}

const ViewPoint& ViewHistory::redo() {
  burst_ = false;
  return points_[++position_];
}

void ViewHistory::clear() { *this = {}; }

}  // namespace warpscope::scene
