#include "app/ui/load/loaded_view.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/load_words.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/information/profile_summary.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kRow = 44;

/// True if nothing was loaded and nothing will be.
bool failed(const OpenProfile& one) { return one.progress.error && !one.profile; }

/// Returns a one-line description of a load's state.
std::string state_of(const OpenProfile& one) {
  const LoadStatus& progress = one.progress;
  if (failed(one)) return sentence(progress.error->what);
  if (progress.awaiting) return "Waiting for traces";
  std::string state = load_state_text(progress);
  if (!progress.running && progress.keeping) state += " · writing the cache";
  return state;
}

}  // namespace

void LoadedView::draw(AppContext& context) {
  const Session& session = context.session;
  places_.clear();
  show_ = unload_ = stop_ = 0;
  const std::vector<const OpenProfile*> open = session.all();
  if (open.empty() && session.making().empty()) return;
  section_title(context, "Open profiles");
  if (!session.making().empty()) {
    text(session.making());
    progress_bar(context, -1, ImGui::GetContentRegionAvail().x, context.px(6));
  }
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, context.px(4)));
  for (const OpenProfile* one : open) draw_row(context, *one, width);
  ImGui::PopStyleVar();
  if (session.is_open()) draw_current(context);
  if (stop_ != 0) context.session.cancel(stop_);
  if (unload_ != 0) context.session.unload(unload_);
  if (show_ != 0) {
    context.session.make_current(show_);
    context.show_profile();
  }
}

void LoadedView::draw_row(AppContext& context, const OpenProfile& one, float width) {
  const Metrics& px = context.px;
  const Theme& theme = context.theme;
  const bool current = one.id == context.session.current_id();
  const float height = px(kRow);
  ImGui::PushID(static_cast<int>(one.id));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 local = ImGui::GetCursorPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  // The row ends before its buttons. If they overlapped, a click in the same frame as a pointer move would hit the row.
  const float buttons = px(24) * 2 + px(8);
  if (ImGui::InvisibleButton("##row", {width - buttons - px(12), height})) show_ = one.id;
  const bool hovered = ImGui::IsItemHovered();
  list.AddRectFilled(at, {at.x + width, at.y + height}, hovered ? theme.raised : theme.panel, px(4));
  list.AddRect(at, {at.x + width, at.y + height}, current ? theme.accent : theme.line, px(4), 0, px(1));
  const ImVec2 radio{at.x + px(20), at.y + std::floor(height / 2)};
  list.AddCircle(radio, px(7), current ? theme.accent : theme.muted, 0, px(1.5f));
  if (current) list.AddCircleFilled(radio, px(4), theme.accent);

  Place place;
  place.name = one.name();
  place.state = state_of(one);
  place.radio_x = radio.x;
  place.y = radio.y;

  const float name_width = std::min(px(320), width * 0.3f);
  const float first_y = at.y + px(4);
  const float second_y = at.y + px(23);
  const float name_x = at.x + px(40);
  list.AddText({name_x, first_y}, theme.text, fit_text(place.name, name_width).c_str());
  list.AddText({name_x, second_y}, theme.muted, fit_text_end(one.path.parent_path().string(), name_width).c_str());

  const float memory_width = px(222);  // "1 023 MiB of 1 023 MiB loaded"
  const float state_x = name_x + name_width + px(16);
  const float memory_right = at.x + width - buttons - px(16);
  const float state_width = memory_right - memory_width - state_x;
  place.failed = failed(one);
  list.AddText({state_x, first_y}, place.failed ? theme.error : theme.text, fit_text(place.state, state_width).c_str());
  if (one.progress.running) {
    ImGui::SetCursorPos({local.x + state_x - at.x, local.y + px(29)});
    progress_bar(context, one.progress.total > 0 ? one.progress.fraction() : -1, state_width, px(6));
  } else {
    const std::string second = one.profile    ? profile_facts(*one.profile, one.progress)
                               : place.failed ? one.progress.error->advice
                                              : std::string();
    list.AddText({state_x, second_y}, theme.muted, fit_text(second, state_width).c_str());
  }
  const std::string memory = one.profile ? analysis::memory_use(*one.profile).text() : std::string();
  ImGui::PushFont(context.fonts.mono);
  list.AddText({memory_right - ImGui::CalcTextSize(memory.c_str()).x, first_y}, theme.text, memory.c_str());
  ImGui::PopFont();
  if (one.profile) {
    const char* const label = "memory";
    list.AddText({memory_right - ImGui::CalcTextSize(label).x, second_y}, theme.muted, label);
  }

  const float button_y = local.y + (height - px(24)) / 2;
  if (one.progress.running) {
    ImGui::SetCursorPos({local.x + width - buttons, button_y});
    if (icon_button(context, "##stop", Icon::close, "Stop loading; keep the ranks loaded so far",
                    current ? "file.cancel" : ""))
      stop_ = one.id;
    place.stop_x = item_center().x;
  }
  ImGui::SetCursorPos({local.x + width - px(24) - px(8), button_y});
  if (icon_button(context, "##unload", Icon::eject, "Unload to free memory; files are kept",
                  current ? "file.close" : ""))
    unload_ = one.id;
  place.bin_x = item_center().x;
  ImGui::SetCursorPos({local.x, local.y + height});
  ImGui::Dummy({0, 0});
  if (hovered && !ImGui::IsAnyItemActive() && ImGui::GetMousePos().x < state_x)
    tooltip(context, one.path.string(), {}, current ? "Click to show it" : "Click to switch to this profile");
  ImGui::PopID();
  places_.push_back(std::move(place));
}

/// Describes the current profile's load.
void LoadedView::draw_current(const AppContext& context) {
  const Session& session = context.session;
  const LoadStatus& progress = session.progress();
  const float width = ImGui::GetContentRegionAvail().x;
  if (progress.error && !session.profile()) {
    if (!progress.error->where.empty()) text_wrapped(progress.error->where, context.theme.muted);
  } else if (progress.awaiting) {
    text_wrapped(
        progress.away
            ? "The path does not exist or cannot be read. Warpscope will keep checking; make sure the path is correct."
            : "Warpscope watches this path and any subfolders for traces (.json, .json.gz, .json.zst) and shows them "
              "as they appear.",
        context.theme.muted);
  } else if (progress.running && progress.expected) {
    text_fitted(context, describe(*progress.expected, progress.memory_limit), width, context.theme.muted);
  }
  if (const std::string memory = memory_text(progress, session.profile() ? session.profile()->resident_bytes() : 0);
      !memory.empty())
    text_fitted(context, memory, width, context.theme.muted);
}

void LoadedView::write_state(JsonWriter& writer) const {
  write_objects(writer, "loaded", places_, [&](const Place& place) {
    writer.member("name", place.name);
    writer.member("state", place.state);
    writer.member("failed", place.failed);
    writer.member("radio_x", static_cast<double>(place.radio_x));
    writer.member("bin_x", static_cast<double>(place.bin_x));
    writer.member("stop_x", static_cast<double>(place.stop_x));
    writer.member("y", static_cast<double>(place.y));
  });
}

}  // namespace warpscope::ui
