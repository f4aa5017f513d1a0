#pragma once
// Shows a critical path in the Timeline: computes it on another thread, highlights its slices the same way as slices
// picked on a chart, draws its edges (overlays/critical_path.hpp), and steps through its segments. The same command
// shows and hides the path. The path covers a single rank or the whole job.
#include <memory>
#include <optional>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/overlays/shown_path.hpp"
#include "app/ui/timeline/path_choice.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ingest {
class EventLookup;
}

namespace warpscope::ui {

class PathFinder {
 public:
  /// Adds the commands, which keep references to this object and the arguments. The command table must not outlive
  /// them.
  PathFinder(AppContext& app, TimelineState& state);
  PathFinder(const PathFinder&) = delete;
  PathFinder& operator=(const PathFinder&) = delete;

  /// Fetches results. Call once per frame.
  void update();
  /// Cancels running work and discards the visible path.
  void profile_changed();
  [[nodiscard]] bool busy() const { return work_.running(); }
  /// The shown path; null if no path is shown.
  [[nodiscard]] const ShownPath* shown() const;

 private:
  struct Found {
    std::shared_ptr<const PickedSlices> slices;
    ShownPath path;
    std::string reason;  ///< why no path was found
  };

  [[nodiscard]] static Found find(const trace::Profile& profile, const PathRequest& request,
                                  const ingest::EventLookup* events, const CancelToken& cancel);
  void add_commands();
  void hide();
  /// Shows the path for one rank or across all ranks, replacing any other path; hides the path if it is already shown.
  void toggle(bool all_ranks);
  void start(PathRequest request);
  void step(int direction);
  void show(std::size_t segment);

  AppContext& app_;
  TimelineState& state_;
  std::shared_ptr<const PickedSlices> picked_;
  std::optional<ShownPath> shown_;
  Background<Found> work_;
};

}  // namespace warpscope::ui
