#include "core/analysis/shared/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/format.hpp"

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

Bins equal_bins(Ns begin, std::uint64_t width, std::uint64_t count) {
  Bins bins;
  bins.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Ns end = after(begin, width);
    bins.push_back({begin, end, 0});
    begin = end;
  }
  return bins;
}

Bins bins_of_number(Ns least, Ns greatest, std::uint32_t count) {
  const std::uint64_t range = distance(least, greatest);
  const std::uint64_t width = range / count + 1;
  return equal_bins(least, width, range / width + 1);
}

Result<Bins> bins_of_width(Ns least, Ns greatest, Ns width) {
  Ns begin = least - least % width;
  if (begin > least) begin = saturating_difference(begin, width);
  const std::uint64_t count = distance(begin, greatest) / static_cast<std::uint64_t>(width) + 1;
  if (count > kMostBins)
    return Error{"bin width " + format_duration(width), fmt::format("would produce {} bins", count),
                 "choose " + format_duration(static_cast<Ns>(distance(begin, greatest) / kMostBins + 1)) + " or more"};
  return equal_bins(begin, static_cast<std::uint64_t>(width), count);
}

// Rounds geometric edges to whole ns, so the edges within the first few nanoseconds may coincide.
Bins log_bins(Ns least, Ns greatest, std::uint32_t count) {
  const double low = static_cast<double>(std::max<Ns>(1, least));
  const double high = std::max(low, static_cast<double>(greatest)) + 1;
  Bins bins;
  Ns begin = std::min(least, static_cast<Ns>(low));
  for (std::uint32_t i = 1; i <= count && begin <= greatest; ++i) {
    const double edge = low * std::pow(high / low, static_cast<double>(i) / count);
    Ns end = edge < 9.2e18 ? static_cast<Ns>(std::llround(edge)) : std::numeric_limits<Ns>::max();
    if (i == count) end = std::max(end, saturating_add(greatest, 1));
    if (end <= begin) continue;
    bins.push_back({begin, end, 0});
    begin = end;
  }
  return bins;
}

void count_values(Bins& bins, std::span<const Ns> values) {
  for (const Ns value : values) {
    const auto next = std::upper_bound(bins.begin(), bins.end(), value,
                                       [](Ns key, const HistogramBin& bin) { return key < bin.begin; });
    ++(next == bins.begin() ? next : next - 1)->count;
  }
}

}  // namespace

Result<Bins> histogram(std::span<const Ns> values, const HistogramOptions& options) {
  if (options.width < 0)
    return Error{"bin width " + format_duration(options.width), "must not be negative", "choose another one"};
  if (options.width > 0 && options.log)
    return Error{"bin width", "cannot be combined with logarithmic bins", "set only one of them"};
  if (values.empty()) return Bins();
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const std::uint32_t count = std::min(options.bins > 0 ? options.bins : suitable_bins(values.size()), kMostBins);
  Result<Bins> bins = options.width > 0 ? bins_of_width(*least, *greatest, options.width)
                      : options.log     ? log_bins(*least, *greatest, count)
                                        : bins_of_number(*least, *greatest, count);
  if (bins) count_values(*bins, values);
  return bins;
}

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
  Table table(std::move(id), std::move(title), {Column(col::bin_start).labeled("bin start"), col::bin_end, col::count});
  table.reserve(bins->size());
  for (const HistogramBin& bin : *bins) table.add_row({bin.begin, bin.end, bin.count});
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
