#include "app/ui/dashboard/histogram_maker.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <utility>
#include <vector>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/fuzzy.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kWidth = 380;
constexpr float kListHeight = 220;
constexpr float kLabels = 56;

}  // namespace

bool HistogramMaker::draw_fields(const AppContext& app, const trace::Profile& profile) {
  const std::string before = typed_;
  small_label(app, "Name");
  ImGui::SameLine(app.px(kLabels));
  ImGui::SetNextItemWidth(app.px(kWidth - kLabels));
  bool entered = false;
  {
    const FieldEdge edge(app);
    entered = ImGui::InputTextWithHint("##name", "step, Forward, or part of a name", &typed_,
                                       ImGuiInputTextFlags_EnterReturnsTrue);
  }
  if (profile.ranks.size() > 1) {
    small_label(app, "Ranks");
    ImGui::SameLine(app.px(kLabels));
    const bool left =
        small_text(app, "##ranks", ranks_, "dashboard's ranks, or 0,3-5", app.px(kWidth - kLabels)).has_value();
    entered = entered || (left && ImGui::IsKeyPressed(ImGuiKey_Enter, false));
  }
  if (typed_ != before) line_.reset();
  if (!problem_.empty()) text_fitted(app, problem_, app.px(kWidth), app.theme.error);
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
    const bool gpu = families.at(rows[i], *side).text() == to_string(analysis::Side::gpu);
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable("##family", false, ImGuiSelectableFlags_DontClosePopups) ||
        line_.entered(static_cast<int>(i)))
      request = HistogramRequest{std::string(family), gpu, ranks_};
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

std::optional<HistogramRequest> HistogramMaker::draw(const AppContext& app, const trace::Profile& profile,
                                                     const Table* families) {
  if (small_switch(app, "##new", "New histogram…", false,
                   "Histogram of annotations: step, Forward, Backward, …  " +
                       app.commands.keys_text("dashboard.new-histogram", 1)) ||
      wanted_) {
    ImGui::OpenPopup("##maker");
    problem_.clear();
    ranks_.clear();  // the previous histogram's ranks would otherwise be reused unnoticed
    line_.reset();
  }
  ImGui::SetNextWindowPos({ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + app.px(4)}, ImGuiCond_Appearing,
                          {1, 0});
  if (!ImGui::BeginPopup("##maker")) return std::nullopt;
  if (std::exchange(wanted_, false) || ImGui::IsWindowAppearing()) focus_next_item();
  const bool entered = draw_fields(app, profile);
  ImGui::Separator();
  text_muted("Families in this profile");
  ImGui::BeginChild("##families", {app.px(kWidth), app.px(kListHeight)});
  std::optional<HistogramRequest> request;
  if (families == nullptr)
    text_muted("Counting…");
  else
    request = draw_families(app, *families);
  ImGui::EndChild();
  if (entered && !request && !line_.entered()) request = HistogramRequest{typed_, false, ranks_};
  const auto ranks = analysis::parse_ranks(profile, ranks_);
  if (request && request->annotation.empty()) {
    problem_ = "Type an annotation name, or choose one below";
    request.reset();
  } else if (request && !ranks_.empty() && !ranks) {
    problem_ = sentence(ranks.error().message());
    request.reset();
  } else if (request) {
    typed_.clear();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return request;
}

}  // namespace warpscope::ui
