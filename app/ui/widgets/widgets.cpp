#include "app/ui/widgets/widgets.hpp"

#include <algorithm>
#include <cctype>
#include <cfloat>
#include <cmath>
#include <vector>

#include "app/ui/model/commands.hpp"

namespace warpscope::ui {
namespace {

constexpr std::string_view kEllipsis = "…";

/// Returns the byte offsets of all characters and of the end.
std::vector<std::size_t> character_starts(std::string_view words) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((static_cast<unsigned char>(words[i]) & 0xC0) != 0x80) starts.push_back(i);
  }
  starts.push_back(words.size());
  return starts;
}

std::string fit(std::string_view words, float width, bool keep_end) {
  if (text_width(words) <= width) return std::string(words);
  const std::vector<std::size_t> starts = character_starts(words);
  const std::size_t total = starts.size() - 1;
  const auto cut = [&](std::size_t kept) {
    return keep_end ? std::string(kEllipsis) + std::string(words.substr(starts[total - kept]))
                    : std::string(words.substr(0, starts[kept])) + std::string(kEllipsis);
  };
  std::size_t fits = 0;
  std::size_t fails = total;
  while (fits + 1 < fails) {
    const std::size_t middle = (fits + fails) / 2;
    (text_width(cut(middle)) <= width ? fits : fails) = middle;
  }
  return cut(fits);
}

/// Splits a chord into keys: "Ctrl+Shift+P" → "Ctrl", "Shift", "P".
std::vector<std::string_view> caps_of(std::string_view chord) {
  std::vector<std::string_view> caps;
  for (std::size_t plus = chord.find('+', 1); plus != std::string_view::npos && plus + 1 < chord.size();
       plus = chord.find('+', 1)) {
    caps.push_back(chord.substr(0, plus));
    chord.remove_prefix(plus + 1);
  }
  caps.push_back(chord);
  return caps;
}

struct CapLayout {
  float padding, gap;
  explicit CapLayout(const Metrics& px) : padding(px(5)), gap(px(3)) {}
  [[nodiscard]] float width(std::string_view cap, float height) const {
    return std::max(height, text_width(cap) + 2 * padding);
  }
};

}  // namespace

float text_width(std::string_view line) { return ImGui::CalcTextSize(line.data(), line.data() + line.size()).x; }

float text_width(const ImFont& font, std::string_view line) {
  return font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, line.data(), line.data() + line.size()).x;
}

void draw_text(ImDrawList& list, ImVec2 at, scene::Color color, std::string_view words) {
  list.AddText(at, color, words.data(), words.data() + words.size());
}

void draw_text(ImDrawList& list, const ImFont& font, ImVec2 at, scene::Color color, std::string_view words) {
  list.AddText(&font, font.FontSize, at, color, words.data(), words.data() + words.size());
}

void align_right(float width) {
  const float free = ImGui::GetContentRegionAvail().x - width;
  if (free > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + free);
}

ImVec2 item_center() {
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  return {(from.x + to.x) / 2, (from.y + to.y) / 2};
}

void text(std::string_view words) { ImGui::TextUnformatted(words.data(), words.data() + words.size()); }

void text(std::string_view words, scene::Color color) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  text(words);
  ImGui::PopStyleColor();
}

void text_muted(std::string_view words) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  text(words);
  ImGui::PopStyleColor();
}

void text_wrapped(std::string_view words, scene::Color color, float at) {
  ImGui::PushTextWrapPos(at);
  text(words, color);
  ImGui::PopTextWrapPos();
}

void heading(const AppContext& context, std::string_view words) {
  ImGui::PushFont(context.fonts.heading);
  text(words);
  ImGui::PopFont();
}

void section_title(const AppContext& context, std::string_view words) {
  ImGui::Dummy({0, context.px(16)});
  text_muted(words);
  ImGui::Dummy({0, context.px(2)});
}

std::string sentence(std::string_view words) {
  std::string out(words);
  if (!out.empty()) out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out;
}

void text_fitted(const AppContext& context, std::string_view words, float width, scene::Color color) {
  const std::string shown = fit(words, width, false);
  text(shown, color);
  if (shown.size() != words.size() && ImGui::IsItemHovered()) tooltip(context, words);
}

std::string fit_text(std::string_view words, float width) { return fit(words, width, false); }
std::string fit_text_end(std::string_view words, float width) { return fit(words, width, true); }

void focus_next_item() {
  ImGui::SetWindowFocus();
  ImGui::SetKeyboardFocusHere();
}

void tooltip(const AppContext& context, std::string_view title, std::string_view facts, std::string_view further) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(context.px(8), context.px(6)));
  if (ImGui::BeginTooltip()) {
    ImGui::PushTextWrapPos(context.px(420));
    if (!title.empty()) text(title);
    if (!facts.empty()) text(facts);
    if (!further.empty()) text_muted(further);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

bool icon_button(const AppContext& context, const char* id, Icon icon, std::string_view tip, std::string_view command,
                 bool on) {
  const float side = context.px(24);
  const float picture = context.px(16);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, {side, side});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (hovered || on) {
    list.AddRectFilled(at, {at.x + side, at.y + side}, hovered ? context.theme.line : context.theme.raised,
                       context.px(4));
  }
  const scene::Color color = on ? context.theme.accent : hovered ? context.theme.text : context.theme.muted;
  const float inset = std::floor((side - picture) / 2);
  draw_icon(list, icon, {at.x + inset, at.y + inset}, picture, ImGui::GetColorU32(color));
  if (hovered && !tip.empty()) tooltip(context, tip, {}, context.commands.keys_text(command, 2));
  return clicked;
}

bool primary_button(const AppContext& context, const char* label, bool enabled) {
  const Theme& theme = context.theme;
  ImGui::PushStyleColor(ImGuiCol_Button, theme.accent);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, faded(theme.accent, 0.85f));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, faded(theme.accent, 0.7f));
  ImGui::PushStyleColor(ImGuiCol_Text, theme.dark() ? theme.ground : theme.panel);
  ImGui::BeginDisabled(!enabled);
  const bool clicked = ImGui::Button(label);
  ImGui::EndDisabled();
  ImGui::PopStyleColor(4);
  return clicked;
}

float key_caps_width(const AppContext& context, std::string_view chord) {
  ImGui::PushFont(context.fonts.mono);
  const CapLayout layout(context.px);
  const float height = context.px(20);
  float width = -layout.gap;
  for (const std::string_view cap : caps_of(chord)) width += layout.width(cap, height) + layout.gap;
  ImGui::PopFont();
  return std::max(0.0f, width);
}

float key_caps(const AppContext& context, std::string_view chord, bool right, bool bright) {
  const float total = key_caps_width(context, chord);
  ImGui::PushFont(context.fonts.mono);
  const CapLayout layout(context.px);
  const float height = context.px(20);
  ImVec2 at = ImGui::GetCursorScreenPos();
  if (right) at.x -= total;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float baseline = std::floor((height - ImGui::GetFontSize()) / 2);
  const scene::Color line = bright ? context.theme.text : context.theme.muted;
  const scene::Color letters = context.theme.text;
  for (const std::string_view cap : caps_of(chord)) {
    const float width = layout.width(cap, height);
    list.AddRect(at, {at.x + width, at.y + height}, line, context.px(4), 0, context.px(1));
    draw_text(list, {at.x + std::floor((width - text_width(cap)) / 2), at.y + baseline}, letters, cap);
    at.x += width + layout.gap;
  }
  ImGui::PopFont();
  return total;
}

FieldEdge::FieldEdge(const AppContext& context) {
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, context.px(1));
  ImGui::PushStyleColor(ImGuiCol_Border, context.theme.muted);
}

FieldEdge::~FieldEdge() {
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

void progress_bar(const AppContext& context, double fraction, float width, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float radius = std::min(context.px(4), height / 2);
  list.AddRectFilled(at, {at.x + width, at.y + height}, context.theme.line, radius);
  if (fraction > 0) {
    const float filled = std::max(2 * radius, width * static_cast<float>(std::min(1.0, fraction)));
    list.AddRectFilled(at, {at.x + filled, at.y + height}, context.theme.accent, radius);
  } else if (fraction < 0) {
    list.AddRectFilled(at, {at.x + width, at.y + height}, faded(context.theme.accent, 0.35f), radius);
  }
  ImGui::Dummy({width, height});
}

float Splitter::drag(const AppContext& context, const char* id, ImVec2 from, ImVec2 to, bool vertical, float size,
                     bool behind) {
  const float reach = context.px(4);
  const ImVec2 corner = vertical ? ImVec2(from.x - reach, from.y) : ImVec2(from.x, from.y - reach);
  const ImVec2 extent =
      vertical ? ImVec2(2 * reach, std::max(1.0f, to.y - from.y)) : ImVec2(std::max(1.0f, to.x - from.x), 2 * reach);
  ImGui::SetCursorScreenPos(corner);
  // Use a separate child so that it is above the panels on both sides.
  ImGui::BeginChild(id, extent, 0, ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
  ImGui::InvisibleButton("##handle", extent);
  const bool active = ImGui::IsItemActive();
  const bool hovered = ImGui::IsItemHovered() || active;
  if (hovered) ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsItemActivated()) start = size;
  const float thickness = context.px(hovered ? 2 : 1);
  const ImVec2 end = vertical ? ImVec2(from.x + thickness, to.y) : ImVec2(to.x, from.y + thickness);
  ImGui::GetWindowDrawList()->AddRectFilled(from, end, hovered ? context.theme.accent : context.theme.line);
  ImGui::EndChild();
  if (!active) return size;
  const ImGuiIO& io = ImGui::GetIO();
  const float moved = vertical ? io.MousePos.x - io.MouseClickedPos[0].x : io.MousePos.y - io.MouseClickedPos[0].y;
  return start + (behind ? -moved : moved);
}

}  // namespace warpscope::ui
