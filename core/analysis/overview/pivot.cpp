// pivot: slices grouped by two properties, as a matrix.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <unordered_map>

#include "core/analysis/job/all_steps.hpp"
#include "core/analysis/operators/captured_operators.hpp"
#include "core/analysis/operators/event_keys.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/statistics.hpp"
#include "core/base/natural_order.hpp"

namespace warpscope::analysis::registered::pivot {

namespace {

constexpr std::array<std::string_view, 10> kProperties{"name",  "category", "module", "shape", "stream",
                                                       "track", "rank",     "step",   "phase", "device"};
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

/// Strings in order of first occurrence.
class Labels {
 public:
  Key of(std::string_view text) {
    const auto [entry, fresh] = keys_.try_emplace(std::string(text), static_cast<Key>(texts_.size()));
    if (fresh) texts_.push_back(&entry->first);
    return entry->second;
  }
  [[nodiscard]] const std::string& text(Key key) const { return *texts_[key]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  std::unordered_map<std::string, Key> keys_;
  std::vector<const std::string*> texts_;  // keys of keys_, which do not move
};

/// Properties that all slices of a lane share, and the steps of its rank.
struct Place {
  std::uint32_t rank_index;
  const trace::Rank& rank;
  const trace::Track& track;
  const std::vector<trace::Step>& steps;
  trace::SliceOrdinal first_slice = 0;  ///< of the lane
};

/// Strings for a rank's slices that are derived from operators: input shapes or modules. GPU activity gets the string
/// of the operator that launched it; runtime calls get that of the operator around them.
class OperatorTexts {
 public:
  using Read = Result<std::vector<std::uint32_t>> (*)(const AnalysisInput&, std::uint32_t,
                                                      const std::vector<HostEvent>&, TextIds&, bool&);
  OperatorTexts(Read read, std::string_view missing) : read_(read) { missing_ = texts_.intern(missing); }

  /// Errors: as EventLookup::read_each.
  Failure start_rank(const AnalysisInput& input, std::uint32_t r, const GpuRows::Rows& rows, bool host) {
    const HostEvents events(input, r, rows, {});
    // By slice: the event that provides its string.
    const auto& lane_start = input.profile.ranks[r]->lane_start;
    std::vector<std::uint32_t> event_of(lane_start.empty() ? 0 : lane_start.back(), HostEvent::kNone);
    for (const OwnedActivity& owned : events.activity()) event_of[owned.row.slice] = owned.owner;
    for (std::uint32_t e = 0; host && e < events.events().size(); ++e)
      event_of[events.events()[e].slice] = operator_of(events.events(), e);
    std::vector<bool> needed(events.events().size());
    for (const std::uint32_t event : event_of)
      if (event != HostEvent::kNone) needed[event] = true;
    std::vector<HostEvent> asked;
    std::vector<std::uint32_t> place(needed.size());
    for (std::uint32_t e = 0; e < needed.size(); ++e) {
      if (!needed[e]) continue;
      place[e] = static_cast<std::uint32_t>(asked.size());
      asked.push_back(events.events()[e]);
    }
    text_of_slice_.assign(event_of.size(), missing_);
    const auto ids = read_(input, r, asked, texts_, recorded_);
    if (!ids) return ids.error();
    for (std::size_t slice = 0; slice < event_of.size(); ++slice)
      if (event_of[slice] != HostEvent::kNone && (*ids)[place[event_of[slice]]] != 0)
        text_of_slice_[slice] = (*ids)[place[event_of[slice]]];
    return {};
  }
  /// Sets the shapes of kernels in CUDA graphs from the capture of the graphs. Errors: as above.
  Failure add_captured_shapes(CapturedOperators& captured, std::uint32_t r, const GpuRows::Rows& rows) {
    const auto operators = captured.of(r, rows);
    if (!operators) return operators.error();
    for (const auto& [slice, op] : *operators) {
      if (op.shapes.empty()) continue;
      text_of_slice_[slice] = texts_.intern(op.shapes);
      recorded_ = true;
    }
    return {};
  }
  /// Sets the strings of kernels in CUDA graphs, which no operator launched. Errors: as above.
  Failure add_graph_modules(const AnalysisInput& input, std::uint32_t r, const GpuRows::Rows& rows) {
    const auto modules = graph_modules_of(input, r, rows);
    if (!modules) return modules.error();
    for (const auto& [slice, module] : *modules) text_of_slice_[slice] = texts_.intern(module);
    recorded_ = recorded_ || !modules->empty();
    return {};
  }
  [[nodiscard]] std::string_view of(trace::SliceOrdinal slice) const { return texts_.view(text_of_slice_[slice]); }
  [[nodiscard]] bool recorded() const { return recorded_; }

 private:
  static std::uint32_t operator_of(const std::vector<HostEvent>& events, std::uint32_t e) {
    while (e != HostEvent::kNone && events[e].role == trace::Role::launch) e = events[e].parent;
    return e;
  }

  Read read_;
  TextIds texts_;
  std::uint32_t missing_ = 0;
  std::vector<std::uint32_t> text_of_slice_;
  bool recorded_ = false;
};

class Matrix {
 public:
  explicit Matrix(const AnalysisInput& input)
      : input_(input), roles_(roles_of_categories(input.profile)), captured_(input) {
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
      read_texts(r);
      for (const trace::Track& track : rank.tracks)
        for (const std::uint32_t l : recorded_lanes(rank, track)) {
          if (cancelled(input_.cancel)) return;
          add_lane({r, rank, track, steps, rank.lane_start[l]}, rank.lanes[l]);
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
    std::ranges::stable_sort(columns, [&](Key a, Key b) { return natural_less(columns_.text(a), columns_.text(b)); });
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
      cells = {rows_.text(row), figure_of(whole, figure, all)};
      for (const Key column : columns) cells.push_back(figure_of(by_column[column], figure, all));
      if (column_sums.size() > columns.size()) cells.push_back(figure_of(others, figure, all));
      table.add_row(cells);
    }
    table.note = joined_notes(
        {cells_.empty() ? "No slices of this kind in this selection." : "",
         rows.size() < row_sums.size()
             ? fmt::format("Shows the {} largest of {} rows; row_limit=0 shows all.", rows.size(), row_sums.size())
             : "",
         unread_.empty() ? "" : "Cannot read operator arguments: " + unread_,
         is_missing(Property::shape, shapes_) && !captured_.shapes_differ()
             ? not_recorded_note(input_.profile, input_.scope, "The traces have no input shapes",
                                 "to record them, use profile(record_shapes=True)")
             : "",
         is_missing(Property::module, modules_)
             ? not_recorded_note(input_.profile, input_.scope, "The traces have no modules",
                                 "to record them, use profile(with_stack=True)")
             : "",
         captured_.note()});
    return table;
  }

 private:
  enum class Property : std::uint8_t { name, category, module, shape, stream, track, rank, step, phase, device };

  static Property property(std::string_view word) {
    return static_cast<Property>(std::ranges::find(kProperties, word) - kProperties.begin());
  }

  [[nodiscard]] bool uses(Property property) const { return rows_of_ == property || columns_of_ == property; }
  [[nodiscard]] bool is_missing(Property property, const OperatorTexts& texts) const {
    return uses(property) && !cells_.empty() && !texts.recorded() && unread_.empty();
  }

  void read_texts(std::uint32_t r) {
    if (!uses(Property::shape) && !uses(Property::module)) return;
    const GpuRows rows(input_.profile, input_.scope, {}, input_.cancel, input_.shared);
    const auto of_rank = gpu_ ? rows.of(r) : std::make_shared<const GpuRows::Rows>();
    for (auto& [property, texts] : {std::pair(Property::shape, &shapes_), std::pair(Property::module, &modules_)})
      if (uses(property))
        if (const auto failure = texts->start_rank(input_, r, *of_rank, host_)) unread_ = failure->message();
    if (uses(Property::shape))
      if (const auto failure = shapes_.add_captured_shapes(captured_, r, *of_rank)) unread_ = failure->message();
    if (uses(Property::module))
      if (const auto failure = modules_.add_graph_modules(input_, r, *of_rank)) unread_ = failure->message();
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
          const Key row = rows_.of(text_of(rows_of_, place, lane, i, time.begin));
          const Key column = columns_.of(text_of(columns_of_, place, lane, i, time.begin));
          cells_[{row, column}].push_back(time.length());
        });
  }

  std::string_view text_of(Property property, const Place& place, const trace::Lane& lane, std::uint32_t i, Ns begin) {
    switch (property) {
      case Property::name:
        return input_.profile.names().view(lane.name(i));
      case Property::category:
        return input_.profile.dictionary->categories.name(lane.category(i));
      case Property::module:
        return modules_.of(place.first_slice + i);
      case Property::shape:
        return shapes_.of(place.first_slice + i);
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
      std::string name = columns_.text(column);
      if (name == all[0].name || name == "all" || name == "others") name += " ";
      all.emplace_back(std::move(name), "", kind, ColumnRole::none, std::string(), 1, 0, 1);
    }
    if (others) all.emplace_back("others", "", kind, ColumnRole::none, std::string(), 1, 0, 1);
    return all;
  }

  const AnalysisInput& input_;
  RoleOfCategory roles_;
  CapturedOperators captured_;
  Property rows_of_ = Property::name;
  Property columns_of_ = Property::rank;
  bool gpu_ = true;
  bool host_ = false;
  OperatorTexts shapes_{shapes_of, "(no operator)"};
  OperatorTexts modules_{modules_of, "(no module)"};
  std::string unread_;
  std::string text_;
  Labels rows_, columns_;
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
    "Slice durations grouped by any two properties: name, category, module, input shapes, stream, track, rank, step, "
    "phase, device. GPU activity is assigned the module and shapes of the operator that launched it; kernels in CUDA "
    "graphs are assigned the annotated module. Cells show the "
    "sum, count, mean, 95th percentile or percentage of the total.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::pivot
