#include "app/ui/findings/account_bar.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {

namespace {

constexpr std::size_t kMostNamedParts = 5;
constexpr double kLeastNamedPart = 0.01;
constexpr float kAccountHeight = 16;

struct RuleOfPart {
  std::string_view label;
  std::string_view rule;
};
constexpr std::array kRuleOfPart{RuleOfPart{"transfer", "ExposedCommunication"},
                                 RuleOfPart{"waiting_for_ranks", "LateRank"},
                                 RuleOfPart{"idle_data_loader", "DataLoader"},
                                 RuleOfPart{"idle_compilation", "Recompilation"},
                                 RuleOfPart{"idle_allocation", "AllocatorChurn"},
                                 RuleOfPart{"idle_collection", "HostStall"},
                                 RuleOfPart{"idle_checkpoint", "HostStall"},
                                 RuleOfPart{"idle_stall", "HostStall"},
                                 RuleOfPart{"idle_sync", "HostSync"},
                                 RuleOfPart{"idle_launch", "LaunchBound"},
                                 RuleOfPart{"idle_host", "LaunchBound"},
                                 RuleOfPart{"idle_latency", "LaunchBound"}};

std::optional<std::size_t> finding_about(const rules::Evaluation& evaluation, const rules::AccountPart& part) {
  const auto rule = std::ranges::find(kRuleOfPart, part.label, &RuleOfPart::label);
  if (rule == kRuleOfPart.end()) return std::nullopt;
  const auto found =
      std::ranges::find(evaluation.findings, rule->rule, [](const rules::Ranked& each) { return each.rule->name; });
  if (found == evaluation.findings.end()) return std::nullopt;
  return static_cast<std::size_t>(found - evaluation.findings.begin());
}

/// Busy time has the color of its kind; idle time has the color of the frame, in two shades.
scene::Color color_of_part(const AppContext& app, std::string_view label, std::size_t index) {
  if (label == "computation") return scene::family_color(scene::Family::computation, app.theme.kind);
  if (label == "transfer") return scene::family_color(scene::Family::communication, app.theme.kind);
  if (label == "waiting_for_ranks") return scene::family_color(scene::Family::sync, app.theme.kind);
  if (label == "memory") return scene::family_color(scene::Family::memory, app.theme.kind);
  return index % 2 == 0 ? app.theme.line : faded(app.theme.muted, 0.45f);
}

std::string named_parts(std::vector<rules::AccountPart> parts) {
  std::ranges::stable_sort(parts, std::greater(), &rules::AccountPart::time);
  std::string text;
  double rest = 0;
  std::size_t named = 0;
  for (const rules::AccountPart& part : parts) {
    if (named >= kMostNamedParts || part.share < kLeastNamedPart) {
      rest += part.share;
      continue;
    }
    text += fmt::format("{}{} {}", named == 0 ? "" : " · ", part.words, format_share(part.share));
    ++named;
  }
  if (rest >= 0.0005) text += fmt::format(" · other {}", format_share(rest));
  return text;
}

}  // namespace

std::optional<std::size_t> draw_account_bar(AppContext& app, const rules::Evaluation& evaluation, float width) {
  if (evaluation.account.empty()) return std::nullopt;
  std::optional<std::size_t> clicked;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = app.px(kAccountHeight);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  double before = 0;
  for (std::size_t i = 0; i < evaluation.account.size(); ++i) {
    const rules::AccountPart& part = evaluation.account[i];
    const float left = at.x + width * static_cast<float>(before);
    before += part.share;
    const float right = at.x + width * static_cast<float>(std::min(1.0, before));
    if (right - left < 0.5f) continue;
    list.AddRectFilled({left, at.y}, {right, at.y + height}, color_of_part(app, part.label, i));
    if (right - left < 1) continue;
    ImGui::SetCursorScreenPos({left, at.y});
    ImGui::PushID(static_cast<int>(i));
    const bool pressed = ImGui::InvisibleButton("##part", {right - left, height});
    const auto about = finding_about(evaluation, part);
    if (ImGui::IsItemHovered())
      tooltip(app, fmt::format("{}: {}", part.words, format_share(part.share)),
              about ? evaluation.findings[*about].finding.headline : std::string("No fault found in it"));
    if (pressed && about) clicked = about;
    ImGui::PopID();
  }
  ImGui::SetCursorScreenPos({at.x, at.y + height + app.px(2)});
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  text_muted("GPU time: " + named_parts(evaluation.account));
  ImGui::PopTextWrapPos();
  return clicked;
}

}  // namespace warpscope::ui
