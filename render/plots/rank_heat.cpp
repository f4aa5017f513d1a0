#include "render/plots/rank_heat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>
#include <vector>

#include "core/analysis/ranks/medians.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {
namespace {

constexpr std::size_t kAcross = 32;   // bars per row of a grid
constexpr std::size_t kOutliers = 3;  // listed in the title
constexpr std::size_t kTimeBins = 160;

double median_of(std::vector<double> values) { return values.empty() ? std::nan("") : analysis::upper_median(values); }

/// Returns the items with the greatest positive distance, farthest first.
template <class Distance>
std::vector<std::size_t> farthest(std::size_t items, Distance distance) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < items; ++i)
    if (distance(i) > 0) order.push_back(i);
  const std::size_t most = std::min(kOutliers, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(most), std::ranges::greater(), distance);
  order.resize(most);
  return order;
}

/// Returns the items with the greatest `distance`, excluding 0: "rank 5 (1.2 s), rank 7 (1.1 s)".
template <class Name, class Distance>
std::string outliers(const std::vector<double>& values, charts::Unit unit, Name name, Distance distance) {
  std::string words;
  for (const std::size_t i : farthest(values.size(), [&](std::size_t each) { return distance(values[each]); }))
    words += fmt::format("{}{} ({})", words.empty() ? "" : ", ", name(i), charts::format_value(values[i], unit));
  return words;
}

/// Lists the bars with the parts farthest from their medians, because bars with several parts often have equal sums.
std::string outlying_parts(const charts::StackedBars& bars) {
  std::vector<double> medians;  // by part
  for (std::size_t p = 0; p < bars.parts.size(); ++p) {
    std::vector<double> values;
    for (const charts::BarRow& bar : bars.rows)
      if (!std::isnan(bar.values[p])) values.push_back(bar.values[p]);
    medians.push_back(median_of(std::move(values)));
  }
  std::vector<std::pair<double, std::size_t>> far(bars.rows.size());  // distance and part, by bar
  for (std::size_t bar = 0; bar < far.size(); ++bar)
    for (std::size_t p = 0; p < medians.size(); ++p)
      if (const double distance = std::abs(bars.rows[bar].values[p] - medians[p]); distance > far[bar].first)
        far[bar] = {distance, p};
  std::string words;
  for (const std::size_t at : farthest(far.size(), [&](std::size_t bar) { return far[bar].first; })) {
    const charts::BarRow& bar = bars.rows[at];
    const std::size_t p = far[at].second;
    words += fmt::format("{}{} ({} {}, median {})", words.empty() ? "farthest from the median: " : ", ", bar.name,
                         bars.parts[p].name, charts::format_value(bar.values[p], bars.unit),
                         charts::format_value(medians[p], bars.unit));
  }
  return words;
}

std::string joined(const std::string& title, const std::string& more) {
  return title.empty() || more.empty() ? title + more : title + " · " + more;
}

/// Calls visit(bin, value) for the values of a curve in each bin.
template <class Visit>
void for_each_bin(const charts::LineSeries& series, double begin, double width, Visit visit) {
  const auto bin_of = [&](double x) {
    return std::min(kTimeBins - 1, static_cast<std::size_t>(std::max(0.0, (x - begin) / width)));
  };
  for (std::size_t p = 0; p < series.points.size(); ++p) {
    const charts::LinePoint& point = series.points[p];
    if (std::isnan(point.y) || std::isnan(point.x)) continue;
    const std::size_t first = bin_of(point.x);
    std::size_t last = first;
    if (series.steps && p + 1 < series.points.size() && !std::isnan(series.points[p + 1].x)) {
      last = bin_of(series.points[p + 1].x);
      // The value ends where the next one starts.
      if (last > first && series.points[p + 1].x <= begin + width * static_cast<double>(last)) --last;
    }
    for (std::size_t bin = first; bin <= last; ++bin) visit(bin, point.y);
  }
}

/// Shortens the names below the columns: "ProfilerStep#12" → "12" if all names have the same prefix.
std::vector<std::string> short_names(const std::vector<std::string_view>& names) {
  std::size_t same = names.empty() ? 0 : names.front().size();
  for (const std::string_view name : names) {
    std::size_t alike = 0;
    while (alike < std::min(same, name.size()) && name[alike] == names.front()[alike]) ++alike;
    same = alike;
  }
  // Keep numbers whole.
  while (same > 0 && names.front()[same - 1] >= '0' && names.front()[same - 1] <= '9') --same;
  std::vector<std::string> kept;
  for (const std::string_view name : names)
    kept.emplace_back(names.size() > 1 && name.size() > same ? name.substr(same) : name);
  return kept;
}

}  // namespace

bool is_of_many_ranks(const Table& table) {
  const auto rank = table.find_role(ColumnRole::rank);
  if (!rank || table.rows() <= kMostRankBars) return false;
  std::unordered_set<std::int64_t> seen;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Cell cell = table.at(row, *rank);
    if (cell.missing() || !seen.insert(cell.integer()).second) return false;
  }
  return true;
}

std::optional<Grid> heat_of_bars(const PlottedBars& plotted) {
  const charts::StackedBars& bars = plotted.bars;
  const std::size_t count = bars.rows.size();
  const std::size_t parts = bars.parts.size();
  if (count <= kMostRankBars || parts == 0) return std::nullopt;
  const bool folded = parts == 1;
  Grid grid;
  charts::HeatMap& map = grid.map;
  map.columns = folded ? kAcross : parts;
  const std::size_t rows = folded ? (count + kAcross - 1) / kAcross : count;
  map.values.assign(rows * map.columns, std::nan(""));
  grid.cells.assign(map.values.size(), kNoRow);
  std::vector<double> sums(count);
  std::vector<double> known;
  for (std::size_t bar = 0; bar < count; ++bar) {
    for (std::size_t p = 0; p < parts; ++p) {
      const double value = bars.rows[bar].values[p];
      if (std::isnan(value)) continue;
      sums[bar] += value;
      known.push_back(value);
      map.values[bar * parts + p] = value;
      grid.cells[bar * parts + p] = plotted.rows[bar * parts + p];
    }
  }
  if (known.empty()) return std::nullopt;
  for (std::size_t row = 0; row < rows; ++row) map.rows.push_back(bars.rows[folded ? row * kAcross : row].name);
  for (std::size_t c = 0; c < map.columns; ++c)
    map.column_names.push_back(folded ? fmt::format("+{}", c) : bars.parts[c].name);
  const auto [low, high] = std::ranges::minmax(known);
  // Start the scale of a grid at the minimum so that small differences are visible.
  map.low = folded && high > low ? low : 0;
  map.high = high > map.low ? high : map.low + 1;
  map.unit = bars.unit;
  map.square_root = map.unit == charts::Unit::duration && map.low == 0;
  map.x_end = static_cast<double>(map.columns);
  if (!folded) {
    map.title = joined(bars.title, outlying_parts(bars));
    return grid;
  }
  const double median = median_of(sums);
  std::string far = outliers(
      sums, bars.unit, [&](std::size_t bar) { return bars.rows[bar].name; },
      [&](double value) { return std::abs(value - median); });
  if (!far.empty()) far = fmt::format("median {}, farthest from it: {}", charts::format_value(median, bars.unit), far);
  map.title = joined(bars.title, far);
  return grid;
}

std::optional<Grid> grid_of(const analysis::ChartSpec& spec, const Table& table) {
  const auto rank = table.find_role(ColumnRole::rank);
  const auto across = table.find_role(spec.x);
  const auto value = table.find_role(spec.y);
  if (!rank || !across || !value) return std::nullopt;
  std::map<std::int64_t, std::size_t> ranks;
  std::map<std::string_view, std::size_t> columns;
  std::vector<std::string_view> names;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ranks.try_emplace(table.at(row, *rank).integer());
    const std::string_view name = table.at(row, *across).text();
    if (columns.try_emplace(name, columns.size()).second) names.push_back(name);
  }
  Grid grid;
  for (auto& [number, place] : ranks) {
    place = grid.map.rows.size();
    grid.map.rows.push_back(fmt::format("rank {}", number));
  }
  grid.map.columns = columns.size();
  grid.map.values.assign(ranks.size() * columns.size(), std::nan(""));
  grid.cells.assign(grid.map.values.size(), kNoRow);
  double most = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double figure = table.at(row, *value).number();
    if (std::isnan(figure)) continue;
    const std::size_t cell =
        ranks[table.at(row, *rank).integer()] * columns.size() + columns[table.at(row, *across).text()];
    double& sum = grid.map.values[cell];
    sum = std::isnan(sum) ? figure : sum + figure;
    grid.cells[cell] = static_cast<std::uint32_t>(row);
    most = std::max(most, sum);
  }
  if (most <= 0) return std::nullopt;
  grid.map.high = most;
  grid.map.unit = unit_of(table.columns()[*value]);
  grid.map.square_root = grid.map.unit == charts::Unit::duration;
  grid.map.title = spec.title.empty() ? measure_of(table.columns()[*value]) : std::string(spec.title);
  grid.map.column_names = short_names(names);
  grid.map.x_end = static_cast<double>(columns.size());
  return grid;
}

std::optional<charts::HeatMap> heat_of_curves(const charts::LineChart& lines) {
  if (lines.series.size() <= kMostRankBars || lines.stacked) return std::nullopt;
  double begin = HUGE_VAL;
  double end = -HUGE_VAL;
  for (const charts::LineSeries& series : lines.series)
    for (const charts::LinePoint& point : series.points)
      if (!std::isnan(point.x)) begin = std::min(begin, point.x), end = std::max(end, point.x);
  if (!(begin < end)) return std::nullopt;
  charts::HeatMap map;
  map.columns = kTimeBins;
  map.x_begin = begin;
  map.x_end = end;
  map.x_unit = lines.x_unit;
  map.unit = lines.y_unit;
  map.values.assign(lines.series.size() * kTimeBins, std::nan(""));
  std::vector<double> means;
  double highest = 0;
  for (std::size_t s = 0; s < lines.series.size(); ++s) {
    map.rows.push_back(lines.series[s].name);
    double* const cells = map.values.data() + s * kTimeBins;
    for_each_bin(lines.series[s], begin, (end - begin) / kTimeBins, [&](std::size_t bin, double value) {
      if (!(value <= cells[bin])) cells[bin] = value;
      highest = std::max(highest, value);
    });
    double sum = 0;
    std::size_t known = 0;
    for (std::size_t bin = 0; bin < kTimeBins; ++bin)
      if (!std::isnan(cells[bin])) sum += cells[bin], ++known;
    means.push_back(known > 0 ? sum / static_cast<double>(known) : 0);
  }
  map.high = lines.y_range ? lines.y_range->second : highest > 0 ? highest : 1;
  const std::string named = outliers(
      means, lines.y_unit, [&](std::size_t s) { return lines.series[s].name; }, [](double mean) { return mean; });
  map.title = joined(lines.title, named.empty() ? "" : "highest: " + named);
  return map;
}

}  // namespace warpscope::plots
