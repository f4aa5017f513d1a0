#pragma once
// The critical path in the Timeline: found off the window's thread, its slices highlighted as those that were picked on
// a chart are, its links drawn (path_overlay.hpp), and gone through segment by segment. Asked for again, it is let go
// of.
#include <memory>
#include <optional>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/path_choice.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/path_chain.hpp"

namespace warpscope::ui {

/// A path that is shown.
struct ShownPath {
  PathWish wish;
  std::shared_ptr<const scene::PathChain> chain;  ///< never null
  std::optional<std::size_t> segment;             ///< that one has gone to
};

class PathFinder {
 public:
  /// Adds the commands; they live as long as the table, so this and all it refers to must too.
  PathFinder(AppContext& app, TimelineState& state);
  PathFinder(const PathFinder&) = delete;
  PathFinder& operator=(const PathFinder&) = delete;

  /// Once a frame: takes what was found.
  void update();
  /// Finds a path and goes there, as another page asked for.
  void find(PathWish wish) { start(std::move(wish), true); }
  /// What is looked for is of no use any more.
  void profile_changed();
  [[nodiscard]] bool busy() const { return work_.running(); }
  /// Null if none is.
  [[nodiscard]] const ShownPath* shown() const;

 private:
  struct Found {
    std::shared_ptr<const PickedSlices> slices;
    ShownPath path;
    std::optional<LinkPlace> link;  ///< that is to be gone to
    bool goes_there = false;
    std::string reason;  ///< why there are none
  };

  void add_commands();
  void toggle();
  void start(PathWish wish, bool goes_there);
  void step(int direction);
  void show(std::size_t segment);

  AppContext& app_;
  TimelineState& state_;
  std::shared_ptr<const PickedSlices> picked_;
  std::optional<ShownPath> shown_;
  Background<Found> work_;
};

}  // namespace warpscope::ui
