#include "app/ui/dashboard/histogram_maker.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <utility>
#include <vector>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/has_words.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kWidth = 380;
constexpr float kListHeight = 220;

}  // namespace

bool HistogramMaker::draw_field(const AppContext& app) {
  const std::string before = typed_;
  ImGui::SetNextItemWidth(app.px(kWidth));
  const FieldEdge edge(app);
  const bool entered = ImGui::InputTextWithHint("##name", "step, Forward, or part of a name", &typed_,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  if (typed_ != before) line_.reset();
  return entered;
}

std::optional<HistogramRequest> HistogramMaker::draw_families(const AppContext& app, const Table& families) {
  const auto name = families.find_role(ColumnRole::annotation_group);
  const auto side = families.find_role(ColumnRole::side);
  const auto count = families.find_role(ColumnRole::count);
  if (!name || !side || !count) return std::nullopt;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < families.rows(); ++row)
    if (has_words(typed_, families.at(row, *name).text())) rows.push_back(row);
  if (rows.empty()) text_muted(families.rows() == 0 ? "This profile has no annotations" : "No matching family");
  line_.update(static_cast<int>(rows.size()));
  std::optional<HistogramRequest> request;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string_view family = families.at(rows[i], *name).text();
    const bool gpu = families.at(rows[i], *side).reference() == static_cast<std::uint32_t>(analysis::Side::gpu);
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable("##family", false, ImGuiSelectableFlags_DontClosePopups) ||
        line_.entered(static_cast<int>(i)))
      request = HistogramRequest{std::string(family), gpu};
    line_.mark(app, static_cast<int>(i));
    const float width = ImGui::GetWindowWidth() - app.px(16);
    const std::string facts =
        fmt::format("{} · {}", gpu ? "GPU" : "CPU", format_count(families.at(rows[i], *count).integer()));
    const float right = ImGui::CalcTextSize(facts.c_str()).x;
    ImGui::SameLine(app.px(4));
    text(fit_text(family, width - right - app.px(20)));
    ImGui::SameLine(width - right);
    text_muted(facts);
    ImGui::PopID();
  }
  return request;
}

std::optional<HistogramRequest> HistogramMaker::draw(const AppContext& app, const Table* families) {
  if (small_switch(app, "##new", "New histogram…", false,
                   "Histogram of annotations: step, Forward, Backward, …  " +
                       app.commands.keys_text("dashboard.new-histogram", 1)) ||
      wanted_) {
    ImGui::OpenPopup("##maker");
    line_.reset();
  }
  ImGui::SetNextWindowPos({ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + app.px(4)}, ImGuiCond_Appearing,
                          {1, 0});
  if (!ImGui::BeginPopup("##maker")) return std::nullopt;
  if (std::exchange(wanted_, false) || ImGui::IsWindowAppearing()) focus_next_item();
  const bool entered = draw_field(app);
  ImGui::Separator();
  text_muted("Families in this profile");
  ImGui::BeginChild("##families", {app.px(kWidth), app.px(kListHeight)});
  std::optional<HistogramRequest> request;
  if (families == nullptr)
    text_muted("Counting…");
  else
    request = draw_families(app, *families);
  ImGui::EndChild();
  if (entered && !request && !line_.entered() && !typed_.empty()) request = HistogramRequest{typed_, false};
  if (request) {
    typed_.clear();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return request;
}

}  // namespace warpscope::ui
