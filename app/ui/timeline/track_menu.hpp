#pragma once
// Context menu of a track label, and the track actions it shares with the canvas menu.
#include <cstdint>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

class TrackMenu {
 public:
  /// Opens the menu for a row of the current layout.
  void open(const TimelineState& state, const scene::Row& row);
  void draw(AppContext& app, TimelineState& state);
  [[nodiscard]] static bool is_open();

 private:
  bool wanted_ = false;
  std::uint64_t key_ = 0;  // TreeEntry::key
};

void toggle_pinned(TimelineState& state, std::uint64_t key);
/// Hides a track and unpins it.
void hide_track(TimelineState& state, std::uint64_t key);

}  // namespace warpscope::ui
