#include "core/analysis/shared/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace warpscope::analysis {

namespace {

using Bins = std::vector<HistogramBin>;

std::uint32_t suitable_bins(std::size_t values) {
  return static_cast<std::uint32_t>(std::clamp(std::ceil(2 * std::cbrt(static_cast<double>(values))), 10.0, 100.0));
}

// Returns the distance modulo 2^64, because values may span the whole range of Ns.
std::uint64_t distance(Ns from, Ns to) { return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from); }

Ns after(Ns begin, std::uint64_t length) {
  return length > distance(begin, std::numeric_limits<Ns>::max())
             ? std::numeric_limits<Ns>::max()
             : static_cast<Ns>(static_cast<std::uint64_t>(begin) + length);
}

void count_values(Bins& bins, std::span<const Ns> values) {
  for (const Ns value : values) {
    const auto next = std::upper_bound(bins.begin(), bins.end(), value,
                                       [](Ns key, const HistogramBin& bin) { return key < bin.begin; });
    ++(next == bins.begin() ? next : next - 1)->count;
  }
}

}  // namespace

Bins histogram(std::span<const Ns> values, std::uint32_t most_bins) {
  if (values.empty()) return {};
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const std::uint64_t range = distance(*least, *greatest);
  const std::uint64_t width = range / std::min(most_bins > 0 ? most_bins : suitable_bins(values.size()), kMostBins) + 1;
  Bins bins(range / width + 1);
  Ns begin = *least;
  for (HistogramBin& bin : bins) {
    bin = {begin, after(begin, width), 0};
    begin = bin.end;
  }
  count_values(bins, values);
  return bins;
}

std::uint32_t histogram_bins(const ParameterValues& values) {
  return values.automatic("bins") ? 0 : static_cast<std::uint32_t>(values.integer("bins"));
}

Table histogram_table(std::string id, std::string title, std::span<const Ns> values, std::uint32_t most_bins) {
  const Bins bins = histogram(values, most_bins);
  Table table(std::move(id), std::move(title), {Column(col::bin_start).labeled("bin start"), col::bin_end, col::count});
  table.reserve(bins.size());
  for (const HistogramBin& bin : bins) table.add_row({bin.begin, bin.end, bin.count});
  return table;
}

void append_statistics_columns(std::vector<Column>& columns) {
  columns.push_back(col::count);
  columns.insert(columns.end(), {col::mean, col::median, col::p95, col::p99, col::max, col::stddev});
}

void append_statistics_cells(std::vector<Cell>& cells, const Statistics& of) {
  cells.insert(cells.end(), {of.count, of.mean, of.median, of.p95, of.count >= kLeastForP99 ? Cell(of.p99) : Cell(),
                             of.max, of.stddev});
}

Table statistics_table(std::string title, std::vector<Ns> values) {
  std::vector<Column> columns;
  append_statistics_columns(columns);
  columns.push_back(col::min);
  columns.push_back(col::total);
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
