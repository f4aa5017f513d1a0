#include "render/plots/counter_bars.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "render/charts/colors.hpp"
#include "render/plots/bar_rows.hpp"
#include "render/plots/name_labels.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {
namespace {

struct Kind {
  std::vector<std::size_t> columns{};
  double sum = 0;
};

double counted(const Table& table, std::uint32_t row, std::size_t column) {
  const double value = table.at(row, column).number();
  return value > 0 ? value : 0;
}

/// Returns the non-zero counters by kind.
std::map<std::string_view, Kind> kinds_of(const Table& table) {
  std::map<std::string_view, Kind> kinds;
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const Column& column = table.columns()[c];
    if (column.role != ColumnRole::counter) continue;
    double sum = 0;
    for (std::uint32_t row = 0; row < table.rows(); ++row) sum += counted(table, row, c);
    if (sum <= 0) continue;
    Kind& kind = kinds[counter_kind(column.csv_name)];
    kind.columns.push_back(c);
    kind.sum += sum;
  }
  return kinds;
}

/// All executions of one kernel.
struct Kernel {
  std::string name;
  std::vector<double> values;
  double sum = 0;
  double longest = -1;
  std::uint32_t row = 0;
};

}  // namespace

std::string_view counter_kind(std::string_view counter) {
  if (const std::size_t op = counter.find("_op_"); op != std::string_view::npos) return counter.substr(0, op + 3);
  return counter;
}

std::optional<PlottedBars> counter_bars(const Table& table, scene::Theme theme) {
  const auto name = table.find_role(ColumnRole::kernel);
  const auto duration = first_of(table, ColumnKind::duration);
  const std::map<std::string_view, Kind> kinds = kinds_of(table);
  if (!name || kinds.empty()) return std::nullopt;
  const auto& [kind, counters] = *std::ranges::max_element(
      kinds, {}, [](const auto& each) { return std::pair(each.second.columns.size(), each.second.sum); });
  std::map<std::string, Kernel, std::less<>> kernels;
  const NameLabels labels(table, *name);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    const std::string label = labels.of(table.at(row, *name).text());
    Kernel& kernel =
        kernels.try_emplace(label, Kernel{label, std::vector<double>(counters.columns.size())}).first->second;
    for (std::size_t p = 0; p < counters.columns.size(); ++p) {
      const double value = counted(table, row, counters.columns[p]);
      kernel.values[p] += value;
      kernel.sum += value;
    }
    const double length = duration ? table.at(row, *duration).number() : 0;
    if (length <= kernel.longest) continue;
    kernel.longest = length;
    kernel.row = row;
  }
  std::vector<Kernel> sorted;
  for (auto& [label, kernel] : kernels)
    if (kernel.sum > 0) sorted.push_back(std::move(kernel));
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Kernel::sum);

  PlottedBars made;
  made.bars.unit = charts::Unit::number;
  made.bars.title = std::string(kind) + (counters.columns.size() > 1 ? "_…" : "") + " summed by kernel";
  for (const std::size_t column : counters.columns) {
    const std::string_view counter = table.columns()[column].csv_name;
    const std::string_view rest = counter.substr(std::min(counter.size(), kind.size() + 1));
    made.bars.parts.push_back({std::string(rest.empty() ? counter : rest),
                               charts::series_color(static_cast<std::uint32_t>(made.bars.parts.size()), theme)});
  }
  for (std::size_t k = 0; k < std::min(sorted.size(), kMostBars); ++k) {
    made.rows.insert(made.rows.end(), counters.columns.size(), sorted[k].row);
    made.bars.rows.push_back({std::move(sorted[k].name),
                              std::move(sorted[k].values),
                              charts::format_value(sorted[k].sum, made.bars.unit),
                              {}});
  }
  made.bars.left_out = sorted.size() - made.bars.rows.size();
  return made;
}

}  // namespace warpscope::plots
