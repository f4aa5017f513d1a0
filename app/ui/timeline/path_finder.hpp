#pragma once
// "Show critical path": finds it off the window's thread and has its slices highlighted, as those that were picked on a
// chart are. Asked again, it lets go of them.
#include <memory>

#include "app/ui/app_context.hpp"
#include "app/ui/background.hpp"
#include "app/ui/session.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "core/analysis/critical_path/critical_path.hpp"

namespace warpscope::ui {

class PathFinder {
 public:
  /// Adds the command; it lives as long as the table, so this and all it refers to must too.
  PathFinder(AppContext& app, TimelineState& state);
  PathFinder(const PathFinder&) = delete;
  PathFinder& operator=(const PathFinder&) = delete;

  /// Once a frame: takes what was found.
  void update();
  /// What is looked for is of no use any more.
  void profile_changed() { work_.stop(); }
  [[nodiscard]] bool busy() const { return work_.running(); }

 private:
  struct Found {
    std::shared_ptr<const PickedSlices> slices;
    std::string reason;  ///< why there are none
  };

  void toggle();

  AppContext& app_;
  TimelineState& state_;
  std::shared_ptr<const PickedSlices> shown_;
  Background<Found> work_;
};

}  // namespace warpscope::ui
