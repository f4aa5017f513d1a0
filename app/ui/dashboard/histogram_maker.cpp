#include "app/ui/dashboard/histogram_maker.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "app/ui/model/commands.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/base/ascii.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kWidth = 380;
constexpr float kListHeight = 220;
constexpr float kLabels = 56;

bool holds(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  return std::ranges::search(text, part, same).begin() != text.end() || part.empty();
}

bool means_several(const Table& families, std::string_view typed, bool gpu) {
  const TypedFamily meant = typed_family(families, typed, gpu);
  return meant.name.empty() && meant.containing > 1;
}

/// Returns the rows of all families that contain the typed text, on either side.
std::vector<std::size_t> rows_with(const Table& families, std::size_t name, std::string_view typed) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < families.rows(); ++row)
    if (holds(families.at(row, name).text(), typed)) rows.push_back(row);
  return rows;
}

/// Returns the number of lines listed for the typed text.
int listed_lines(const Table& families, std::string_view typed, bool gpu) {
  const auto name = families.find_role(ColumnRole::annotation_group);
  if (!name) return 0;
  return static_cast<int>(rows_with(families, *name, typed).size()) + (means_several(families, typed, gpu) ? 1 : 0);
}

}  // namespace

TypedFamily typed_family(const Table& families, std::string_view typed, bool gpu) {
  TypedFamily meant;
  const auto name = families.find_role(ColumnRole::annotation_group);
  const auto side = families.find_role(ColumnRole::side);
  if (!name || !side || typed.empty()) return meant;
  std::string last;
  for (std::size_t row = 0; row < families.rows(); ++row) {
    const std::string_view family = families.at(row, *name).text();
    if ((families.at(row, *side).text() == to_string(analysis::Side::gpu)) != gpu || !holds(family, typed)) continue;
    ++meant.containing;
    if (family == typed) meant.name = family;
    last = family;
  }
  if (meant.name.empty() && meant.containing == 1) meant.name = std::move(last);
  return meant;
}

std::optional<HistogramRequest> HistogramMaker::request_for(const trace::Profile& profile, std::string annotation,
                                                            bool gpu) {
  problem_.clear();
  if (!ranks_.empty())
    if (const auto ranks = analysis::parse_ranks(profile, ranks_); !ranks) {
      problem_ = sentence(ranks.error().message());
      return std::nullopt;
    }
  return HistogramRequest{std::move(annotation), gpu, ranks_};
}

std::optional<HistogramRequest> HistogramMaker::made(const trace::Profile& profile, const Table* families) {
  if (typed_.empty()) {
    problem_ = "Type an annotation name, or choose one below";
    return std::nullopt;
  }
  const TypedFamily meant = families != nullptr ? typed_family(*families, typed_, gpu_) : TypedFamily{};
  return request_for(profile, meant.name.empty() ? typed_ : meant.name, gpu_);
}

std::optional<HistogramRequest> HistogramMaker::draw_families(const AppContext& app, const trace::Profile& profile,
                                                              const Table& families) {
  std::optional<HistogramRequest> request;
  const auto name = families.find_role(ColumnRole::annotation_group);
  const auto side = families.find_role(ColumnRole::side);
  const auto count = families.find_role(ColumnRole::count);
  const auto mean = families.find_role(ColumnRole::mean);
  if (!name || !side || !count) return request;
  int line = 0;
  // Users usually mean one family, so label the line for several families explicitly.
  if (means_several(families, typed_, gpu_)) {
    const std::string words = fmt::format("All names containing \"{}\" ({} families)", typed_,
                                          typed_family(families, typed_, gpu_).containing);
    if (ImGui::Selectable("##all", false, ImGuiSelectableFlags_DontClosePopups) || line_.entered(line))
      request = request_for(profile, typed_, gpu_);
    line_.mark(app, line++);
    ImGui::SameLine(app.px(4));
    text_fitted(app, words, ImGui::GetWindowWidth() - app.px(20), app.theme.text);
    ImGui::Separator();
  }
  const std::vector<std::size_t> rows = rows_with(families, *name, typed_);
  for (const std::size_t row : rows) {
    const std::string_view family = families.at(row, *name).text();
    const bool gpu = families.at(row, *side).text() == to_string(analysis::Side::gpu);
    ImGui::PushID(static_cast<int>(row));
    if (ImGui::Selectable("##family", false, ImGuiSelectableFlags_DontClosePopups) || line_.entered(line))
      request = request_for(profile, std::string(family), gpu);
    line_.mark(app, line++);
    const float width = ImGui::GetWindowWidth() - app.px(16);
    std::string facts = fmt::format("{} · {}", gpu ? "GPU" : "CPU", format_count(families.at(row, *count).integer()));
    if (mean && !families.at(row, *mean).missing())
      facts += " · mean " + format_duration(static_cast<Ns>(families.at(row, *mean).number()));
    const float right = ImGui::CalcTextSize(facts.c_str()).x;
    ImGui::SameLine(app.px(4));
    text(fit_text(family, width - right - app.px(20)));
    ImGui::SameLine(width - right);
    text_muted(facts);
    ImGui::PopID();
  }
  if (rows.empty()) text_muted(families.rows() == 0 ? "This profile has no annotations" : "No matching family");
  return request;
}

// Draws the fields for name, side and ranks. Pressing Enter in a text field adds the histogram, unless a line of the
// list is selected with the keyboard.
std::optional<HistogramRequest> HistogramMaker::draw_fields(const AppContext& app, const trace::Profile& profile,
                                                            const Table* families) {
  std::optional<HistogramRequest> request;
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
  small_label(app, "Side");
  ImGui::SameLine(app.px(kLabels));
  constexpr std::array<std::string_view, 2> kSides{"CPU: as recorded", "GPU: activity they launched"};
  if (const auto chosen = small_choice(app, "##side", kSides, gpu_ ? 1 : 0)) gpu_ = *chosen == 1;
  if (profile.ranks.size() > 1) {
    small_label(app, "Ranks");
    ImGui::SameLine(app.px(kLabels));
    const bool left =
        small_text(app, "##ranks", ranks_, "dashboard's ranks, or 0,3-5", app.px(kWidth - kLabels)).has_value();
    entered =
        entered ||
        (left && (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false)));
  }
  if (typed_ != before) line_.reset();
  if (entered && !line_.entered()) request = made(profile, families);
  if (!problem_.empty()) text_fitted(app, problem_, app.px(kWidth), app.theme.error);
  ImGui::SetCursorPosX(app.px(kLabels));
  const bool several = families != nullptr && means_several(*families, typed_, gpu_);
  if (small_button(app, "##add", several ? "Add all matching" : "Add", !typed_.empty()))
    request = made(profile, families);
  return request;
}

std::optional<HistogramRequest> HistogramMaker::draw(const AppContext& app, const trace::Profile& profile,
                                                     const Table* families) {
  std::optional<HistogramRequest> request;
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
  open_ = ImGui::BeginPopup("##maker");
  if (!open_) return request;
  if (std::exchange(wanted_, false) || ImGui::IsWindowAppearing()) focus_next_item();
  line_.update(families != nullptr ? listed_lines(*families, typed_, gpu_) : 0);
  request = draw_fields(app, profile, families);
  ImGui::Separator();
  text_muted("Families in this profile");
  ImGui::BeginChild("##families", {app.px(kWidth), app.px(kListHeight)});
  if (families == nullptr)
    text_muted("Counting…");
  else if (auto chosen = draw_families(app, profile, *families))
    request = std::move(chosen);
  ImGui::EndChild();
  if (request) {
    typed_.clear();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return request;
}

}  // namespace warpscope::ui
