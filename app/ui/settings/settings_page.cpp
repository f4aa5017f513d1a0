// The Settings page. Each row has a label, its control (next to the label, or below it in a narrow window), and an
// optional muted note.
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/page.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {
namespace {

constexpr float kSettingsWidth = 800;   // maximum width of the page's content
constexpr float kSettingsLabel = 200;   // width of the label column
constexpr float kSettingsNarrow = 560;  // below this width, controls go under their labels
constexpr float kSettingsRow = 28;

constexpr std::array<float, 7> kScales = {0, 0.75f, 1, 1.25f, 1.5f, 2, 3};

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::array<std::uint64_t, 6> kMemoryLimits = {0, 4 * kGiB, 8 * kGiB, 16 * kGiB, 32 * kGiB, 64 * kGiB};
constexpr std::array<std::string_view, kMemoryLimits.size()> kMemoryNames = {"None",   "4 GiB",  "8 GiB",
                                                                             "16 GiB", "32 GiB", "64 GiB"};
constexpr std::array<std::uint64_t, 4> kRooms = {5'000'000'000, 20'000'000'000, 50'000'000'000, 200'000'000'000};
constexpr std::array<std::string_view, kRooms.size()> kRoomNames = {"5 GB", "20 GB", "50 GB", "200 GB"};

/// Returns the index of `value` in `values`; the size of `values` if it is not one of them, for example after a manual
/// edit.
template <class Value, std::size_t n>
std::size_t index_of(const std::array<Value, n>& values, Value value) {
  return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
}

std::string limit_text(std::uint64_t bytes) {
  return bytes == 0 ? std::string("none") : format_bytes(static_cast<std::int64_t>(bytes));
}

/// Explains the source and scope of the memory limit, which the buttons do not show.
std::string memory_note(std::uint64_t limit, const AppContext::GivenMemory& given, const LoadStatus& progress,
                        bool is_open) {
  std::string note;
  const auto add = [&note](const std::string& fact) { note += (note.empty() ? "" : ". ") + fact; };
  if (given.limit == limit)
    add(limit_text(limit) + " for this run (--memory); the setting is " + limit_text(given.kept));
  else if (index_of(kMemoryLimits, limit) == kMemoryLimits.size())
    add(limit_text(limit) + " (from the settings file)");
  if (is_open && progress.memory_limit != limit)
    add("The open profile was loaded with " + limit_text(progress.memory_limit) + "; reload it to apply the new limit");
  return note;
}

bool settings_narrow(const AppContext& context) { return ImGui::GetWindowWidth() < context.px(kSettingsNarrow); }

void settings_title(const AppContext& context, const char* words) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(context.px(8), context.px(8)));
  ImGui::Dummy({0, context.px(16)});
  text(words, context.theme.accent);
  ImGui::Separator();
  ImGui::Dummy({0, context.px(4)});
  ImGui::PopStyleVar();
}

/// Moves the cursor to where the control goes.
void settings_label(const AppContext& context, const char* words) {
  if (settings_narrow(context)) {
    text_muted(words);
    return;
  }
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + std::floor((context.px(kSettingsRow) - ImGui::GetTextLineHeight()) / 2));
  text(words);
  ImGui::SameLine(context.px(kSettingsLabel));
  ImGui::SetCursorPosY(y);
}

void settings_note(const AppContext& context, std::string_view words) {
  if (words.empty()) return;
  if (!settings_narrow(context)) ImGui::SetCursorPosX(context.px(kSettingsLabel));
  text_wrapped(words, context.theme.muted);
}

/// Returns the index of the clicked choice if the selection changed.
std::optional<std::size_t> settings_choice(const AppContext& context, const char* label,
                                           std::span<const std::string_view> words, std::size_t chosen) {
  settings_label(context, label);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() +
                       std::floor((context.px(kSettingsRow) - context.px(kControlHeight)) / 2));
  return small_choice(context, label, words, chosen);
}

template <class Enum, std::size_t n>
void choose(const AppContext& context, const char* label, const std::array<std::string_view, n>& words, Enum& setting) {
  if (const auto chosen = settings_choice(context, label, words, static_cast<std::size_t>(setting)))
    setting = static_cast<Enum>(*chosen);
}

template <class Value, std::size_t n>
void choose(const AppContext& context, const char* label, const std::array<std::string_view, n>& words,
            const std::array<Value, n>& values, Value& setting) {
  if (const auto chosen = settings_choice(context, label, words, index_of(values, setting))) setting = values[*chosen];
}

void draw_timeline(AppContext& context) {
  Settings& settings = context.settings;
  settings_title(context, "Timeline");
  constexpr std::array<std::string_view, 3> kDensities = {"Compact", "Normal", "Tall"};
  choose(context, "Row height", kDensities, settings.density);
  constexpr std::array<std::string_view, 2> kWheel = {"Scrolls", "Zooms"};
  choose(context, "Mouse wheel", kWheel, settings.wheel_zooms);
}

void draw_look(AppContext& context) {
  Settings& settings = context.settings;
  settings_title(context, "Appearance");
  constexpr std::array<std::string_view, 2> kThemes = {"Dark", "Light"};
  choose(context, "Theme", kThemes, settings.theme);
  constexpr std::array<std::string_view, kScales.size()> kScaleNames = {"Auto",  "75 %",  "100 %", "125 %",
                                                                        "150 %", "200 %", "300 %"};
  choose(context, "UI scale", kScaleNames, kScales, settings.scale);
  constexpr std::array<std::string_view, 2> kHues = {"Standard", "Color-blind safe"};
  choose(context, "Slice colors", kHues, settings.hues);
}

class SettingsPage final : public Page {
 public:
  explicit SettingsPage(AppContext& context)
      : Page(registered::settings::kPage), store_folder_(context.store_folder.string()) {}

  void draw(AppContext& context) override;
  void write_state(JsonWriter& writer) const override;

 private:
  void draw_loading(AppContext& context);
  void draw_store(AppContext& context);

  std::string store_folder_;  // of this run
  std::string memory_note_;   // as drawn, for write_state
  float content_width_ = 0;   // px, as drawn
  float widest_row_ = 0;
};

}  // namespace

void SettingsPage::draw(AppContext& context) {
  const Metrics& px = context.px;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float margin = room.x < px(kSettingsNarrow) ? px(16) : px(24);
  const float bar = ImGui::GetStyle().ScrollbarSize;
  const float width = std::min(px(kSettingsWidth), room.x - 2 * margin - bar);
  const float left = std::max(margin, std::floor((room.x - width) / 2));
  ImGui::BeginChild("##scroll", room, 0, ImGuiWindowFlags_NoBackground);
  ImGui::SetCursorPosX(left);
  ImGui::BeginChild("##settings", {width, 0}, ImGuiChildFlags_AutoResizeY, ImGuiWindowFlags_NoBackground);
  ImGui::Dummy({0, margin});
  heading(context, "Settings");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(8)));
  draw_look(context);
  draw_timeline(context);
  draw_loading(context);
  ImGui::PopStyleVar();
  ImGui::Dummy({0, margin});
  content_width_ = width;
  widest_row_ = ImGui::GetCurrentWindow()->DC.CursorMaxPos.x - ImGui::GetWindowPos().x;
  ImGui::EndChild();
  ImGui::EndChild();
}

void SettingsPage::draw_loading(AppContext& context) {
  Settings& settings = context.settings;
  settings_title(context, "Loading");
  choose(context, "Memory limit", kMemoryNames, kMemoryLimits, settings.memory_limit);
  memory_note_ =
      memory_note(settings.memory_limit, context.given_memory, context.session.progress(), context.session.is_open());
  settings_note(context, memory_note_);
  constexpr std::array<std::string_view, 2> kKeep = {"No", "Yes"};
  choose(context, "Cache opened traces", kKeep, settings.keep_stores);
  settings_note(context, "Cached traces open instantly");
  choose(context, "Cache size", kRoomNames, kRooms, settings.store_limit);
  draw_store(context);
}

void SettingsPage::draw_store(AppContext& context) {
  Settings& settings = context.settings;
  settings_label(context, "Cache folder");
  const std::string& here = store_folder_;
  ImGui::SetNextItemWidth(-1);
  {
    const FieldEdge edge(context);
    ImGui::InputTextWithHint("##store-folder",
                             here.empty() ? "none: neither XDG_CACHE_HOME nor HOME is set" : here.c_str(),
                             &settings.store_folder);
  }
  if (!settings.store_folder.empty() && settings.store_folder != here)
    settings_note(context, std::filesystem::path(settings.store_folder).is_absolute()
                               ? "Takes effect after a restart; current folder: " + (here.empty() ? "none" : here)
                               : "Enter an absolute path");
}

void SettingsPage::write_state(JsonWriter& writer) const {
  writer.member("store_folder", store_folder_);
  writer.member("memory_note", memory_note_);
  writer.member("cut", widest_row_ > content_width_ + 0.5f);
}

const PageSpec registered::settings::kPage{"settings", "Settings", Icon::settings, make_page<SettingsPage>, false};

}  // namespace warpscope::ui
