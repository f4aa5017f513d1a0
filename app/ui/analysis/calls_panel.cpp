#include "app/ui/analysis/calls_panel.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/plot_view.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {
namespace {

constexpr float kCallsChartHeight = 150;
constexpr float kCallsListHeight = 280;

}  // namespace

void CallsPanel::show(AppContext& app, std::optional<analysis::CallQuery> query, std::string label,
                      std::optional<std::int64_t> of_row) {
  take(app);
  of_row_ = of_row;
  label_ = std::move(label);
  const std::shared_ptr<const trace::Profile>& profile = app.session.profile();
  if (query == query_ && generation_ == app.session.generation()) return;
  if (query != query_) {
    found_.reset();
    chosen_.reset();
    selects_first_ = opens_first_ = false;
  }
  query_ = std::move(query);
  generation_ = app.session.generation();
  if (!query_ || !profile) {
    work_.stop();
    return;
  }
  work_.start(
      [profile, asked = *query_](const CancelToken& cancel) {
        return std::make_shared<const analysis::CallTables>(analysis::call_tables(*profile, asked, &cancel));
      },
      app.wake);
}

void CallsPanel::select_first(AppContext& app, bool in_timeline) {
  selects_first_ = true;
  opens_first_ = in_timeline;
  if (!found_ || found_->slices.empty() || work_.running()) return;
  selects_first_ = false;
  choose(app, 0);
  if (std::exchange(opens_first_, false)) show_in_timeline(app);
}

void CallsPanel::close(AppContext& app) {
  show(app, std::nullopt);
  app.session.pick(nullptr);
}

void CallsPanel::take(AppContext& app) {
  auto found = work_.take();
  if (!found || !*found || generation_ != app.session.generation()) return;
  const bool keeps = chosen_ && found_;
  const trace::SliceRef before = keeps ? found_->slices[*chosen_] : trace::SliceRef{};
  found_ = std::move(*found);
  picked_ = std::make_shared<const PickedSlices>(PickedSlices{label_, found_->slices});
  made_ = false;
  list_view_ = {};
  list_view_.set_table(found_->list);
  chosen_.reset();
  if (const auto same = std::ranges::find(found_->slices, before); keeps && same != found_->slices.end())
    chosen_ = static_cast<std::size_t>(same - found_->slices.begin());
  if (selects_first_) select_first(app, opens_first_);
}

void CallsPanel::choose(AppContext& app, std::size_t index) {
  chosen_ = index;
  scroll_ = true;
  app.session.pick(picked_);
  app.session.go_to(found_->slices[index]);
}

void CallsPanel::make_charts(const AppContext& app) {
  made_ = true;
  made_dark_ = app.theme.dark();
  constexpr analysis::ChartSpec kTotals{.y = ColumnRole::total};
  charts_[0].drawing = plots::plot_of(analysis::ChartSpec{}, found_->distribution, 0, app.theme.kind);
  charts_[1].drawing = plots::plot_of(kTotals, {found_->steps}, 0, app.theme.kind);
  charts_[2].drawing = plots::plot_of(kTotals, {found_->ranks}, 0, app.theme.kind);
  charts_[0].table = &found_->distribution.front();
  charts_[1].table = &found_->steps;
  charts_[2].table = &found_->ranks;
  for (Chart& chart : charts_) chart.view.changed();
}

void CallsPanel::show_in_timeline(AppContext& app) {
  if (!found_ || found_->slices.empty() || generation_ != app.session.generation()) return;
  app.session.pick(picked_);
  show_in_timeline_page(app, found_->slices[chosen_.value_or(0)]);
}

void CallsPanel::step(AppContext& app, int direction) {
  if (!found_ || found_->slices.empty()) return;
  const auto count = std::ssize(found_->slices);
  const auto from = static_cast<std::ptrdiff_t>(chosen_.value_or(0));
  choose(app, static_cast<std::size_t>((from + direction + count) % count));
}

std::string CallsPanel::place() const {
  return fmt::format("{} of {}", format_count(static_cast<std::int64_t>(chosen_.value_or(0) + 1)),
                     format_count(std::ssize(found_->slices)));
}

void CallsPanel::draw_buttons(AppContext& app) {
  const bool any = found_ && !found_->slices.empty();
  ImGui::BeginDisabled(!any);
  if (small_button(app, "##show", "Show all in the Timeline", any, app.commands.keys_text(commands_ + "show-calls", 1)))
    show_in_timeline(app);
  ImGui::SameLine(0, app.px(12));
  if (icon_button(app, "##previous", Icon::chevron_left, "Select the previous slice", commands_ + "previous-call"))
    step(app, -1);
  ImGui::SameLine(0, app.px(4));
  small_label(app, any ? place() : "");
  ImGui::SameLine(0, app.px(4));
  if (icon_button(app, "##next", Icon::chevron_right, "Select the next slice (longest first)", commands_ + "next-call"))
    step(app, 1);
  ImGui::EndDisabled();
}

void CallsPanel::draw_figures(const AppContext& app) {
  const Table& figures = found_->distribution.back();
  const auto of = [&](ColumnRole role) {
    const auto column = figures.find_role(role);
    const Cell cell = column && figures.rows() > 0 ? figures.at(0, *column) : Cell();
    return cell.missing() ? std::string("–") : format_duration(static_cast<Ns>(std::llround(cell.number())));
  };
  const std::size_t count = found_->slices.size();
  caption(app,
          fmt::format("{} · {} total {}", counted(count, "call", "calls"), of(ColumnRole::total),
                      found_->on_device ? "on GPUs" : "on the host"),
          ImGui::GetContentRegionAvail().x, app.theme.text);
  if (of_row_ && *of_row_ > 0 && *of_row_ < static_cast<std::int64_t>(count))
    caption(app, fmt::format("All calls with this name, including {} in this row.", format_count(*of_row_)),
            ImGui::GetContentRegionAvail().x, app.theme.warning, 2);
  if (count < 2) return;
  caption(app,
          fmt::format("mean {} · median {} · p95 {} · from {} to {}", of(ColumnRole::mean), of(ColumnRole::median),
                      of(ColumnRole::p95), of(ColumnRole::min), of(ColumnRole::max)),
          ImGui::GetContentRegionAvail().x, app.theme.muted, 2);
}

void CallsPanel::draw_slices(AppContext& app) {
  TableView::Options options;
  options.chosen = chosen_;
  options.scroll_to_chosen = std::exchange(scroll_, false);
  options.clicked = [&](std::size_t row) { choose(app, row); };
  options.double_clicked = [&](std::size_t) { show_in_timeline(app); };
  options.tip = [&](std::size_t row) { return std::string(found_->list.at(row, 0).text()); };
  list_view_.draw(app, "##table", found_->list, options, app.px(kCallsListHeight));
}

void CallsPanel::draw(AppContext& app, float height, bool closes) {
  if (found_ && !found_->slices.empty() && (!made_ || made_dark_ != app.theme.dark())) make_charts(app);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(app.px(12), app.px(8)));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, app.theme.panel);
  ImGui::BeginChild("##calls", {0, height}, ImGuiChildFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  const float width = ImGui::GetContentRegionAvail().x;
  if (closes) {
    const ImVec2 at = ImGui::GetCursorPos();
    ImGui::SetCursorPos({at.x + width - app.px(24), at.y - app.px(4)});
    if (icon_button(app, "##close", Icon::close, "Close the list", "app.escape")) close(app);
    ImGui::SetCursorPos(at);
  }
  text_fitted(app, label_, width - (closes ? app.px(32) : 0), app.theme.text);
  if (!found_) {
    text_muted("Searching…");
  } else if (found_->slices.empty()) {
    text_muted("No calls with this name in this selection");
  } else {
    draw_figures(app);
    ImGui::Dummy({0, app.px(2)});
    draw_buttons(app);
    ImGui::Dummy({0, app.px(4)});
    for (Chart& chart : charts_) {
      if (std::holds_alternative<std::monostate>(chart.drawing.chart)) continue;
      const auto over = draw_plot(app, chart.view, chart.table->id.c_str(), {width, app.px(kCallsChartHeight)},
                                  app.theme.panel, chart.drawing);
      plot_tooltip(app, chart.view, chart.drawing, *chart.table, over, "", "");
    }
    if (found_->slices.size() > 1) draw_slices(app);
  }
  ImGui::EndChild();
}

void CallsPanel::write_state(JsonWriter& writer) const {
  writer.member("calls_of", label_);
  writer.member("calls", found_ ? std::ssize(found_->slices) : -1);
  writer.member("call", static_cast<std::int64_t>(chosen_.value_or(0)) + 1);
}

}  // namespace warpscope::ui
