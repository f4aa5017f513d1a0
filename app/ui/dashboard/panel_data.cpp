#include "app/ui/dashboard/panel_data.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

#include "core/analysis/kernel_totals.hpp"
#include "core/analysis/sampled.hpp"
#include "core/base/format.hpp"
#include "render/charts/colors.hpp"
#include "render/charts/kernel_label.hpp"

namespace warpscope::ui {
namespace {

constexpr std::array<std::string_view, 10> kPrecisions{"FP32", "TF32", "FP16",  "BF16",  "FP64",
                                                       "FP8",  "INT8", "INT32", "INT64", "FP4"};
constexpr std::array<std::string_view, 6> kMemoryOperations{"HtoD", "DtoH", "DtoD", "PtoP", "memset", "HtoH"};

charts::Unit unit_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::duration:
    case ColumnKind::time:
      return charts::Unit::duration;
    case ColumnKind::bytes:
      return charts::Unit::bytes;
    case ColumnKind::share:
      return charts::Unit::share;
    case ColumnKind::integer:
    case ColumnKind::identifier:
      return charts::Unit::count;
    case ColumnKind::real:
    case ColumnKind::text:
      return charts::Unit::number;
  }
  return charts::Unit::number;
}

std::optional<std::size_t> first_of(const Table& table, ColumnKind kind) {
  const auto found = std::ranges::find(table.columns(), kind, &Column::kind);
  if (found == table.columns().end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.columns().begin());
}

std::optional<std::size_t> column_or(const Table& table, std::string_view name, ColumnKind kind) {
  if (!name.empty()) return table.find_column(name);
  return first_of(table, kind);
}

std::optional<std::size_t> value_column(const Table& table, std::string_view name) {
  if (!name.empty()) return table.find_column(name);
  const auto found = std::ranges::find_if(table.columns(), [](const Column& c) { return is_figure(c.kind); });
  if (found == table.columns().end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.columns().begin());
}

/// Of curves: what is not a time. Shares before anything else.
std::optional<std::size_t> curve_column(const Table& table, std::string_view name) {
  if (const auto found = table.find_column(name)) return found;
  for (const ColumnKind kind : {ColumnKind::share, ColumnKind::real, ColumnKind::bytes, ColumnKind::duration})
    if (const auto found = first_of(table, kind)) return found;
  return std::nullopt;
}

/// Of a name in a list of all there are, the same in every profile; others are grey.
scene::Color color_in(std::span<const std::string_view> all, std::string_view name, scene::Theme theme) {
  const auto found = std::ranges::find(all, name);
  if (found == all.end()) return charts::rest_color(theme);
  return charts::series_color(static_cast<std::uint32_t>(found - all.begin()), theme);
}

scene::Color row_color(RowMeaning meaning, std::string_view name, std::size_t row, scene::Theme theme) {
  using scene::Family;
  const bool rest = name == analysis::kOthers || name == "idle" || name == "not busy" || name == "unknown";
  if (rest) return charts::rest_color(theme);
  switch (meaning) {
    case RowMeaning::kernel:
      return charts::run_color(trace::Role::kernel, name, theme);
    case RowMeaning::activity:
      return scene::family_color(name == "memory" ? Family::memory
                                 : name == "sync" ? Family::sync
                                                  : Family::computation,
                                 theme);
    case RowMeaning::precision:
      return color_in(kPrecisions, name, theme);
    case RowMeaning::busy:
      return scene::family_color(Family::computation, theme);
    case RowMeaning::memory_operation:
      return color_in(kMemoryOperations, name, theme);
    case RowMeaning::none:
      return charts::series_color(static_cast<std::uint32_t>(row), theme);
  }
  return charts::series_color(static_cast<std::uint32_t>(row), theme);
}

/// Shares of the same rows of something larger: of the GPUs' time, beside shares of the kernels'.
struct WiderShare {
  const Table* table = nullptr;
  std::size_t column = 0;
};

WiderShare wider_share(const std::vector<Table>& tables, const Table& of) {
  for (const Table& table : tables)
    if (const auto column = table.find_column("share of gpu time"); column && table.rows() == of.rows())
      return {&table, *column};
  return {};
}

struct NamedRows {
  std::size_t name = 0;
  std::size_t value = 0;
  charts::Unit unit = charts::Unit::number;
};

std::optional<NamedRows> named_rows(const PanelSpec& spec, const PanelChoice* choice, const Table& table) {
  const auto name = column_or(table, spec.name, ColumnKind::text);
  const auto value = value_column(table, choice != nullptr && !choice->column.empty() ? choice->column : spec.value);
  if (!name || !value) return std::nullopt;
  return NamedRows{*name, *value, unit_of(table.columns()[*value].kind)};
}

std::string label_of(RowMeaning meaning, std::string_view name) {
  return meaning == RowMeaning::kernel ? charts::kernel_label(name) : std::string(name);
}

void make_pie(PanelData& data, const PanelSpec& spec, const PanelChoice* choice, const NamedRows& rows,
              const std::vector<Table>& tables, scene::Theme theme) {
  const Table& table = tables[data.table];
  charts::PieChart pie;
  double sum = 0;
  for (std::size_t r = 0; r < table.rows(); ++r)
    if (const double value = table.at(r, rows.value).number(); value > 0) sum += value;
  if (!(sum > 0)) return;
  const WiderShare wider = wider_share(tables, table);
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const std::string_view name = table.at(r, rows.name).text();
    const double value = table.at(r, rows.value).number();
    charts::PiePart part{
        label_of(spec.meaning, name), value > 0 ? value : 0, row_color(spec.meaning, name, r, theme), {}};
    part.figures = {charts::format_value(value, rows.unit), format_share(value > 0 ? value / sum : 0)};
    if (wider.table != nullptr) {
      const Cell share = wider.table->at(r, wider.column);
      part.figures.insert(part.figures.begin() + 1,
                          share.missing() ? std::string(kNoFigure) : format_share(share.number()));
    }
    pie.parts.push_back(std::move(part));
    data.rows.push_back(static_cast<std::uint32_t>(r));
  }
  if (wider.table != nullptr) pie.headings = {"time", "of GPUs", "of kernels"};
  pie.total = charts::format_value(sum, rows.unit);
  pie.total_of = choice != nullptr && !choice->total_of.empty() ? choice->total_of : spec.total_of;
  if (table.columns()[rows.value].name == analysis::kSamples) pie.total_of = analysis::kSamples;
  data.chart = std::move(pie);
}

void make_bars(PanelData& data, const PanelSpec& spec, const NamedRows& rows, const Table& table, scene::Theme theme) {
  charts::StackedBars bars;
  bars.unit = rows.unit;
  bars.parts = {{std::string(table.columns()[rows.value].name), charts::series_color(0, theme)}};
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const std::string_view name = table.at(r, rows.name).text();
    const double value = table.at(r, rows.value).number();
    bars.rows.push_back({label_of(spec.meaning, name),
                         {value},
                         charts::format_value(value, rows.unit),
                         row_color(spec.meaning, name, r, theme)});
    data.rows.push_back(static_cast<std::uint32_t>(r));
  }
  if (!bars.rows.empty()) data.chart = std::move(bars);
}

/// A curve for each set of rows that agree in all that stands before the time: "algo-1", "rank 3 · GPU 3".
std::vector<charts::LineSeries> curves_of(const Table& table, std::size_t begin, std::size_t value) {
  std::map<std::string, std::size_t> index;
  std::vector<charts::LineSeries> series;
  std::vector<double> ends;  // of each curve's last row
  const auto end = table.find_column("end");
  const auto name_of = [&](std::size_t r) {
    std::string name;
    for (std::size_t c = 0; c < begin; ++c) {
      const Column& column = table.columns()[c];
      const Cell cell = table.at(r, c);
      if (cell.missing() || (column.kind == ColumnKind::text && begin > 1)) continue;
      const std::string word = column.name == "gpu" ? "GPU" : column.name;
      name +=
          (name.empty() ? "" : " · ") +
          (cell.type() == Cell::Type::text ? std::string(cell.text()) : word + " " + std::to_string(cell.integer()));
    }
    return name;
  };
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const auto [found, added] = index.try_emplace(name_of(r), series.size());
    if (added) {
      series.push_back({found->first, 0, {}, end.has_value()});
      ends.push_back(std::nan(""));
    }
    std::vector<charts::LinePoint>& points = series[found->second].points;
    const double at = table.at(r, begin).number();
    if (ends[found->second] < at) points.push_back({ends[found->second], std::nan("")});  // no row: a gap
    points.push_back({at, table.at(r, value).number()});
    if (end) ends[found->second] = table.at(r, *end).number();
  }
  for (std::size_t s = 0; s < series.size() && end; ++s) series[s].points.push_back({ends[s], std::nan("")});
  return series;
}

void make_lines(PanelData& data, const PanelSpec& spec, const Table& table, scene::Theme theme) {
  const auto begin = first_of(table, ColumnKind::time);
  const auto value = curve_column(table, spec.value);
  if (!begin || !value || table.rows() == 0) return;
  charts::LineChart lines;
  lines.series = curves_of(table, *begin, *value);
  for (std::size_t s = 0; s < lines.series.size(); ++s)
    lines.series[s].color = charts::series_color(static_cast<std::uint32_t>(s), theme);
  lines.y_unit = unit_of(table.columns()[*value].kind);
  if (lines.y_unit == charts::Unit::share) lines.y_range = {0.0, 1.0};
  data.chart = std::move(lines);
}

void make_heat(PanelData& data, const PanelSpec& spec, const Table& table) {
  const auto begin = first_of(table, ColumnKind::time);
  const auto end = table.find_column("end");
  const auto value = curve_column(table, spec.value);
  if (!begin || !end || !value || table.rows() == 0) return;
  charts::HeatMap map;
  std::vector<double> begins;
  for (std::size_t r = 0; r < table.rows(); ++r) begins.push_back(table.at(r, *begin).number());
  std::ranges::sort(begins);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  const std::vector<charts::LineSeries> series = curves_of(table, *begin, *value);
  map.columns = begins.size();
  map.x_begin = begins.front();
  map.x_end = table.at(table.rows() - 1, *end).number();
  for (const charts::LineSeries& curve : series) {
    map.rows.push_back(curve.name);
    for (const double at : begins) {
      const auto point = charts::value_at(curve, at);
      map.values.push_back(point ? point->y : std::nan(""));
    }
  }
  map.unit = unit_of(table.columns()[*value].kind);
  data.chart = std::move(map);
}

/// "median" → the figure of the first row that has one.
std::optional<double> figure(const std::vector<Table>& tables, std::string_view column) {
  for (const Table& table : tables)
    if (const auto c = table.find_column(column); c && table.find_column("median") && table.rows() > 0)
      if (const Cell cell = table.at(0, *c); !cell.missing()) return cell.number();
  return std::nullopt;
}

void make_histogram(PanelData& data, const PanelState& panel, const std::vector<Table>& tables, scene::Theme theme) {
  const auto has_bins = [](const Table& table) { return table.find_column("bin begin").has_value(); };
  const auto found = std::ranges::find_if(tables, has_bins);
  if (found == tables.end() || found->rows() == 0) return;
  data.table = static_cast<std::size_t>(found - tables.begin());
  const auto end = found->find_column("bin end");
  const auto count = found->find_column("count");
  if (!end || !count) return;
  charts::HistogramChart chart;
  chart.log_x = panel.log_x;
  chart.log_y = panel.log_y;
  chart.color = scene::family_color(scene::Family::annotation, theme);
  const std::size_t begin = *found->find_column("bin begin");
  for (std::size_t r = 0; r < found->rows(); ++r) {
    chart.bins.push_back({found->at(r, begin).number(), found->at(r, *end).number(), found->at(r, *count).number()});
    data.rows.push_back(static_cast<std::uint32_t>(r));
  }
  for (const auto& [name, strong] : std::array<std::pair<const char*, bool>, 5>{
           {{"median", true}, {"mean", false}, {"p95", false}, {"p99", false}, {"max", false}}})
    if (const auto value = figure(tables, name)) chart.marks.push_back({name, *value, strong});
  const auto mean = figure(tables, "mean");
  if (const auto sigma = figure(tables, "stddev"); sigma && mean && *sigma > 0) {
    chart.spread = {*mean - *sigma, *mean + *sigma};
    chart.spread_name = "σ " + charts::format_value(*sigma, charts::Unit::duration);
  }
  data.chart = std::move(chart);
}

}  // namespace

const PanelSpec& spec_of(const PanelState& panel) {
  const PanelSpec* spec = panel.made() ? nullptr : find_panel_spec(panel.id);
  return spec != nullptr ? *spec : made_histogram_spec();
}

std::string title_of(const PanelState& panel) {
  if (!panel.made()) return std::string(spec_of(panel).title);
  std::string title = panel.annotation + (panel.gpu ? " on the GPU" : " on the CPU");
  if (!panel.ranks.empty()) title += ", ranks " + panel.ranks;
  return title;
}

std::int64_t k_of(const PanelState& panel, std::int64_t default_k) { return panel.k.value_or(default_k); }

AnalysisRequest request_of(const PanelState& panel, const analysis::Scope& scope, std::int64_t default_k,
                           const PanelSources& sources) {
  const PanelSpec& spec = spec_of(panel);
  AnalysisRequest request{std::string(spec.analysis), {}, scope};
  if (spec.has_k) request.settings.emplace_back("k", std::to_string(k_of(panel, default_k)));
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
  switch (choice != nullptr && choice->heat ? ChartKind::heat : spec.chart) {
    case ChartKind::pie:
      if (const auto rows = named_rows(spec, choice, table)) make_pie(data, spec, choice, *rows, tables, theme);
      break;
    case ChartKind::bars:
      if (const auto rows = named_rows(spec, choice, table)) make_bars(data, spec, *rows, table, theme);
      break;
    case ChartKind::lines:
      make_lines(data, spec, table, theme);
      break;
    case ChartKind::heat:
      make_heat(data, spec, table);
      break;
    case ChartKind::histogram:
      make_histogram(data, panel, tables, theme);
      break;
  }
  data.note = tables[data.table].note;
  return data;
}

std::string_view row_name(const Table& table, std::size_t row) {
  const auto column = first_of(table, ColumnKind::text);
  return column ? table.at(row, *column).text() : std::string_view();
}

std::string row_facts(const Table& table, std::size_t row) {
  std::string facts;
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const Column& column = table.columns()[c];
    const Cell cell = table.at(row, c);
    if (cell.missing() || !is_figure(column.kind)) continue;
    std::string name = column.name;
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    facts += (facts.empty() ? "" : "\n") + name + ": " + charts::format_value(cell.number(), unit_of(column.kind));
  }
  return facts;
}

}  // namespace warpscope::ui
