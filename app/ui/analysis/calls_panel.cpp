#include "app/ui/analysis/calls_panel.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <numeric>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::ui {
namespace {

constexpr float kHistogramHeight = 120;
constexpr float kBarsHeight = 150;
constexpr std::size_t kMostRows = 8;  // fit into kBarsHeight

/// Makes bars from the rows of a table of totals: all rows in order if they fit, otherwise only the largest.
std::vector<std::uint32_t> rows_shown(const Table& table) {
  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0u);
  if (const auto total = table.find_role(ColumnRole::total); total && rows.size() > kMostRows) {
    rows = sorted_order(table, *total, SortOrder::descending);
    rows.resize(kMostRows);
  }
  return rows;
}

std::optional<charts::StackedBars> bars_of_sums(const Table& table, std::span<const std::uint32_t> rows,
                                                scene::Theme theme) {
  const auto total = table.find_role(ColumnRole::total);
  if (!total || table.rows() < 2) return std::nullopt;
  return plots::bars_of(table, rows, std::array{*total}, theme);
}

}  // namespace

void CallsPanel::show(AppContext& app, std::optional<analysis::CallQuery> query, std::optional<std::int64_t> of_row) {
  take(app);
  of_row_ = of_row;
  const std::shared_ptr<const trace::Profile>& profile = app.session.profile();
  if (query == query_ && generation_ == app.session.generation()) return;
  const bool same = query == query_;
  query_ = std::move(query);
  generation_ = app.session.generation();
  if (!same) {
    found_.reset();
    chosen_ = 0;
  }
  if (!query_ || !profile) {
    work_.stop();
    return;
  }
  work_.start(
      [profile, query = *query_](const CancelToken& cancel) {
        return std::make_shared<const analysis::CallTables>(analysis::call_tables(*profile, query, &cancel));
      },
      app.wake);
}

void CallsPanel::profile_changed() { found_.reset(); }

void CallsPanel::take(AppContext& app) {
  if (auto found = work_.take(); found && *found && generation_ == app.session.generation()) {
    found_ = std::move(*found);
    made_ = false;
    if (chosen_ >= found_->slices.size()) chosen_ = 0;
  }
}

void CallsPanel::make_charts(const AppContext& app) {
  made_ = true;
  made_dark_ = app.theme.dark();
  durations_.reset();
  if (auto histogram = plots::histogram_of(found_->distribution, {}, app.theme.kind))
    durations_ = std::move(histogram->chart);
  step_rows_ = rows_shown(found_->steps);
  rank_rows_ = rows_shown(found_->ranks);
  steps_ = bars_of_sums(found_->steps, step_rows_, app.theme.kind);
  ranks_ = bars_of_sums(found_->ranks, rank_rows_, app.theme.kind);
  for (ChartView* view : {&durations_view_, &steps_view_, &ranks_view_}) view->changed();
}

void CallsPanel::show_in_timeline(AppContext& app) {
  if (!found_ || !query_ || found_->slices.empty() || generation_ != app.session.generation()) return;
  auto picked = std::make_shared<PickedSlices>();
  picked->label = "calls of " + query_->name;
  picked->slices = found_->slices;
  app.session.pick(std::move(picked));
  show_in_timeline_page(app, found_->slices[chosen_]);
}

void CallsPanel::step(AppContext& app, int direction) {
  if (!found_ || found_->slices.empty()) return;
  const std::size_t count = found_->slices.size();
  chosen_ = (chosen_ + (direction > 0 ? 1 : count - 1)) % count;
  app.session.go_to(found_->slices[chosen_]);
}

void CallsPanel::draw_buttons(AppContext& app) {
  const std::size_t count = found_->slices.size();
  if (small_button(app, "##show", "Show all in the Timeline", count > 0,
                   app.commands.keys_text(commands_ + "show-calls", 1)))
    show_in_timeline(app);
  ImGui::SameLine(0, app.px(12));
  if (icon_button(app, "##previous", Icon::chevron_left, "Select the previous call", commands_ + "previous-call"))
    step(app, -1);
  ImGui::SameLine(0, app.px(4));
  small_label(app, fmt::format("{} of {}", format_count(static_cast<std::int64_t>(chosen_ + 1)),
                               format_count(static_cast<std::int64_t>(count))));
  ImGui::SameLine(0, app.px(4));
  if (icon_button(app, "##next", Icon::chevron_right, "Select the next call (longest first)", commands_ + "next-call"))
    step(app, 1);
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

void CallsPanel::draw_bars(const AppContext& app, const char* id, ChartView& view, const charts::StackedBars& bars,
                           const Table& table, std::span<const std::uint32_t> rows, float height) {
  caption(app, table.title, ImGui::GetContentRegionAvail().x, app.theme.muted);
  const auto over = view.draw(app, id, {ImGui::GetContentRegionAvail().x, height}, app.theme.panel,
                              [&](float width, float tall, const charts::ChartStyle& style) {
                                return charts::draw_stacked_bars(bars, width, tall, style);
                              });
  if (over.item && *over.item < rows.size())
    tooltip(app, bars.rows[*over.item].name, plots::row_facts(table, rows[*over.item]));
}

void CallsPanel::draw(AppContext& app, float height) {
  if (found_ && (!made_ || made_dark_ != app.theme.dark())) make_charts(app);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(app.px(12), app.px(8)));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, app.theme.panel);
  ImGui::BeginChild("##calls", {0, height}, ImGuiChildFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  const float width = ImGui::GetContentRegionAvail().x;
  text_fitted(app, query_ ? query_->name : "", width, app.theme.text);
  if (!found_) {
    text_muted("Searching…");
  } else if (found_->slices.empty()) {
    text_muted("No calls with this name in this selection");
  } else {
    draw_figures(app);
    ImGui::Dummy({0, app.px(2)});
    draw_buttons(app);
    ImGui::Dummy({0, app.px(4)});
    if (durations_ && found_->slices.size() > 1) {
      caption(app, "Call durations", width, app.theme.muted);
      durations_view_.draw(app, "##durations", {width, app.px(kHistogramHeight)}, app.theme.panel,
                           [this](float wide, float tall, const charts::ChartStyle& style) {
                             return charts::draw_histogram(*durations_, wide, tall, style);
                           });
    }
    if (steps_) draw_bars(app, "##steps", steps_view_, *steps_, found_->steps, step_rows_, app.px(kBarsHeight));
    if (ranks_) draw_bars(app, "##ranks", ranks_view_, *ranks_, found_->ranks, rank_rows_, app.px(kBarsHeight));
  }
  ImGui::EndChild();
}

void CallsPanel::write_state(JsonWriter& writer) const {
  writer.member("calls_of", query_ ? query_->name : std::string());
  writer.member("calls", found_ ? static_cast<std::int64_t>(found_->slices.size()) : -1);
  writer.member("call", static_cast<std::int64_t>(chosen_) + 1);
}

}  // namespace warpscope::ui
