#pragma once
// Shows queue depth and memcpy bandwidth as tracks while the setting is on. The counters are computed on another
// thread; the Timeline then shows a profile that contains them.
#include <memory>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

class CurveTracks {
 public:
  /// Adds the command, which keeps references to this object and the arguments. The command table must not outlive
  /// them.
  CurveTracks(AppContext& app, TimelineState& state);
  CurveTracks(const CurveTracks&) = delete;
  CurveTracks& operator=(const CurveTracks&) = delete;

  /// Starts the computation, and shows or hides the tracks. Call once per frame.
  void update();
  /// Call after the Timeline switches to another profile, which does not have these tracks yet.
  void profile_changed();
  [[nodiscard]] bool busy() const { return work_.running(); }

 private:
  AppContext& app_;
  TimelineState& state_;
  bool shown_ = false;
  Background<std::shared_ptr<const trace::Profile>> work_;
};

}  // namespace warpscope::ui
