#include "app/ui/findings/account_bar.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"
#include "render/plots/row_color.hpp"

namespace warpscope::ui {

namespace {

constexpr std::size_t kMostNamedParts = 6;
constexpr double kLeastNamedPart = 0.01;
constexpr float kAccountHeight = 16;

std::optional<std::size_t> finding_about(const rules::Evaluation& evaluation, const rules::AccountPart& part) {
  const auto found = std::ranges::find(evaluation.findings, rules::rule_of(part.label),
                                       [](const rules::Ranked& each) { return each.rule->name; });
  if (found == evaluation.findings.end()) return std::nullopt;
  return static_cast<std::size_t>(found - evaluation.findings.begin());
}

/// A part with its color; parts too small to be named have none.
struct LegendEntry {
  std::string text;
  std::optional<scene::Color> color{};
};

/// Returns the largest parts, in the order of the bar.
std::vector<LegendEntry> legend_of(const std::vector<rules::AccountPart>& parts,
                                   const std::vector<scene::Color>& colors) {
  std::vector<Ns> times;
  for (const rules::AccountPart& part : parts) times.push_back(part.time);
  std::ranges::sort(times, std::greater());
  const Ns least = times[std::min(times.size(), kMostNamedParts) - 1];
  std::vector<LegendEntry> entries;
  double rest = 0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].share < kLeastNamedPart || parts[i].time < least || entries.size() == kMostNamedParts)
      rest += parts[i].share;
    else
      entries.push_back({fmt::format("{} {}", parts[i].words(), format_share(parts[i].share)), colors[i]});
  if (rest >= 0.0005) entries.push_back({"other " + format_share(rest)});
  return entries;
}

void draw_legend(AppContext& app, const std::vector<LegendEntry>& entries, float width) {
  const float left = ImGui::GetCursorPosX();
  const float box = ImGui::GetFontSize() * 0.6f;
  text_muted("GPU time:");
  for (const LegendEntry& entry : entries) {
    const float space = app.px(10);
    const float own = (entry.color ? box + app.px(4) : 0) + ImGui::CalcTextSize(entry.text.c_str()).x;
    ImGui::SameLine(0, space);
    if (ImGui::GetCursorPosX() + own > left + width) {
      ImGui::NewLine();
      ImGui::SetCursorPosX(left);
    }
    if (entry.color) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float top = at.y + (ImGui::GetTextLineHeight() - box) / 2;
      ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + box, top + box}, *entry.color);
      ImGui::Dummy({box, ImGui::GetTextLineHeight()});
      ImGui::SameLine(0, app.px(4));
    }
    text_muted(entry.text);
  }
}

}  // namespace

std::optional<std::size_t> draw_account_bar(AppContext& app, const rules::Evaluation& evaluation, float width) {
  if (evaluation.account.empty()) return std::nullopt;
  std::optional<std::size_t> clicked;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = app.px(kAccountHeight);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::vector<scene::Color> colors;
  for (const rules::AccountPart& part : evaluation.account)
    colors.push_back(plots::label_color(part.label, app.theme.kind));
  double before = 0;
  for (std::size_t i = 0; i < evaluation.account.size(); ++i) {
    const rules::AccountPart& part = evaluation.account[i];
    const float left = at.x + width * static_cast<float>(before);
    before += part.share;
    const float right = at.x + width * static_cast<float>(std::min(1.0, before));
    if (right - left < 0.5f) continue;
    const float gap = right - left > app.px(3) ? app.px(1) : 0;
    list.AddRectFilled({left, at.y}, {right - gap, at.y + height}, colors[i]);
    if (right - left < 1) continue;
    ImGui::SetCursorScreenPos({left, at.y});
    ImGui::PushID(static_cast<int>(i));
    const bool pressed = ImGui::InvisibleButton("##part", {right - left, height});
    const auto about = finding_about(evaluation, part);
    if (ImGui::IsItemHovered())
      tooltip(app, fmt::format("{}: {}", part.words(), format_share(part.share)),
              about ? evaluation.findings[*about].finding.headline : std::string("No fault found in it"));
    if (pressed && about) clicked = about;
    ImGui::PopID();
  }
  ImGui::SetCursorScreenPos({at.x, at.y + height + app.px(2)});
  draw_legend(app, legend_of(evaluation.account, colors), width);
  return clicked;
}

}  // namespace warpscope::ui
