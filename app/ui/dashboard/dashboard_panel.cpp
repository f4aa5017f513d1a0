#include "app/ui/dashboard/dashboard_panel.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/analysis/row_target.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/plot_view.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/base/format.hpp"
#include "render/plots/part_bars.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::ui {
namespace {

constexpr float kPadding = 12;
constexpr float kNoteGap = 8;
constexpr int kMostNoteLines = 3;

}  // namespace

const std::vector<Table>* DashboardPanel::tables() const {
  return answer_ && answer_->tables.ok() ? &answer_->tables.value() : nullptr;
}

const Table* DashboardPanel::table() const {
  const std::vector<Table>* all = tables();
  return all != nullptr && data_.drawing.table < all->size() ? &(*all)[data_.drawing.table] : nullptr;
}

void DashboardPanel::choose(std::optional<std::uint32_t> item) {
  chosen_ = item;
  if (auto* histogram = std::get_if<charts::HistogramChart>(&data_.drawing.chart)) {
    histogram->chosen = item;
    chart_.changed();
  }
}

std::optional<Interval> DashboardPanel::bin_of(std::uint32_t item) const {
  const auto* histogram = std::get_if<charts::HistogramChart>(&data_.drawing.chart);
  if (histogram == nullptr || item >= histogram->bins.size()) return std::nullopt;
  const charts::HistogramBin& bin = histogram->bins[item];
  return Interval{static_cast<Ns>(std::llround(bin.begin)), static_cast<Ns>(std::llround(bin.end))};
}

std::string DashboardPanel::item_name(const PanelState& state, std::uint32_t item) const {
  if (const auto bin = bin_of(item)) {
    const auto edge = [&](Ns at) {
      return charts::format_value_at(static_cast<double>(at), charts::Unit::duration,
                                     static_cast<double>(bin->length()));
    };
    return fmt::format("{} {} to {}", state.made() ? state.annotation : "step", edge(bin->begin), edge(bin->end));
  }
  const auto* bars = std::get_if<charts::StackedBars>(&data_.drawing.chart);
  const std::string_view part = data_.part_of(item);
  if (bars != nullptr && !part.empty()) return fmt::format("{} · {}", bars->rows[item / bars->parts.size()].name, part);
  if (bars != nullptr && state.histogram()) return bars->rows[item].name;
  const Table* shown = table();
  const auto row = data_.drawing.row_of(item);
  return shown != nullptr && row ? std::string(plots::row_name(*shown, *row)) : std::string();
}

std::string_view DashboardPanel::analysis_of(std::uint32_t item) const {
  const std::string_view part = data_.part_of(item);
  return part.empty() ? part : plots::detail_of(data_.chart, part);
}

std::optional<analysis::CallQuery> DashboardPanel::slices_of(const AppContext& app, const PanelState& state,
                                                             std::uint32_t item) const {
  const Table* shown = table();
  const auto row = data_.drawing.row_of(item);
  if (shown == nullptr || !row || !app.session.profile()) return std::nullopt;
  if (!state.histogram())
    return data_.part_of(item).empty() ? calls_of_row(*app.session.profile(), *shown, *row) : std::nullopt;
  analysis::CallQuery query{.name = state.annotation,
                            .of = state.made() ? ColumnRole::annotation_group : ColumnRole::step,
                            .on_device = state.gpu,
                            .durations = bin_of(item)};
  const auto start = shown->find_role(ColumnRole::start);
  const auto length = shown->find_role(ColumnRole::duration);
  if (query.durations || !start || !length) return query;
  const Ns duration = shown->at(*row, *length).integer();  // the bar of a single step
  query.durations = Interval{duration, duration + 1};
  query.start = shown->at(*row, *start).integer();
  return query;
}

void DashboardPanel::take(const AppContext& app, const PanelState& state,
                          const std::shared_ptr<const AnalysisAnswer>& answer) {
  // Keep the old answer until the next one arrives.
  if (answer) answer_ = answer;
  if (!answer_) return;
  const std::string made_of = fmt::format("{} {}", answer_->serial, app.theme.dark());
  if (made_of == made_of_) return;
  const bool other_rows = made_of_.substr(0, made_of_.find(' ')) != std::to_string(answer_->serial);
  made_of_ = made_of;
  data_ = answer_->tables.ok() ? make_panel_data(state, answer_->tables.value(), app.theme.kind) : PanelData();
  if (other_rows) chosen_.reset();
  choose(chosen_);
  chart_.changed();
}

PanelAnswer DashboardPanel::draw_header(const AppContext& app, const PanelState& state, const PanelFrame& frame) {
  PanelAnswer answer;
  const float width = ImGui::GetContentRegionAvail().x;
  const float side = app.px(24);
  const ImVec2 corner = ImGui::GetCursorPos();
  // Without CPU samples, the table contains substitute data, so use the table's title.
  const Table* of = spec_of(state).need == PanelNeed::host_load && !data_.empty() ? table() : nullptr;
  const std::string title = of != nullptr ? of->title : title_of(state);
  const std::string shown = fit_text(title, width - 2 * side - app.px(8));
  ImGui::InvisibleButton("##title", {std::max(1.0f, width - 2 * side - app.px(8)), side});
  if (ImGui::IsItemHovered() && shown != title) tooltip(app, title);
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    answer.action = PanelAction::enlarge;
  ImGui::SetCursorPos({corner.x, corner.y + std::floor((side - ImGui::GetFontSize()) / 2)});
  text(shown);
  ImGui::SetCursorPos({corner.x + width - 2 * side, corner.y});
  if (icon_button(app, "##enlarge", frame.enlarged ? Icon::shrink : Icon::enlarge,
                  frame.enlarged ? "Back to all panels" : "Enlarge", "dashboard.enlarge"))
    answer.action = PanelAction::enlarge;
  ImGui::SetCursorPos({corner.x + width - side, corner.y});
  if (icon_button(app, "##more", Icon::more, "Copy")) {
    choose(std::nullopt);
    answer.action = PanelAction::menu;
  }
  ImGui::SetCursorPos({corner.x, corner.y + side});
  const analysis::Analysis* analysis = analysis::find_analysis(spec_of(state).analysis);
  caption(app, spec_of(state).about, width, app.theme.muted);
  if (analysis != nullptr && ImGui::IsItemHovered()) tooltip(app, analysis->about);
  return answer;
}

void DashboardPanel::drag_range(const AppContext& app, const ChartView::Answer& over, PanelAnswer& answer) {
  const charts::Box plot = chart_.drawing().plot;
  const auto* lines = std::get_if<charts::LineChart>(&data_.drawing.chart);
  const auto* heat = std::get_if<charts::HeatMap>(&data_.drawing.chart);
  if (heat != nullptr && !heat->column_names.empty()) heat = nullptr;
  if ((lines != nullptr || heat != nullptr) && over.clicked && plot.contains(over.pointer)) drag_from_ = over.pointer.x;
  if (!drag_from_) return;
  const float from = std::clamp(*drag_from_, plot.x0, plot.x1);
  const float to = std::clamp(over.pointer.x, plot.x0, plot.x1);
  const bool wide = std::abs(to - from) > app.px(4);
  if (wide)
    ImGui::GetWindowDrawList()->AddRectFilled({chart_.at().x + std::min(from, to), chart_.at().y + plot.y0},
                                              {chart_.at().x + std::max(from, to), chart_.at().y + plot.y1},
                                              app.theme.range);
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  drag_from_.reset();
  if (!wide || (lines == nullptr && heat == nullptr)) return;
  const charts::Scale time = lines != nullptr ? charts::time_scale(*lines, plot)
                                              : charts::Scale{heat->x_begin, heat->x_end, plot.x0, plot.x1, false};
  const auto at = [&](float x) { return static_cast<Ns>(std::llround(time.value(x))); };
  answer.action = PanelAction::restrict_to_range;
  answer.range = {at(std::min(from, to)), at(std::max(from, to))};
}

void DashboardPanel::draw_chart(const AppContext& app, const PanelState& state, const PanelFrame& frame, ImVec2 size,
                                PanelAnswer& answer) {
  const ChartView::Answer over = draw_plot(app, chart_, "##chart", size, app.theme.panel, data_.drawing, chosen_);
  const std::optional<std::uint32_t> item = over.item && *over.item < items() ? over.item : std::nullopt;
  const std::string_view more = item ? analysis_of(*item) : std::string_view();
  const bool listed = item && more.empty() && slices_of(app, state, *item);
  if (over.hovered && !drag_from_ && !frame.menu && table() != nullptr) {
    const auto* analysis = analysis::find_analysis(more);
    plot_tooltip(app, chart_, data_.drawing, *table(), over, item ? item_name(state, *item) : "",
                 analysis != nullptr ? fmt::format("Click to show the analysis \"{}\"", analysis->title)
                 : listed            ? "Click to list the slices; double-click to show them in the Timeline"
                                     : "",
                 "Drag to restrict the dashboard to a time range");
  }
  drag_range(app, over, answer);
  if (over.menu) {
    choose(item);
    answer.action = PanelAction::menu;
  }
  if (!over.clicked || (more.empty() && !listed)) return;
  choose(item);
  answer.item = item;
  answer.action = over.double_clicked ? PanelAction::open : PanelAction::list;
}

PanelAnswer DashboardPanel::draw(const AppContext& app, const PanelState& state,
                                 const std::shared_ptr<const AnalysisAnswer>& answer, const PanelFrame& frame) {
  take(app, state, answer);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(app.px(kPadding), app.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, app.px(frame.focused ? 2 : 1));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, app.theme.panel);
  ImGui::PushStyleColor(ImGuiCol_Border, frame.focused ? app.theme.accent : app.theme.line);
  ImGui::BeginChild("##panel", frame.size, ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_Border,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
  PanelAnswer result = draw_header(app, state, frame);
  ImGui::Dummy({0, app.px(1)});
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool noted = !data_.note.empty() && !data_.empty();
  const int lines = noted ? caption_lines(app, data_.note, room.x, kMostNoteLines) : 0;
  const float foot = noted ? static_cast<float>(lines) * app.fonts.caption->FontSize + app.px(kNoteGap) : 0;
  const Table* shown = table();
  const ImVec2 size(room.x, std::max(1.0f, room.y - foot - app.px(2)));
  if (!data_.empty()) {
    draw_chart(app, state, frame, size, result);
  } else if (!data_.drawing.words.empty()) {
    panel_words(app, size, data_.drawing.words, "");
  } else if (answer_ && !answer_->tables.ok()) {
    panel_words(app, size, sentence(answer_->tables.error().message()), "");
  } else if (answer_ && frame.restricted) {
    // The scope bar excludes the data, so advice on recording would not help.
    const bool note = shown != nullptr && !shown->note.empty();
    panel_words(app, size, note ? std::string_view(shown->note) : "No data in this selection",
                "Use the bar above to change the dashboard's time range and ranks");
  } else if (answer_) {
    // A histogram created by the user first shows how its name was interpreted.
    const bool note = state.made() && shown != nullptr && !shown->note.empty();
    const PanelSpec& spec = spec_of(state);
    const std::string_view missing = spec.missing.empty() ? missing_of(spec.need) : spec.missing;
    panel_words(app, size, note ? std::string_view(shown->note) : missing, note ? missing : std::string_view());
  } else {
    panel_words(app, size, "", "Computing…");
  }
  if (noted) caption(app, data_.note, room.x, app.theme.muted, kMostNoteLines);
  ImGui::EndChild();
  return result;
}

}  // namespace warpscope::ui
