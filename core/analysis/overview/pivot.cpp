// pivot: slices grouped by two properties, as a matrix.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "core/analysis/job/all_steps.hpp"
#include "core/analysis/operators/event_keys.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/statistics.hpp"
#include "core/base/natural_order.hpp"

namespace warpscope::analysis::registered::pivot {

namespace {

constexpr std::array<std::string_view, 8> kProperties{"name", "category", "stream", "track",
                                                      "rank", "step",     "phase",  "device"};
constexpr std::array<std::string_view, 5> kFigures{"sum", "count", "mean", "p95", "share"};
constexpr std::array<std::string_view, 3> kSlices{"gpu", "host", "all"};
constexpr std::array kParameters{
    choice_parameter("rows", "slice property to use for the rows", kProperties),
    choice_parameter("columns", "slice property to use for the columns", kProperties, "rank"),
    choice_parameter("figure", "statistic of the durations in each cell; share: percentage of the sum over all cells",
                     kFigures),
    choice_parameter("slices",
                     "gpu: kernels, memcpys and memsets; host: operators, annotations, calls and Python functions",
                     kSlices),
    integer_parameter("row_limit", "number of rows; 0 for all", "100"),
    integer_parameter("column_limit", "number of columns; the others are summed into one", "32", 1, 1000)};

using Durations = std::vector<Ns>;
using Key = std::uint32_t;

/// Properties that all slices of a lane share, and the steps of its rank.
struct Place {
  std::uint32_t rank_index;
  const trace::Rank& rank;
  const trace::Track& track;
  const std::vector<trace::Step>& steps;
};

class Matrix {
 public:
  explicit Matrix(const AnalysisInput& input) : input_(input), roles_(roles_of_categories(input.profile)) {
    rows_of_ = property(input.values.text("rows"));
    columns_of_ = property(input.values.text("columns"));
    const std::string& slices = input.values.text("slices");
    gpu_ = slices != "host";
    host_ = slices != "gpu";
  }

  void collect() {
    for (const std::uint32_t r : ranks_in(input_.profile, input_.scope)) {
      const trace::Rank& rank = *input_.profile.ranks[r];
      const std::vector<trace::Step> steps = all_steps(input_.profile, rank);
      for (const trace::Track& track : rank.tracks)
        for (const std::uint32_t l : recorded_lanes(rank, track)) {
          if (cancelled(input_.cancel)) return;
          add_lane({r, rank, track, steps}, rank.lanes[l]);
        }
    }
  }

  Table table() {
    const std::string& figure = input_.values.text("figure");
    double all = 0;
    std::map<Key, double> row_sums;
    std::map<Key, double> column_sums;
    for (const auto& [key, durations] : cells_) {
      const double sum = sum_of(durations);
      row_sums[key.first] += sum;
      column_sums[key.second] += sum;
      all += sum;
    }
    const std::vector<Key> rows = largest(row_sums, static_cast<std::size_t>(input_.values.integer("row_limit")));
    std::vector<Key> columns = largest(column_sums, static_cast<std::size_t>(input_.values.integer("column_limit")));
    std::ranges::stable_sort(columns, [&](Key a, Key b) { return natural_less(columns_.view(a), columns_.view(b)); });
    Table table("pivot", "Pivot", columns_for(columns, column_sums.size() > columns.size(), figure));
    std::vector<Cell> cells;
    for (const Key row : rows) {
      Durations whole;
      Durations others;
      std::map<Key, Durations> by_column;
      for (auto at = cells_.lower_bound({row, 0}); at != cells_.end() && at->first.first == row; ++at) {
        whole.insert(whole.end(), at->second.begin(), at->second.end());
        if (std::ranges::find(columns, at->first.second) != columns.end())
          by_column[at->first.second] = at->second;
        else
          others.insert(others.end(), at->second.begin(), at->second.end());
      }
      cells = {rows_.view(row), figure_of(whole, figure, all)};
      for (const Key column : columns) cells.push_back(figure_of(by_column[column], figure, all));
      if (column_sums.size() > columns.size()) cells.push_back(figure_of(others, figure, all));
      table.add_row(cells);
    }
    table.note = joined_notes(
        {cells_.empty() ? "No slices of this kind in this selection." : "",
         rows.size() < row_sums.size()
             ? fmt::format("Shows the {} largest of {} rows; row_limit=0 shows all.", rows.size(), row_sums.size())
             : ""});
    return table;
  }

 private:
  enum class Property : std::uint8_t { name, category, stream, track, rank, step, phase, device };

  static Property property(std::string_view word) {
    return static_cast<Property>(std::ranges::find(kProperties, word) - kProperties.begin());
  }

  void add_lane(const Place& place, const trace::Lane& lane) {
    const bool stream = place.track.kind == trace::TrackKind::stream;
    for_each_part(
        lane, stream ? input_.scope.on_gpu(place.rank_index) : input_.scope.on_host(place.rank_index),
        [&](std::uint32_t i, Interval time) {
          const trace::Role role = roles_[lane.category(i)];
          const bool run = trace::is_run(role);
          if (run ? !gpu_ : !host_ || stream) return;
          if (!run && (role == trace::Role::instant || role == trace::Role::span || role == trace::Role::overhead))
            return;
          const Key row = rows_.intern(text_of(rows_of_, place, lane, i, time.begin));
          const Key column = columns_.intern(text_of(columns_of_, place, lane, i, time.begin));
          cells_[{row, column}].push_back(time.length());
        });
  }

  std::string_view text_of(Property property, const Place& place, const trace::Lane& lane, std::uint32_t i, Ns begin) {
    switch (property) {
      case Property::name:
        return input_.profile.names().view(lane.name(i));
      case Property::category:
        return input_.profile.dictionary->categories.name(lane.category(i));
      case Property::stream:
        return place.track.kind == trace::TrackKind::stream ? place.track.label : std::string_view("(host)");
      case Property::track:
        return place.track.label;
      case Property::rank:
        return text_ = fmt::format("rank {}", place.rank.number);
      case Property::device:
        return text_ = place.track.kind == trace::TrackKind::stream ? fmt::format("GPU {}", place.track.process)
                                                                    : std::string("host");
      case Property::step:
      case Property::phase:
        break;
    }
    // The last step that starts no later; steps on a rank do not overlap.
    const auto after =
        std::ranges::upper_bound(place.steps, begin, {}, [](const auto& step) { return step.time.begin; });
    if (after == place.steps.begin() || std::prev(after)->time.end <= begin) return "(outside steps)";
    const std::string_view name = input_.profile.names().view(std::prev(after)->name);
    return property == Property::step ? name : phase_of(name);
  }

  static double sum_of(const Durations& durations) {
    double sum = 0;
    for (const Ns duration : durations) sum += static_cast<double>(duration);
    return sum;
  }

  static Cell figure_of(Durations durations, std::string_view figure, double all) {
    if (durations.empty()) return {};
    if (figure == "count") return durations.size();
    if (figure == "share") return share_of(sum_of(durations), all);
    const Statistics of = statistics(durations);
    return figure == "sum" ? Cell(of.total) : Cell(figure == "mean" ? of.mean : of.p95);
  }

  /// Keys with the largest sums; all if the limit is 0.
  static std::vector<Key> largest(const std::map<Key, double>& sums, std::size_t limit) {
    std::vector<Key> keys;
    for (const auto& [key, sum] : sums) keys.push_back(key);
    std::ranges::stable_sort(keys, std::greater(), [&](Key key) { return sums.at(key); });
    if (limit > 0 && keys.size() > limit) keys.resize(limit);
    return keys;
  }

  [[nodiscard]] std::vector<Column> columns_for(const std::vector<Key>& columns, bool others,
                                                std::string_view figure) const {
    const ColumnKind kind = figure == "count"   ? ColumnKind::integer
                            : figure == "share" ? ColumnKind::share
                                                : ColumnKind::duration;
    const ColumnRole role = rows_of_ == Property::name ? ColumnRole::name : ColumnRole::none;
    std::vector<Column> all{{input_.values.text("rows"), "", ColumnKind::text, role},
                            {"all", "", kind, std::string(), 1, 0, 1}};
    for (const Key column : columns) {
      // Column names are unique and distinct from the two above.
      std::string name(columns_.view(column));
      if (name == all[0].name || name == "all" || name == "others") name += " ";
      all.emplace_back(std::move(name), "", kind, ColumnRole::none, std::string(), 1, 0, 1);
    }
    if (others) all.emplace_back("others", "", kind, ColumnRole::none, std::string(), 1, 0, 1);
    return all;
  }

  const AnalysisInput& input_;
  RoleOfCategory roles_;
  Property rows_of_ = Property::name;
  Property columns_of_ = Property::rank;
  bool gpu_ = true;
  bool host_ = false;
  std::string text_;
  TextIds rows_, columns_;
  std::map<std::pair<Key, Key>, Durations> cells_;
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  if (input.values.text("rows") == input.values.text("columns"))
    return Error{"columns " + input.values.text("columns"), "is already used for the rows", "choose another one"};
  Matrix matrix(input);
  matrix.collect();
  return std::vector{matrix.table()};
}

}  // namespace

extern const Analysis kAnalysis{
    "pivot", "Pivot",
    "Slice durations grouped by any two properties: name, category, stream, track, rank, step, phase, device. Cells "
    "show the sum, count, mean, 95th percentile or percentage of the total.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::pivot
