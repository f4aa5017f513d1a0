#include "app/ui/settings_page.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "app/ui/commands.hpp"
#include "app/ui/session.hpp"
#include "app/ui/settings.hpp"
#include "app/ui/store_usage.hpp"
#include "app/ui/widgets.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {
namespace {

constexpr float kContentWidth = 800;
constexpr float kLabelWidth = 200;
constexpr std::array<float, 7> kScales = {0, 0.75f, 1, 1.25f, 1.5f, 2, 3};

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::array<std::uint64_t, 6> kMemoryLimits = {0, 4 * kGiB, 8 * kGiB, 16 * kGiB, 32 * kGiB, 64 * kGiB};
constexpr std::array<std::string_view, kMemoryLimits.size()> kMemoryNames = {"None",   "4 GiB",  "8 GiB",
                                                                             "16 GiB", "32 GiB", "64 GiB"};
constexpr std::array<std::uint64_t, 4> kRooms = {5'000'000'000, 20'000'000'000, 50'000'000'000, 200'000'000'000};
constexpr std::array<std::string_view, kRooms.size()> kRoomNames = {"5 GB", "20 GB", "50 GB", "200 GB"};

/// Of `value` among `values`; their number if it is none of them, as after an edit by hand.
std::size_t index_of(std::span<const std::uint64_t> values, std::uint64_t value) {
  return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
}

std::string limit_text(std::uint64_t bytes) {
  return bytes == 0 ? std::string("none") : format_bytes(static_cast<std::int64_t>(bytes));
}

/// What the row of choices does not say: where the limit comes from, and for what it holds.
std::string memory_note(std::uint64_t limit, const SettingsPage::Given& given, const LoadProgress& progress,
                        bool is_open) {
  std::string note;
  const auto add = [&note](const std::string& fact) { note += (note.empty() ? "" : ". ") + fact; };
  if (given.memory_limit == limit)
    add(limit_text(limit) + ", as --memory says for this run; the settings have " +
        limit_text(given.memory_limit_kept));
  else if (index_of(kMemoryLimits, limit) == kMemoryLimits.size())
    add(limit_text(limit) + ", as the settings file says");
  if (is_open && progress.memory_limit != limit)
    add("What is open was opened with " + limit_text(progress.memory_limit) + "; reload it to change that");
  return note;
}

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
  draw_loading(context);
  ImGui::PopStyleVar();
  draw_keys(context);
  ImGui::Dummy({0, px(24)});
  ImGui::EndChild();
  if (std::exchange(memory_wanted_, false)) ImGui::SetScrollFromPosY(memory_y_ - ImGui::GetWindowPos().y, 0.25f);
  memory_in_view_ =
      memory_y_ >= ImGui::GetWindowPos().y && memory_y_ + px(28) <= ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
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

void SettingsPage::draw_memory(AppContext& context) {
  constexpr double kShownFor = 2;
  const Metrics& px = context.px;
  std::uint64_t& limit = context.settings.memory_limit;
  if (std::exchange(show_memory_, false)) {
    memory_wanted_ = true;
    shown_memory_ = context.now;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  memory_y_ = at.y;
  if (const double since = context.now - shown_memory_; shown_memory_ >= 0 && since < kShownFor) {
    const auto fade = static_cast<float>(1 - since / kShownFor);
    const ImVec2 from{at.x - px(8), at.y - px(4)};
    const ImVec2 to{at.x + ImGui::GetContentRegionAvail().x, at.y + px(32)};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(from, to);
    list.AddRectFilled(from, to, faded(context.theme.accent, 0.3f * fade), px(4));
    list.PopClipRect();
    context.keep_drawing();
  }
  label_of(context, "Memory limit");
  const std::size_t index = index_of(kMemoryLimits, limit);
  if (const auto chosen = choice(context, "##memory", kMemoryNames, index)) limit = kMemoryLimits[*chosen];

  memory_note_ = memory_note(limit, given_, context.session.progress(), context.session.is_open());
  if (memory_note_.empty()) return;
  ImGui::Dummy({0, 0});
  ImGui::SameLine(px(kLabelWidth));
  ImGui::PushTextWrapPos(0);
  text_muted(memory_note_);
  ImGui::PopTextWrapPos();
}

void SettingsPage::draw_loading(AppContext& context) {
  // Counted when the page comes up, not in each frame.
  constexpr double kAway = 0.5;
  if (last_drawn_ < 0 || context.now - last_drawn_ > kAway) stores_.count();
  last_drawn_ = context.now;

  Settings& settings = context.settings;
  title(context, "Loading");
  draw_memory(context);
  label_of(context, "Keep what was read");
  constexpr std::array<std::string_view, 2> kKeep = {"No", "Yes"};
  if (const auto chosen = choice(context, "##keep", kKeep, settings.keep_stores ? 1 : 0)) {
    settings.keep_stores = *chosen == 1;
  }
  ImGui::SameLine(0, context.px(16));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::floor((context.px(28) - ImGui::GetTextLineHeight()) / 2));
  text_muted("What was opened before then opens at once");
  label_of(context, "Room for that");
  if (const auto chosen = choice(context, "##room", kRoomNames, index_of(kRooms, settings.store_limit))) {
    settings.store_limit = kRooms[*chosen];
  }
  label_of(context, "In use");
  const float y = ImGui::GetCursorPosY();
  std::string used = "There is nowhere to keep anything: neither XDG_CACHE_HOME nor HOME is set";
  if (!stores_.folder().empty()) {
    used = stores_.bytes() ? format_bytes(static_cast<std::int64_t>(*stores_.bytes())) : "…";
    used += " in " + stores_.folder().string();
  }
  const float button = ImGui::CalcTextSize("Clear").x + context.px(32);
  const float room = ImGui::GetContentRegionAvail().x - button - context.px(16);
  ImGui::SetCursorPosY(y + std::floor((context.px(28) - ImGui::GetTextLineHeight()) / 2));
  text_fitted(context, used, room, context.theme.text);
  ImGui::SameLine(0, context.px(16));
  ImGui::SetCursorPosY(y);
  ImGui::BeginDisabled(!context.commands.enabled("app.clear-stores"));
  if (ImGui::Button("Clear", {button, context.px(28)})) context.commands.run("app.clear-stores");
  ImGui::EndDisabled();
}

void SettingsPage::write_state(JsonWriter& writer) const {
  writer.member("store_bytes", stores_.bytes().value_or(0));
  writer.member("store_folder", stores_.folder().string());
  writer.member("memory_note", memory_note_);
  writer.member("memory_in_view", memory_in_view_);
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
