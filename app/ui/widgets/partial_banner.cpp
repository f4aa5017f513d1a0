#include "app/ui/widgets/partial_banner.hpp"

#include <imgui.h>

#include <cmath>

#include "app/ui/model/commands.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/trace/partial_ranks.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::ui {
namespace {

constexpr float kHeight = 28;

}  // namespace

void PartialBanner::draw(AppContext& app, const std::shared_ptr<const trace::Profile>& profile) {
  if (of_.lock() != profile) {
    auto note = trace::if_resident([&] { return profile ? trace::partial_note(*profile) : std::string(); });
    if (note) of_ = profile;  // else, the ends of the files must be read first
    text_ = std::move(note).value_or("");
  }
  if (text_.empty()) return;
  const Metrics& px = app.px;
  const ImVec2 corner = ImGui::GetCursorPos();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, px(kHeight)};
  if (ImGui::InvisibleButton("##partial", size)) app.commands.run("information.diagnostics");
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) tooltip(app, text_, {}, "Click to show the diagnostics");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, hovered ? app.theme.line : app.theme.raised);
  draw_icon(list, Icon::warning, {at.x + px(12), at.y + std::floor((size.y - px(16)) / 2)}, px(16), app.theme.warning);
  const std::string shown = fit_text(text_, size.x - px(36 + 12));
  list.AddText({at.x + px(36), at.y + std::floor((size.y - ImGui::GetFontSize()) / 2)}, app.theme.text, shown.c_str());
  ImGui::SetCursorPos({corner.x, corner.y + size.y});
}

}  // namespace warpscope::ui
