#include "app/ui/shell/help_overlay.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/fuzzy.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr float kLineHeight = 26;
constexpr float kTitleHeight = 32;
constexpr float kSectionGap = 12;
constexpr float kChordGap = 12;  // between alternative keys
constexpr float kCapGap = 6;     // between a key and a mouse action

struct Line {
  std::string name;
  std::vector<std::string> keys;  ///< chords; for a gesture: one text
  bool is_gesture = false;
};
struct Section {
  std::string title;
  std::vector<Line> lines;
};
struct Columns {
  int count = 1;
  float width = 0;
  float gap = 0;
  float height = 0;
  std::vector<ImVec2> places;  ///< one per section
};

/// Draws "Ctrl+wheel": keys as caps, mouse actions as text. Ends at `right_top`; returns the left edge.
float draw_gesture(const AppContext& context, const std::string& how, ImVec2 right_top, float text_y) {
  const std::size_t plus = how.substr(0, how.find(' ')).rfind('+');
  const std::string keys = plus == std::string::npos ? std::string() : how.substr(0, plus);
  const std::string words = plus == std::string::npos ? how : how.substr(plus + 1);
  float left = right_top.x - ImGui::CalcTextSize(words.c_str()).x;
  ImGui::GetWindowDrawList()->AddText({left, text_y}, context.theme.muted, words.c_str());
  if (keys.empty()) return left;
  left -= context.px(kCapGap);
  ImGui::SetCursorScreenPos({left, right_top.y + context.px(3)});
  return left - key_caps(context, keys, true);
}

/// Returns the lines that contain all words of the query.
std::vector<Section> sections(const AppContext& context, std::span<const Gesture> gestures, std::string_view query) {
  std::vector<Section> found;
  const auto section = [&found](const std::string& title) -> Section& {
    const auto same = std::ranges::find(found, title, &Section::title);
    if (same != found.end()) return *same;
    return found.emplace_back(Section{title, {}});
  };
  for (const Command& command : context.commands.all()) {
    if (command.keys.empty()) continue;
    Line line{command.name, {}, false};
    std::string all_words = command.category + " " + command.name;
    for (const KeyChord& chord : command.keys) {
      line.keys.push_back(to_string(chord));
      all_words += " " + line.keys.back();
    }
    if (has_words(query, all_words)) section(command.category).lines.push_back(std::move(line));
  }
  for (const Gesture& gesture : gestures) {
    const std::string all_words = "Mouse " + std::string(gesture.what) + " " + std::string(gesture.how);
    if (!has_words(query, all_words)) continue;
    section("Mouse").lines.push_back({std::string(gesture.what), {std::string(gesture.how)}, true});
  }
  return found;
}

/// Returns the number of chords that fit next to a line's name; the others go on the row below.
std::size_t keys_beside_name(const AppContext& context, const Line& line, float width) {
  float room = width - ImGui::CalcTextSize(line.name.c_str()).x - context.px(8);
  std::size_t fitting = 0;
  for (; fitting < line.keys.size(); ++fitting) {
    room -= key_caps_width(context, line.keys[fitting]) + context.px(kChordGap);
    if (room < 0) break;
  }
  return std::max<std::size_t>(1, fitting);
}

/// Puts each section in the column that keeps the tallest column shortest.
Columns arrange(const AppContext& context, const std::vector<Section>& sections, float width) {
  const Metrics& px = context.px;
  Columns columns;
  columns.count = std::clamp(static_cast<int>(width / px(340)), 1, 3);
  columns.gap = px(32);
  const auto count = static_cast<float>(columns.count);
  columns.width = std::floor((width - columns.gap * (count - 1)) / count);
  std::vector<float> filled(static_cast<std::size_t>(columns.count), 0.0f);
  for (const Section& section : sections) {
    const auto shortest = std::ranges::min_element(filled);
    columns.places.push_back(
        {static_cast<float>(shortest - filled.begin()) * (columns.width + columns.gap), *shortest});
    std::size_t rows = section.lines.size();
    for (const Line& line : section.lines) {
      if (!line.is_gesture && keys_beside_name(context, line, columns.width) < line.keys.size()) ++rows;
    }
    *shortest += px(kTitleHeight) + px(kLineHeight) * static_cast<float>(rows) + px(kSectionGap);
  }
  columns.height = *std::ranges::max_element(filled);
  return columns;
}

/// Draws chords [first, last) right-aligned at `right_top`; returns the left edge.
float draw_chords(const AppContext& context, const Line& line, std::size_t first, std::size_t last, ImVec2 right_top) {
  float right = right_top.x;
  for (std::size_t i = last; i-- > first;) {
    ImGui::SetCursorScreenPos({right, right_top.y + context.px(3)});
    right -= key_caps(context, line.keys[i], true) + context.px(kChordGap);
  }
  return right;
}

void draw_section(const AppContext& context, const Section& section, float width) {
  const Metrics& px = context.px;
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float title_y = at.y + std::floor((px(kTitleHeight) - ImGui::GetFontSize()) / 2);
  list.AddText({at.x, title_y}, theme.accent, section.title.c_str());
  float y = at.y + px(kTitleHeight);
  list.AddRectFilled({at.x, y - px(2)}, {at.x + width, y - px(1)}, theme.line);
  for (const Line& line : section.lines) {
    const float text_y = y + std::floor((px(kLineHeight) - ImGui::GetFontSize()) / 2);
    float right = at.x + width;
    float rows = 1;
    if (line.is_gesture) {
      right = draw_gesture(context, line.keys.front(), {right, y}, text_y);
    } else {
      const std::size_t beside = keys_beside_name(context, line, width);
      right = draw_chords(context, line, 0, beside, {right, y});
      if (beside < line.keys.size()) {
        draw_chords(context, line, beside, line.keys.size(), {at.x + width, y + px(kLineHeight)});
        rows = 2;
      }
    }
    const std::string name = fit_text(line.name, right - at.x - px(8));
    list.AddText({at.x, text_y}, theme.text, name.c_str());
    y += px(kLineHeight) * rows;
  }
}

}  // namespace

void HelpOverlay::draw(AppContext& context, std::span<const Gesture> gestures) {
  if (!is_open()) {
    query_.clear();
    full_height_ = 0;
    static_cast<void>(begin(context, {0, 0}, -1, true));
    return;
  }
  const Metrics& px = context.px;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float wide = std::min(px(1200), display.x - px(64));
  const float inside = wide - 2 * px(16) - px(10);
  if (full_height_ <= 0) full_height_ = arrange(context, sections(context, gestures, query_), inside).height;
  const ImVec2 size{wide, std::min(full_height_ + px(72), display.y - px(64))};
  if (!begin(context, size, -1, true)) return;
  if (just_opened()) focus_next_item();
  ImGui::SetNextItemWidth(px(280));
  {
    const FieldEdge edge(context);
    ImGui::InputTextWithHint("##query", "Find a shortcut", &query_);
  }
  ImGui::SameLine(0, px(16));
  ImGui::AlignTextToFramePadding();
  text_muted("Keyboard shortcuts. The command palette (" + context.commands.keys_text("app.palette", 1) +
             ") also lists commands without a key.");
  ImGui::SameLine(ImGui::GetWindowWidth() - px(16) - px(24));
  if (icon_button(context, "##close", Icon::close, "Close", "app.escape")) close();
  ImGui::Dummy({0, px(4)});

  ImGui::BeginChild("##keys");
  const std::vector<Section> found = sections(context, gestures, query_);
  const Columns columns = arrange(context, found, inside);
  const ImVec2 start = ImGui::GetCursorPos();
  for (std::size_t i = 0; i < found.size(); ++i) {
    ImGui::SetCursorPos({start.x + columns.places[i].x, start.y + columns.places[i].y});
    draw_section(context, found[i], columns.width);
  }
  ImGui::SetCursorPos(start);
  if (found.empty()) text_muted("No matching shortcut");
  ImGui::Dummy({1, columns.height});
  ImGui::EndChild();
  end();
}

}  // namespace warpscope::ui
