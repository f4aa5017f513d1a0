#include "app/ui/timeline/curve_tracks.hpp"

#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/settings.hpp"
#include "core/analysis/shared/curve_tracks.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::ui {

CurveTracks::CurveTracks(AppContext& app, TimelineState& state) : app_(app), state_(state) {
  Command show{"tracks.curves",
               "Toggle queue depth and memcpy rate tracks",
               "Tracks",
               {},
               [this] { app_.settings.curve_tracks = !app_.settings.curve_tracks; },
               [this] { return state_.profile() != nullptr; }};
  show.page = "timeline";
  show.keywords = "counters outstanding launches memory bandwidth memcpy";
  app.commands.add(std::move(show), {"Q"});
}

void CurveTracks::update() {
  const std::shared_ptr<const trace::Profile>& profile = app_.session.profile();
  const bool wanted = app_.settings.curve_tracks && profile && profile->complete;
  if (wanted && !shown_ && !work_.running())
    work_.start(
        [profile, events = app_.session.events()](const CancelToken& cancel) -> std::shared_ptr<const trace::Profile> {
          try {
            return analysis::with_curve_tracks(*profile, &cancel, events.get());
          } catch (const std::bad_alloc&) {
            return profile;  // without the curves
          }
        },
        app_.wake);
  if (!wanted) {
    work_.stop();
    if (shown_) state_.set_profile(profile, false);
    shown_ = false;
    return;
  }
  if (auto made = work_.take()) {
    state_.set_profile(std::move(*made), false);
    shown_ = true;
  }
}

void CurveTracks::profile_changed() {
  work_.stop();
  shown_ = false;
}

}  // namespace warpscope::ui
