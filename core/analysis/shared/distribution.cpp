#include "core/analysis/shared/distribution.hpp"

#include <utility>

namespace warpscope::analysis {

HistogramOptions histogram_options(const ParameterValues& values) {
  HistogramOptions options;
  if (!values.automatic("bins")) options.bins = static_cast<std::uint32_t>(values.integer("bins"));
  if (!values.automatic("width")) options.width = values.duration("width");
  options.log = values.flag("log");
  return options;
}

Result<Table> histogram_table(std::string id, std::string title, std::span<const Ns> values,
                              const HistogramOptions& options) {
  const auto bins = histogram(values, options);
  if (!bins) return bins.error();
  Table table(std::move(id), std::move(title),
              {Column{"bin begin", "", ColumnRole::bin_start}.labeled("bin start"),
               {"bin end", "", ColumnRole::bin_end},
               {"count", "", ColumnRole::count}});
  table.reserve(bins->size());
  for (const HistogramBin& bin : *bins) table.add_row({bin.begin, bin.end, bin.count});
  return table;
}

void append_statistics_columns(std::vector<Column>& columns) {
  columns.push_back({"count", "", ColumnRole::count});
  columns.insert(columns.end(), {{"mean", "", ColumnRole::mean},
                                 {"median", "", ColumnRole::median},
                                 {"p95", "", ColumnRole::p95},
                                 {"p99", "", ColumnRole::p99},
                                 {"max", "", ColumnRole::max},
                                 {"stddev", "", ColumnRole::stddev}});
}

void append_statistics_cells(std::vector<Cell>& cells, const Statistics& of) {
  cells.insert(cells.end(), {of.count, of.mean, of.median, of.p95, of.count >= kLeastForP99 ? Cell(of.p99) : Cell(),
                             of.max, of.stddev});
}

Table statistics_table(std::string title, std::vector<Ns> values) {
  std::vector<Column> columns;
  append_statistics_columns(columns);
  columns.push_back({"min", "", ColumnRole::min});
  columns.push_back({"total", "", ColumnRole::total});
  Table table("statistics", std::move(title), std::move(columns));
  if (values.empty()) return table;
  const Statistics figures = statistics(values);
  std::vector<Cell> cells;
  append_statistics_cells(cells, figures);
  cells.emplace_back(figures.min);
  cells.emplace_back(figures.total);
  table.add_row(cells);
  return table;
}

}  // namespace warpscope::analysis
