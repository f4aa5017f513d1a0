#include "app/ui/dashboard/panel_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/ui/widgets/chart_export.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/kernel_totals.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "render/charts/colors.hpp"
#include "render/plots/name_labels.hpp"
#include "render/plots/rank_heat.hpp"
#include "render/plots/step_bars.hpp"
#include "render/plots/table_chart.hpp"
#include "render/plots/time_use.hpp"

namespace warpscope::ui {
namespace {

/// Returns the column with this role, or the first text column for ColumnRole::none.
std::optional<std::size_t> name_column(const Table& table, ColumnRole role) {
  return role != ColumnRole::none ? table.find_role(role) : plots::first_of(table, ColumnKind::text);
}

/// Returns the column with this role, or the first number column for ColumnRole::none.
std::optional<std::size_t> value_column(const Table& table, ColumnRole role) {
  if (role != ColumnRole::none) return table.find_role(role);
  const auto found = std::ranges::find_if(table.columns(), [](const Column& c) { return is_figure(c.kind); });
  if (found == table.columns().end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.columns().begin());
}

/// Shares of the same rows relative to another total: GPU time or computation, in addition to shares of kernel time.
struct OtherShare {
  const Table* table = nullptr;
  std::size_t column = 0;
  std::string_view of{};  // heading
};

OtherShare other_share(const PanelSpec& spec, const std::vector<Table>& tables, const Table& of) {
  if (!spec.share_of.empty())
    if (const auto column = of.find_role(ColumnRole::share)) return {&of, *column, spec.share_of};
  for (const Table& table : tables)
    if (const auto column = table.find_role(ColumnRole::share_of_gpu_time); column && table.rows() == of.rows())
      return {&table, *column, "of GPUs"};
  return {};
}

/// Returns the label of a row.
std::string row_label(const PanelSpec& spec, const plots::NameLabels& labels, std::string_view name) {
  return spec.meaning == plots::RowMeaning::kernel ? labels.of(name) : std::string(name);
}

struct NamedRows {
  std::size_t name = 0;
  std::size_t value = 0;
  charts::Unit unit = charts::Unit::number;
};

std::optional<NamedRows> named_rows(const PanelSpec& spec, const PanelChoice* choice, const Table& table) {
  const auto name = name_column(table, spec.name);
  const auto value =
      value_column(table, choice != nullptr && choice->column != ColumnRole::none ? choice->column : spec.value);
  if (!name || !value) return std::nullopt;
  return NamedRows{*name, *value, plots::unit_of(table.columns()[*value])};
}

void make_pie(PanelData& data, const PanelSpec& spec, const PanelChoice* choice, const NamedRows& rows,
              const std::vector<Table>& tables, scene::Theme theme) {
  const Table& table = tables[data.table];
  charts::PieChart pie;
  double sum = 0;
  for (std::size_t r = 0; r < table.rows(); ++r)
    if (const double value = table.at(r, rows.value).number(); value > 0) sum += value;
  if (!(sum > 0)) return;
  const OtherShare other = other_share(spec, tables, table);
  const auto names = table.find_role(ColumnRole::other_names);
  const plots::NameLabels labels(table, rows.name);
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const std::string_view name = table.at(r, rows.name).text();
    const double value = table.at(r, rows.value).number();
    charts::PiePart part{
        row_label(spec, labels, name), value > 0 ? value : 0, plots::row_color(spec.meaning, name, r, theme), {}};
    if (name == analysis::kOthers) {
      part.rest = true;
      if (const Cell kernels = names ? table.at(r, *names) : Cell(); !kernels.missing())
        part.label =
            std::string(name) + " (" + counted(static_cast<std::size_t>(kernels.integer()), "kernel", "kernels") + ")";
    }
    part.figures = {charts::format_value(value, rows.unit), format_share(value > 0 ? value / sum : 0)};
    if (other.table != nullptr) {
      const Cell share = other.table->at(r, other.column);
      part.figures.insert(part.figures.begin() + 1,
                          share.missing() ? std::string(kNoFigure) : format_share(share.number()));
    }
    pie.parts.push_back(std::move(part));
    data.rows.push_back(static_cast<std::uint32_t>(r));
  }
  if (other.table != nullptr) pie.headings = {"time", std::string(other.of), "of kernels"};
  pie.total = charts::format_value(sum, rows.unit);
  pie.total_of = choice != nullptr && !choice->total_of.empty() ? choice->total_of : spec.total_of;
  if (const Column& value = table.columns()[rows.value]; value.role == ColumnRole::samples)
    pie.total_of = value.shown();
  data.chart = std::move(pie);
}

void make_bars(PanelData& data, const PanelSpec& spec, const NamedRows& rows, const Table& table, scene::Theme theme) {
  charts::StackedBars bars;
  bars.unit = rows.unit;
  const plots::NameLabels labels(table, rows.name);
  bars.parts = {{table.columns()[rows.value].shown(), charts::series_color(0, theme)}};
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const std::string_view name = table.at(r, rows.name).text();
    const double value = table.at(r, rows.value).number();
    bars.rows.push_back({row_label(spec, labels, name),
                         {value},
                         charts::format_value(value, rows.unit),
                         plots::row_color(spec.meaning, name, r, theme)});
    data.rows.push_back(static_cast<std::uint32_t>(r));
  }
  if (!bars.rows.empty()) data.chart = std::move(bars);
}

}  // namespace

const PanelSpec& spec_of(const PanelState& panel) {
  const PanelSpec* spec = panel.made() ? nullptr : find_panel_spec(panel.id);
  return spec != nullptr ? *spec : made_histogram_spec();
}

std::string picture_name(std::string_view profile, const PanelState& panel) {
  return figure_name(profile, panel.made() ? panel.id + "-" + panel.annotation : panel.id);
}

std::string title_of(const PanelState& panel) {
  if (!panel.made()) return std::string(spec_of(panel).title);
  std::string title = panel.annotation + (panel.gpu ? " on the GPU" : " on the CPU");
  if (!panel.ranks.empty()) title += ", ranks " + panel.ranks;
  return title;
}

std::int64_t k_of(const PanelState& panel, std::int64_t default_k) { return panel.k.value_or(default_k); }

AnalysisRequest request_of(const PanelState& panel, const analysis::Scope& scope, std::int64_t default_k,
                           const PanelSources& sources, std::string_view kernel_rules) {
  const PanelSpec& spec = spec_of(panel);
  AnalysisRequest request{std::string(spec.analysis), {}, scope};
  if (spec.has_k) request.settings.emplace_back("k", std::to_string(k_of(panel, default_k)));
  if (!spec.parameter.empty()) request.settings.emplace_back(spec.parameter, spec.value_of_parameter);
  if (const PanelChoice* choice = chosen_of(spec, panel.choice, sources); choice && !choice->parameter.empty())
    request.settings.emplace_back(choice->parameter, choice->value);
  if (panel.made()) {
    request.settings.emplace_back("name", panel.annotation);
    request.settings.emplace_back("side", panel.gpu ? "gpu" : "cpu");
  }
  if (spec.chart == ChartKind::histogram) {
    if (panel.log_x)
      request.settings.emplace_back("log", "true");
    else if (panel.bin_width > 0)
      request.settings.emplace_back("width", std::to_string(panel.bin_width));
  }
  if (const auto* asked = analysis::find_analysis(spec.analysis);
      asked != nullptr && analysis::has_parameter(*asked, analysis::kKernelClassParameter.name))
    analysis::append_kernel_rules(request.settings, kernel_rules);
  return request;
}

PanelData make_panel_data(const PanelState& panel, const std::vector<Table>& tables, scene::Theme theme,
                          const PanelSources& sources) {
  PanelData data;
  if (tables.empty()) return data;
  const PanelSpec& spec = spec_of(panel);
  const PanelChoice* choice = chosen_of(spec, panel.choice, sources);
  const std::string_view id = choice != nullptr && !choice->table.empty() ? choice->table : spec.table;
  const auto found = std::ranges::find(tables, id, &Table::id);
  if (found != tables.end()) data.table = static_cast<std::size_t>(found - tables.begin());
  const Table& table = tables[data.table];
  data.declared = analysis::chart_of(spec.analysis, table.id);
  std::string order;
  switch (choice != nullptr && choice->heat ? ChartKind::heat : spec.chart) {
    case ChartKind::pie:
      if (const auto rows = named_rows(spec, choice, table)) make_pie(data, spec, choice, *rows, tables, theme);
      break;
    case ChartKind::bars:
      if (const auto rows = named_rows(spec, choice, table)) make_bars(data, spec, *rows, table, theme);
      break;
    case ChartKind::parts:
      if (auto bars = plots::time_use_bars(data.declared, table, theme)) {
        bars->bars.title.clear();  // the panel has a title
        if (plots::put_outliers_first(*bars)) order = "Ranks farthest from the median come first. ";
        data.chart = std::move(bars->bars);
        data.rows = std::move(bars->rows);
      }
      break;
    case ChartKind::areas:
      if (auto areas = plots::time_use_areas(data.declared, table, theme)) {
        areas->title.clear();
        data.chart = std::move(*areas);
      }
      break;
    case ChartKind::lines:
      if (auto lines = plots::lines_of(table, table.find_role(spec.value), theme)) data.chart = std::move(*lines);
      break;
    case ChartKind::heat:
      if (auto map = plots::heat_of(table, table.find_role(spec.value))) data.chart = std::move(*map);
      break;
    case ChartKind::histogram:
      if (auto steps = panel.made() ? std::nullopt : plots::step_bars(tables, theme)) {
        data.table = steps->table;
        data.rows = std::move(steps->plotted.rows);
        data.chart = std::move(steps->plotted.bars);
        data.note = tables.front().note;
        return data;
      }
      if (auto made = plots::histogram_of(tables, {panel.log_x, panel.log_y}, theme)) {
        data.table = made->table;
        data.rows.resize(made->chart.bins.size());
        std::iota(data.rows.begin(), data.rows.end(), 0u);
        data.chart = std::move(made->chart);
      }
      break;
  }
  data.note = order + tables[data.table].note;
  return data;
}

charts::Drawing draw_panel_chart(const PanelData& data, float width, float height, const charts::ChartStyle& style) {
  return std::visit(
      [&](const auto& chart) -> charts::Drawing {
        using Chart = std::decay_t<decltype(chart)>;
        if constexpr (std::is_same_v<Chart, charts::PieChart>)
          return draw_pie(chart, width, height, style);
        else if constexpr (std::is_same_v<Chart, charts::StackedBars>)
          return draw_stacked_bars(chart, width, height, style);
        else if constexpr (std::is_same_v<Chart, charts::LineChart>)
          return std::move(draw_lines(chart, width, height, style).drawing);
        else if constexpr (std::is_same_v<Chart, charts::HeatMap>)
          return draw_heat_map(chart, width, height, style);
        else if constexpr (std::is_same_v<Chart, charts::HistogramChart>)
          return draw_histogram(chart, width, height, style);
        else
          return {};
      },
      data.chart);
}

charts::AxisTitles axes_of(const PanelState& panel, const PanelData& data) {
  const bool over_time =
      std::holds_alternative<charts::LineChart>(data.chart) || std::holds_alternative<charts::HeatMap>(data.chart);
  const std::string_view measure = over_time ? spec_of(panel).measure : panel.made() ? "Annotation duration" : "";
  return std::visit(
      [&](const auto& chart) -> charts::AxisTitles {
        using Chart = std::decay_t<decltype(chart)>;
        if constexpr (std::is_same_v<Chart, std::monostate> || std::is_same_v<Chart, charts::PieChart>)
          return {};
        else
          return charts::axis_titles(chart, measure);
      },
      data.chart);
}

}  // namespace warpscope::ui
