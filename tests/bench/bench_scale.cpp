// bench_scale: checks that the cost per slice does not grow with the number of slices. Uses directories of 8 ranks, gz,
// with 0.5, 5 and 20 million slices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/bench/loads.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;

constexpr int kRanks = 8;
constexpr double kGrowthLimit = 1.3;

struct Quantity {
  const char* name;
  double scale;  ///< factor from the value per slice to the table's unit
  /// Whether the smallest size may cost more per slice: a process needs some MB regardless of the number of slices.
  bool has_constant;
  double (*of)(const LoadFigures&);
};

constexpr Quantity kQuantities[] = {
    {"wall ns/slice", 1e9, false, [](const LoadFigures& load) { return load.wall / load.slices; }},
    {"CPU ns/slice", 1e9, false, [](const LoadFigures& load) { return load.cpu / load.slices; }},
    {"peak B/slice", 1, true, [](const LoadFigures& load) { return load.peak / load.slices; }},
    {"after B/slice", 1, true, [](const LoadFigures& load) { return load.resident / load.slices; }},
};

// Adds the cost per slice of each quantity by size, and the ratio of the highest cost to the lowest.
void add_shares(Report& report, const std::vector<LoadFigures>& loads) {
  std::vector<Column> columns{{"quantity", "", ColumnKind::text}};
  for (const LoadFigures& load : loads) columns.push_back({load.title, "", ColumnKind::real});
  columns.push_back({"most : least", "", ColumnKind::real});
  columns.push_back({"largest : smallest", "", ColumnKind::real});
  Table table("scale", "A slice's share, by size", std::move(columns));
  for (const Quantity& quantity : kQuantities) {
    std::vector<double> shares;
    for (const LoadFigures& load : loads) shares.push_back(quantity.of(load));
    const auto [least, most] = std::ranges::minmax(shares);
    std::vector<Cell> row{quantity.name};
    for (const double share : shares) row.emplace_back(quantity.scale * share);
    const double growth = shares.back() / shares.front();
    row.emplace_back(most / least);
    row.emplace_back(growth);
    table.add_row(row);
    if (quantity.has_constant)
      report.requirements.push_back({fmt::format("{}: largest : smallest", quantity.name), growth, kGrowthLimit, "×"});
    else
      report.requirements.push_back({fmt::format("{}: most : least", quantity.name), most / least, kGrowthLimit, "×"});
  }
  report.tables.push_back(std::move(table));
}

int run(int argc, char** argv) {
  Options options;
  std::vector<double> millions{0.5, 5, 20};
  CommandLine line(
      "Measures what a slice's share of a load is as traces grow: 8 ranks, gz, 0.5, 5 and 20 million slices.", options);
  line.add("--millions", millions, "Slices, in millions, ascending");
  if (const auto status = line.parse(argc, argv)) return *status;

  Report report{.name = "scale",
                .title = "Loading directories of 8 ranks, gz: warpscope info, a fresh process each time",
                .runs = options.runs};
  std::vector<TraceSpec> specs;
  for (const double count : millions)
    specs.push_back(
        {.slices = static_cast<std::uint64_t>(1e6 * count), .shapes = false, .ranks = kRanks, .format = "gz"});
  LoadPlan plan{.subjects = {}, .floor_runs = 1};
  add_generated(plan, specs, options, report);
  const std::vector<LoadFigures> loads = measure_loads(plan, options);
  bool whole = loads.size() == specs.size() && loads.size() > 1;
  for (const LoadFigures& load : loads) {
    if (load.trouble.empty()) continue;
    report.notes.push_back(load.title + ": " + load.trouble);
    whole = false;
  }
  report.tables = {time_table(loads), floor_table(loads), memory_table(loads)};
  if (whole)
    add_shares(report, loads);
  else
    report.requirements.push_back({"a slice's share: most : least", NAN, kGrowthLimit, "×"});
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  return guarded([&]() -> int {
    if (const auto status = run_as_floor_child(argc, argv)) return *status;
    return run(argc, argv);
  });
}
