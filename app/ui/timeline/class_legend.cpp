#include "app/ui/timeline/class_legend.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr scene::FamilySet kAllFamilies = 0xFF;

scene::FamilySet without(scene::FamilySet set, scene::Family family) {
  return static_cast<scene::FamilySet>(set & ~scene::family_bit(family));
}

void toggle(TimelineState& state, scene::Family family) {
  state.hide_families(static_cast<scene::FamilySet>(state.hidden_families() ^ scene::family_bit(family)));
}

struct Look {
  std::string_view name;
  scene::Color color;
  bool hidden = false;
  bool line = false;  ///< the swatch is a line, not a square
  std::string hint;
};

/// Draws an entry at the position of `item` and sets the item's width. Afterwards, the last ImGui item is the entry's
/// button.
void draw_entry(const AppContext& app, ClassLegend::Item& item, const Look& look) {
  const Metrics& px = app.px;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImFont& font = *app.fonts.caption;
  const auto& [name, color, hidden, line, hint] = look;
  const float side = px(10);
  item.width = px(6) + side + px(6) + std::ceil(text_width(font, name)) + px(6);
  ImGui::SetCursorScreenPos({item.x, item.y});
  ImGui::PushID(name.data(), name.data() + name.size());
  ImGui::InvisibleButton("##class", {item.width, item.height});
  ImGui::PopID();
  if (ImGui::IsItemHovered()) {
    list.AddRectFilled({item.x, item.y}, {item.x + item.width, item.y + item.height}, app.theme.raised, px(4));
    tooltip(app, sentence(name), {}, hint);
  }
  ImVec2 box{item.x + px(6), item.y + std::floor((item.height - side) / 2)};
  ImVec2 end{box.x + side, box.y + side};
  if (line) {
    box.y += std::floor(side / 2) - px(1);
    end.y = box.y + px(2);
  }
  if (hidden && !line)
    list.AddRect(box, end, color, px(2), 0, px(1.5f));
  else
    list.AddRectFilled(box, end, hidden ? faded(color, 0.4f) : color, line ? 0 : px(2));
  const ImVec2 text_at{item.x + px(6) + side + px(6), item.y + std::floor((item.height - font.FontSize) / 2)};
  draw_text(list, font, text_at, hidden ? app.theme.muted : app.theme.text, name);
  if (hidden) {
    const float y = text_at.y + std::floor(font.FontSize / 2) + px(1);
    list.AddRectFilled({text_at.x, y}, {text_at.x + text_width(font, name), y + px(1)}, app.theme.muted);
  }
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
  const CommandGroup add(app.commands, "Tracks", "timeline", [&state] { return state.profile() != nullptr; });
  const char* const words = "legend class color filter";
  for (std::size_t f = 0; f < trace::kFamilies; ++f) {
    const auto family = static_cast<scene::Family>(f);
    add("classes.toggle-" + std::string(to_string(family)), "Hide or show " + std::string(legend_name(family)), {},
        [&state, family] { toggle(state, family); })
        .keywords(words);
  }
  add("classes.show-all", "Show all classes", {}, [&state] {
    state.hide_families(0);
  }).when([&state] {
      return state.hidden_families() != 0;
    }).keywords(words);
}

void ClassLegend::draw(AppContext& app, TimelineState& state, const OverlayInput& over, ImVec2 at, ImVec2 size) {
  items_.clear();
  if (!state.profile()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, app.theme.panel);
  list.AddRectFilled(at, {at.x + size.x, at.y + app.px(1)}, app.theme.line);
  list.PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  float x = at.x + app.px(4);
  const auto entry = [&](Item item, const Look& look) {
    item.x = x;
    item.y = at.y + app.px(2);
    item.height = size.y - app.px(3);
    draw_entry(app, item, look);
    x += item.width + app.px(4);
    items_.push_back(item);
  };
  const scene::FamilySet present = families_of(*state.profile());
  for (std::size_t f = 0; f < trace::kFamilies; ++f) {
    const auto family = static_cast<scene::Family>(f);
    if ((present & scene::family_bit(family)) == 0) continue;
    const bool hidden = (state.hidden_families() & scene::family_bit(family)) != 0;
    entry({.family = family}, {legend_name(family), scene::family_color(family, app.theme.kind), hidden, false,
                               hidden ? "Click to show, Ctrl+click to show only this class"
                                      : "Click to hide, Ctrl+click to show only this class"});
    if (ImGui::IsItemClicked(ImGuiMouseButton_Left)) {
      if (ImGui::GetIO().KeyCtrl)
        state.hide_families(without(kAllFamilies, family));
      else
        toggle(state, family);
    }
  }
  for (const OverlaySpec& spec : overlay_specs()) {
    if (spec.name.empty() || (spec.active != nullptr && !spec.active(over))) continue;
    const bool hidden = !is_shown(spec, app.settings);
    std::string hint = hidden ? "Click to show" : "Click to hide";
    if (const std::string keys = app.commands.keys_text(spec.command, 1); !keys.empty()) hint += ", or press " + keys;
    entry({.overlay = &spec}, {spec.name, app.theme.*spec.color, hidden, true, hint});
    if (ImGui::IsItemClicked(ImGuiMouseButton_Left)) app.commands.run(spec.command);
  }
  list.PopClipRect();
}

}  // namespace warpscope::ui
