#include "app/ui/timeline/track_menu.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/small_controls.hpp"

namespace warpscope::ui {
namespace {

constexpr const char* kPopup = "##track-menu";

}  // namespace

void toggle_pinned(TimelineState& state, std::uint64_t key) {
  state.edit_tracks([key](scene::TrackState& tracks) { tracks.toggle_pinned(key); });
}

void hide_track(TimelineState& state, std::uint64_t key) {
  state.edit_tracks([key](scene::TrackState& tracks) {
    std::erase(tracks.pinned, key);
    tracks.hidden.insert(key);
  });
}

bool TrackMenu::is_open() { return ImGui::IsPopupOpen(kPopup); }

void TrackMenu::open(const TimelineState& state, const scene::Row& row) {
  key_ = state.profile()->tree.entries[row.entry].key;
  wanted_ = true;
}

void TrackMenu::draw(AppContext& app, TimelineState& state) {
  if (wanted_) ImGui::OpenPopup(kPopup);
  wanted_ = false;
  if (!begin_menu_popup(app, kPopup)) return;
  const std::vector<trace::TreeEntry>& entries = state.profile()->tree.entries;
  const auto found = std::ranges::find(entries, key_, &trace::TreeEntry::key);
  if (found == entries.end()) {
    ImGui::CloseCurrentPopup();
    end_menu_popup();
    return;
  }
  const auto entry = static_cast<std::uint32_t>(found - entries.begin());
  const std::string label = found->label;
  const bool group = found->end > entry + 1;
  if (ImGui::MenuItem(state.tracks().is_pinned(key_) ? "Unpin" : "Pin to the top")) toggle_pinned(state, key_);
  if (ImGui::MenuItem("Hide")) hide_track(state, key_);
  if (ImGui::MenuItem("Show only tracks with this name"))
    state.edit_tracks([&](scene::TrackState& tracks) { tracks.filter = label; });
  if (group) {
    const auto set_open = [&](bool open) {
      state.edit_tracks([&](scene::TrackState& tracks) { tracks.set_open(state.profile()->tree, entry, open, true); });
    };
    if (ImGui::MenuItem("Expand with all children")) set_open(true);
    if (ImGui::MenuItem("Collapse with all children")) set_open(false);
  }
  if (ImGui::MenuItem("Copy name")) copy_text(app, label);
  ImGui::Separator();
  for (const char* command : {"tracks.show-hidden", "tracks.unpin-all", "tracks.unfold-all", "tracks.fold-all"})
    menu_item(app, command);
  end_menu_popup();
}

}  // namespace warpscope::ui
