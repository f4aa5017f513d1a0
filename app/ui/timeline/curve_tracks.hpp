#pragma once
// "Queue lengths and copy rates as tracks": while the settings ask for them, they are computed of the profile at hand,
// off the window's thread, and the Timeline shows the profile that has them.
#include <memory>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

class CurveTracks {
 public:
  /// Adds the command; it lives as long as the table, so this and all it refers to must too.
  CurveTracks(AppContext& app, TimelineState& state);
  CurveTracks(const CurveTracks&) = delete;
  CurveTracks& operator=(const CurveTracks&) = delete;

  /// Once a frame: begins with them, shows them, or lets go of them.
  void update();
  /// The Timeline shows another profile, which has none yet.
  void profile_changed();
  [[nodiscard]] bool busy() const { return work_.running(); }

 private:
  AppContext& app_;
  TimelineState& state_;
  bool shown_ = false;
  Background<std::shared_ptr<const trace::Profile>> work_;
};

}  // namespace warpscope::ui
