#pragma once
// What can be done with a track: the menu of a right click on its label, and the part of the canvas' menu that is about
// the track there.
#include <cstdint>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

class TrackMenu {
 public:
  /// Opens it for a row of the layout at hand.
  void open(const TimelineState& state, const scene::Row& row);
  void draw(AppContext& app, TimelineState& state);
  [[nodiscard]] static bool is_open();

 private:
  bool wanted_ = false;
  std::uint64_t key_ = 0;  // TreeEntry::key
};

void toggle_pinned(TimelineState& state, std::uint64_t key);
/// Hides a track; a pinned one is unpinned too.
void hide_track(TimelineState& state, std::uint64_t key);

}  // namespace warpscope::ui
