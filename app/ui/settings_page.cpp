#include "app/ui/settings_page.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/ui/commands.hpp"
#include "app/ui/settings.hpp"
#include "app/ui/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr float kContentWidth = 800;
constexpr float kLabelWidth = 200;
constexpr std::array<float, 7> kScales = {0, 0.75f, 1, 1.25f, 1.5f, 2, 3};

/// The label of a setting; leaves the cursor where its control goes.
void label_of(const AppContext& context, const char* words) {
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + std::floor((context.px(28) - ImGui::GetTextLineHeight()) / 2));
  text(words);
  ImGui::SameLine(context.px(kLabelWidth));
  ImGui::SetCursorPosY(y);
}

void title(const AppContext& context, const char* words) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(context.px(8), context.px(8)));
  ImGui::Dummy({0, context.px(16)});
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.accent);
  text(words);
  ImGui::PopStyleColor();
  ImGui::Separator();
  ImGui::Dummy({0, context.px(4)});
  ImGui::PopStyleVar();
}

/// Text in the middle of a row as high as key caps.
void row_text(const AppContext& context, std::string_view words, bool muted) {
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + std::floor((context.px(20) - ImGui::GetFontSize()) / 2));
  muted ? text_muted(words) : text(words);
}

}  // namespace

Icon SettingsPage::icon() const { return Icon::settings; }

void SettingsPage::draw(AppContext& context) {
  const Metrics& px = context.px;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float width = std::min(px(kContentWidth), room.x - px(48));
  const float left = std::max(px(24), std::floor((room.x - width) / 2));
  ImGui::BeginChild("##scroll", room, 0, ImGuiWindowFlags_NoBackground);
  ImGui::SetCursorPosX(left);
  ImGui::BeginChild("##settings", {width, 0}, ImGuiChildFlags_AutoResizeY, ImGuiWindowFlags_NoBackground);
  ImGui::Dummy({0, px(24)});
  ImGui::PushFont(context.fonts.heading);
  text("Settings");
  ImGui::PopFont();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(8)));
  draw_look(context);
  draw_timeline(context);
  ImGui::PopStyleVar();
  draw_keys(context);
  ImGui::Dummy({0, px(24)});
  ImGui::EndChild();
  ImGui::EndChild();
}

void SettingsPage::draw_look(AppContext& context) const {
  Settings& settings = context.settings;
  title(context, "Look");
  label_of(context, "Theme");
  constexpr std::array<std::string_view, 3> kThemes = {"System", "Dark", "Light"};
  if (const auto chosen = choice(context, "##theme", kThemes, static_cast<std::size_t>(settings.theme))) {
    settings.theme = static_cast<ThemeChoice>(*chosen);
  }
  label_of(context, "Size of everything");
  constexpr std::array<std::string_view, kScales.size()> kNames = {"Auto",  "75 %",  "100 %", "125 %",
                                                                   "150 %", "200 %", "300 %"};
  const auto same =
      std::ranges::find_if(kScales, [&](float scale) { return std::abs(scale - settings.scale) < 0.01f; });
  if (const auto chosen = choice(context, "##scale", kNames, static_cast<std::size_t>(same - kScales.begin()))) {
    settings.scale = kScales[*chosen];
  }
}

void SettingsPage::draw_timeline(AppContext& context) const {
  Settings& settings = context.settings;
  title(context, "Timeline");
  label_of(context, "Rows");
  constexpr std::array<std::string_view, 3> kDensities = {"Compact", "Normal", "Roomy"};
  if (const auto chosen = choice(context, "##rows", kDensities, static_cast<std::size_t>(settings.density))) {
    settings.density = static_cast<RowDensity>(*chosen);
  }
  label_of(context, "The plain wheel");
  constexpr std::array<std::string_view, 2> kWheel = {"Scrolls the tracks", "Zooms"};
  if (const auto chosen = choice(context, "##wheel", kWheel, settings.wheel_zooms ? 1 : 0)) {
    settings.wheel_zooms = *chosen == 1;
  }
  label_of(context, "Launch arrows");
  constexpr std::array<std::string_view, 2> kArrows = {"Of the selection", "All in view"};
  if (const auto chosen = choice(context, "##arrows", kArrows, settings.all_launch_arrows ? 1 : 0)) {
    settings.all_launch_arrows = *chosen == 1;
  }
}

void SettingsPage::draw_keys(AppContext& context) const {
  const Metrics& px = context.px;
  title(context, "Keys");
  if (!ImGui::BeginTable("##keys", 3, ImGuiTableFlags_BordersInnerH)) return;
  ImGui::TableSetupColumn("category", ImGuiTableColumnFlags_WidthFixed, px(168));
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, px(304));
  for (const std::string_view category : context.commands.categories()) {
    bool first = true;
    for (const Command& command : context.commands.all()) {
      if (command.keys.empty() || command.category != category) continue;
      ImGui::TableNextRow(0, px(26));
      ImGui::TableNextColumn();
      if (first) row_text(context, category, true);
      first = false;
      ImGui::TableNextColumn();
      row_text(context, command.name, false);
      ImGui::TableNextColumn();
      for (const KeyChord& chord : command.keys) {
        const float width = key_caps(context, to_string(chord));
        ImGui::Dummy({width, px(20)});
        ImGui::SameLine(0, px(12));
      }
      ImGui::NewLine();
    }
  }
  ImGui::EndTable();
}

}  // namespace warpscope::ui
