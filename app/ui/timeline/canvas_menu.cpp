#include "app/ui/timeline/canvas_menu.hpp"

#include <imgui.h>

#include <string>

#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/timeline/focus.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/timeline/track_menu.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/trace/resident_only.hpp"
#include "core/trace/slice_label.hpp"

namespace warpscope::ui {

std::string filter_for_name(std::string_view name) {
  std::string expression = "name=\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') expression += '\\';
    expression += c;
  }
  return expression + '"';
}

void CanvasMenu::open(const TimelineState& state, const scene::Hit& hit) {
  wanted_ = true;
  profile_ = state.profile();
  slice_ = hit.slice;
  track_ = 0;
  if (hit.row == scene::Row::kNone) return;
  const scene::Row& row = hit.pinned ? state.layout()->pinned()[hit.row] : state.layout()->rows()[hit.row];
  track_ = profile_->tree.entries[row.entry].key;
}

void CanvasMenu::draw(AppContext& app, TimelineState& state, const std::function<void(trace::SliceRef)>& select,
                      const std::function<void(std::string_view)>& filter) {
  if (wanted_) ImGui::OpenPopup("##canvas-menu");
  wanted_ = false;
  if (!begin_menu_popup(app, "##canvas-menu")) return;
  if (profile_ != state.profile()) {
    ImGui::CloseCurrentPopup();
    end_menu_popup();
    return;
  }
  if (slice_) draw_slice_items(app, state, select, filter);
  if (track_ != 0) {
    const bool pinned = state.tracks().is_pinned(track_);
    if (ImGui::MenuItem(pinned ? "Unpin the track" : "Pin the track to the top")) toggle_pinned(state, track_);
    if (ImGui::MenuItem("Hide the track")) hide_track(state, track_);
  }
  ImGui::Separator();
  for (const char* command : {"tracks.show-hidden", "view.show-all", "view.undo", "range.of-view", "range.save",
                              "path.critical", "path.job", "path.fit", "collective.last"})
    menu_item(app, command);
  for (const OverlaySpec& overlay : overlay_specs())
    if (!overlay.title.empty()) menu_item(app, overlay.command);
  end_menu_popup();
}

void CanvasMenu::draw_slice_items(AppContext& app, TimelineState& state,
                                  const std::function<void(trace::SliceRef)>& select,
                                  const std::function<void(std::string_view)>& filter) {
  const auto known = trace::if_resident([this] { return profile_->name(*slice_); });
  if (!known) {
    text_muted("Loading…");
    ImGui::Separator();
    return;
  }
  const std::string_view name = *known;
  text_muted(fit_text(trace::slice_label(*profile_, *slice_), app.px(320)));
  ImGui::Separator();
  if (ImGui::MenuItem("Select")) select(*slice_);
  if (ImGui::MenuItem("Zoom to fit")) {
    select(*slice_);
    app.when_loaded.start([&app, &state] { return !app.session.selection() || fit(state, *app.session.selection()); });
  }
  if (ImGui::MenuItem("Mark as range"))
    if (const auto time = trace::if_resident([this] { return interval_of(*profile_, *slice_); }))
      state.mark(RangeMark{*time, true, {}});
  if (ImGui::MenuItem("Filter by this name")) filter(filter_for_name(name));
  if (ImGui::MenuItem("Copy name")) copy_text(app, name);
  if (trace::is_kernel(profile_->categories().role(profile_->ranks[slice_->rank]->category(slice_->slice))))
    draw_class_items(app, name);
  ImGui::Separator();
}

void CanvasMenu::draw_class_items(AppContext& app, std::string_view name) {
  using analysis::KernelClass;
  ImGui::Separator();
  std::string& rules = app.settings.kernel_class;
  const std::optional<KernelClass> now = analysis::rule_of_name(rules, name);
  for (const KernelClass kind : {KernelClass::communication, KernelClass::computation, KernelClass::memory}) {
    const std::string label = "Classify as " + std::string(to_string(kind));
    if (!ImGui::MenuItem(label.c_str(), nullptr, now == kind)) continue;
    rules = analysis::with_rule_of_name(rules, name, kind);
    app.messages.info("Analyses now classify this kernel as " + std::string(to_string(kind)), app.now);
  }
  if (now && ImGui::MenuItem("Reset the class")) rules = analysis::without_rule_of_name(rules, name);
}

}  // namespace warpscope::ui
