#include "app/ui/timeline/class_legend.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "app/ui/model/commands.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr const char* kClassMenu = "##class-menu";
constexpr const char* kShowAllClasses = "classes.show-all";
constexpr scene::FamilySet kAllFamilies = 0xFF;

scene::FamilySet without(scene::FamilySet set, scene::Family family) {
  return static_cast<scene::FamilySet>(set & ~scene::family_bit(family));
}

void toggle(TimelineState& state, scene::Family family) {
  state.hide_families(static_cast<scene::FamilySet>(state.hidden_families() ^ scene::family_bit(family)));
}

}  // namespace

std::string_view legend_name(scene::Family family) {
  constexpr std::array<std::string_view, trace::kFamilies> kNames{"computation",     "communication", "memory",
                                                                  "synchronization", "runtime calls", "operators",
                                                                  "Python",          "annotations"};
  return kNames[static_cast<std::size_t>(family)];
}

scene::FamilySet families_of(const trace::Profile& profile) {
  unsigned families = 0;
  const trace::Categories& categories = profile.categories();
  for (std::size_t id = 0; id < categories.size(); ++id) {
    const auto category = static_cast<trace::CategoryId>(id);
    if (categories.name(category).empty()) continue;
    const trace::Role role = categories.role(category);
    families |= scene::family_bit(trace::family_of(role, false));
    if (trace::is_kernel(role)) families |= scene::family_bit(scene::Family::communication);
    if (role == trace::Role::job) families |= scene::family_bit(scene::Family::memory);
  }
  return static_cast<scene::FamilySet>(families);
}

ClassLegend::ClassLegend(AppContext& app, TimelineState& state) {
  const auto add = [&](std::string id, std::string name, std::function<void()> action, std::function<bool()> enabled) {
    Command command{std::move(id), std::move(name), "Tracks", {}, std::move(action), std::move(enabled)};
    command.page = "timeline";
    command.keywords = "legend class color filter";
    app.commands.add(std::move(command));
  };
  for (std::size_t f = 0; f < trace::kFamilies; ++f) {
    const auto family = static_cast<scene::Family>(f);
    add(
        "classes.toggle-" + std::string(to_string(family)), "Hide or show " + std::string(legend_name(family)),
        [&state, family] { toggle(state, family); }, [&state] { return state.profile() != nullptr; });
  }
  add(
      kShowAllClasses, "Show all classes", [&state] { state.hide_families(0); },
      [&state] { return state.hidden_families() != 0; });
}

void ClassLegend::draw(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size) {
  items_.clear();
  if (!state.profile()) return;
  const Metrics& px = app.px;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, app.theme.panel);
  list.AddRectFilled(at, {at.x + size.x, at.y + px(1)}, app.theme.line);
  list.PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  ImFont& font = *app.fonts.caption;
  const scene::FamilySet present = families_of(*state.profile());
  const float side = px(10);
  float x = at.x + px(4);
  for (std::size_t f = 0; f < trace::kFamilies; ++f) {
    const auto family = static_cast<scene::Family>(f);
    if ((present & scene::family_bit(family)) == 0) continue;
    const std::string_view name = legend_name(family);
    const float words = font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, name.data(), name.data() + name.size()).x;
    const float width = px(6) + side + px(6) + std::ceil(words) + px(6);
    ImGui::PushID(static_cast<int>(f));
    ImGui::SetCursorScreenPos({x, at.y + px(2)});
    const float height = size.y - px(3);
    ImGui::InvisibleButton("##class", {width, height},
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    const bool hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemClicked(ImGuiMouseButton_Left)) {
      if (ImGui::GetIO().KeyCtrl)
        state.hide_families(without(kAllFamilies, family));
      else
        toggle(state, family);
    }
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) menu_of_ = family;
    ImGui::PopID();
    const bool hidden = (state.hidden_families() & scene::family_bit(family)) != 0;
    if (hovered) {
      list.AddRectFilled({x, at.y + px(2)}, {x + width, at.y + px(2) + height}, app.theme.raised, px(4));
      tooltip(app, sentence(name), {},
              hidden ? "Click to show it, Ctrl+click to show only it" : "Click to hide it, Ctrl+click to show only it");
    }
    const ImVec2 box{x + px(6), at.y + px(2) + std::floor((height - side) / 2)};
    const scene::Color color = scene::family_color(family, app.theme.kind);
    if (hidden)
      list.AddRect(box, {box.x + side, box.y + side}, color, px(2), 0, px(1.5f));
    else
      list.AddRectFilled(box, {box.x + side, box.y + side}, color, px(2));
    const ImVec2 text_at{box.x + side + px(6), at.y + px(2) + std::floor((height - font.FontSize) / 2)};
    list.AddText(&font, font.FontSize, text_at, hidden ? app.theme.muted : app.theme.text, name.data(),
                 name.data() + name.size());
    if (hidden) {
      const float y = text_at.y + std::floor(font.FontSize / 2) + px(1);
      list.AddRectFilled({text_at.x, y}, {text_at.x + words, y + px(1)}, app.theme.muted);
    }
    items_.push_back({family, x, at.y + px(2), width, height});
    x += width + px(4);
  }
  list.PopClipRect();
  draw_menu(app, state);
}

void ClassLegend::draw_menu(AppContext& app, TimelineState& state) {
  if (menu_of_ && !ImGui::IsPopupOpen(kClassMenu)) ImGui::OpenPopup(kClassMenu);
  if (!begin_menu_popup(app, kClassMenu)) return;
  if (menu_of_) {
    const scene::Family family = *menu_of_;
    const bool hidden = (state.hidden_families() & scene::family_bit(family)) != 0;
    const std::string name(legend_name(family));
    if (ImGui::MenuItem(((hidden ? "Show " : "Hide ") + name).c_str())) toggle(state, family);
    if (ImGui::MenuItem(("Show only " + name).c_str())) state.hide_families(without(kAllFamilies, family));
  }
  menu_item(app, kShowAllClasses);
  end_menu_popup();
  if (!ImGui::IsPopupOpen(kClassMenu)) menu_of_.reset();
}

}  // namespace warpscope::ui
