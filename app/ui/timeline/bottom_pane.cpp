#include "app/ui/timeline/bottom_pane.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
BottomPane::BottomPane(AppContext& app) {
  const CommandGroup add(app.commands, "View");
  for (const TabSpec& spec : tab_specs()) {
    panels_.push_back(spec.make());
    add("panel." + std::string(spec.name), std::string(spec.command), {}, [this, &app, name = spec.name] {
      app.show_page("timeline");
      choose(name);
      fold(app, false);
    }).keywords("bottom pane tab");
  }
  const CommandGroup here(app.commands, "View", "timeline");
  here("panel.fold", "Collapse or expand the bottom pane", {"B"}, [this, &app] { fold(app, !folded(app)); });
  here("range.save", "Save the marked range as a trace", {}, [this, &app] {
    choose("range");
    fold(app, false);
    save_range_ = true;
  }).keywords("export kineto json cut bug report");
}

void BottomPane::choose(std::string_view id) {
  chosen_ = static_cast<std::size_t>(std::ranges::find(tab_specs(), id, &TabSpec::name) - tab_specs().begin());
}

bool BottomPane::busy() const { return drawn_ && panels_[*drawn_]->busy(); }

void BottomPane::draw(PanelContext& context, ImVec2 at, ImVec2 size) {
  AppContext& app = context.app;
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x, at.y + size.y}, app.theme.panel);
  draw_tabs(context, at, size.x);
  const float strip = app.px(kStrip);
  drawn_.reset();
  if (folded(app) || size.y <= strip) return;
  drawn_ = chosen_;
  ImGui::SetCursorScreenPos({at.x, at.y + strip});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(app.px(8), app.px(4)));
  ImGui::PushID(static_cast<int>(chosen_));
  context.save_range = std::exchange(save_range_, false);
  if (ImGui::BeginChild("##panel", {size.x, size.y - strip}, ImGuiChildFlags_AlwaysUseWindowPadding))
    panels_[chosen_]->draw(context);
  ImGui::EndChild();
  ImGui::PopID();
  ImGui::PopStyleVar();
}

void BottomPane::draw_tabs(PanelContext& context, ImVec2 at, float width) {
  AppContext& app = context.app;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = app.px(kStrip);
  const bool folded = this->folded(app);
  const float button = app.px(24);
  const float end = at.x + width - button - app.px(12);
  float x = at.x + app.px(8);
  tab_places_.assign(panels_.size(), {});
  list.PushClipRect(at, {end, at.y + height}, true);
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    const std::string label = panels_[i]->label(context);
    const float label_width = ImGui::CalcTextSize(label.c_str()).x;
    const float tab = std::min(label_width + app.px(24), end - x);
    if (tab < app.px(24)) break;  // tabs that do not fit are accessible by commands
    ImGui::SetCursorScreenPos({x, at.y + app.px(1)});
    ImGui::PushID(static_cast<int>(i));
    const bool clicked = ImGui::InvisibleButton("##tab", {tab, height - app.px(1)});
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    tab_places_[i] = {x + tab / 2, at.y + height / 2};
    const bool on = i == chosen_ && !folded;
    if (hovered)
      list.AddRectFilled({x, at.y + app.px(4)}, {x + tab, at.y + height - app.px(4)}, app.theme.raised, app.px(4));
    list.AddText({x + app.px(12), at.y + std::floor((height - ImGui::GetFontSize()) / 2)},
                 on || hovered ? app.theme.text : app.theme.muted, label.c_str());
    if (on)
      list.AddRectFilled({x + app.px(8), at.y + height - app.px(2)}, {x + tab - app.px(8), at.y + height},
                         app.theme.accent);
    if (clicked && i == chosen_ && !folded) {
      fold(app, true);
    } else if (clicked) {
      chosen_ = i;
      fold(app, false);
    }
    x += tab + app.px(4);
  }
  list.PopClipRect();
  ImGui::SetCursorScreenPos({at.x + width - button - app.px(8), at.y + std::floor((height - button) / 2)});
  if (icon_button(app, "##fold", folded ? Icon::chevron_up : Icon::chevron_down, folded ? "Expand" : "Collapse",
                  "panel.fold"))
    fold(app, !folded);
  if (!folded) list.AddRectFilled({at.x, at.y + height}, {at.x + width, at.y + height + app.px(1)}, app.theme.line);
}

void BottomPane::write_state(JsonWriter& writer, const PanelContext& context) const {
  writer.member("tab", chosen());
  writer.member("folded", folded(context.app));
  write_objects(writer, "tabs", std::views::iota(std::size_t{0}, panels_.size()), [&](std::size_t i) {
    writer.member("id", tab_specs()[i].name);
    writer.member("label", panels_[i]->label(context));
    if (i < tab_places_.size()) {
      writer.member("x", static_cast<double>(tab_places_[i].x));
      writer.member("y", static_cast<double>(tab_places_[i].y));
    }
    panels_[i]->write_state(writer, context);
  });
}

}  // namespace warpscope::ui
