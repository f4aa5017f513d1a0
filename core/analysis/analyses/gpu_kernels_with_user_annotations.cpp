// gpu_kernels_with_user_annotations: the user annotation of each GPU activity.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/bucket_sort.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis::registered::gpu_kernels_with_user_annotations {

namespace {

constexpr std::array kParameters{kCorrelationParameter, kHtaParameter, kRoundingParameter};
constexpr std::string_view kNoAnnotation = "none";

/// Shadow of an annotation on a stream.
struct Shadow {
  Interval time;
  NameId name = 0;
};

/// Set of intervals; each is removed by the first query that overlaps it. Union-find with path halving (Tarjan and van
/// Leeuwen): each interval links to a remaining one at or after it. O(n) to build; nearly O(1) per removed interval,
/// and O(log n) per query, unless intervals overlap each other.
class Unclaimed {
 public:
  /// `times`: sorted by start.
  explicit Unclaimed(std::vector<Interval> times) : times_(std::move(times)), next_(times_.size() + 1) {
    std::iota(next_.begin(), next_.end(), std::uint32_t{0});
    for (const Interval& time : times_)
      reached_.push_back(std::max(reached_.empty() ? time.end : reached_.back(), time.end));
  }

  /// Calls claim(index) for each remaining interval that overlaps `time`, and removes it.
  template <class Claim>
  void take(Interval time, Claim claim) {
    const auto from = std::ranges::upper_bound(reached_, time.begin) - reached_.begin();
    for (std::uint32_t i = left_from(static_cast<std::uint32_t>(from)); i < times_.size() && times_[i].begin < time.end;
         i = left_from(i + 1)) {
      if (times_[i].end <= time.begin) continue;
      claim(i);
      next_[i] = i + 1;
    }
  }

 private:
  std::uint32_t left_from(std::uint32_t i) {
    while (next_[i] != i) i = next_[i] = next_[next_[i]];
    return i;
  }

  std::vector<Interval> times_;
  std::vector<Ns> reached_;          // by interval: latest end of this and all earlier intervals
  std::vector<std::uint32_t> next_;  // by interval: own index until it is removed
};

/// Returns the counted shadows of a stream, shortest (innermost) first.
std::vector<Shadow> shadows_of(const trace::Rank& rank, const trace::Track& track, std::optional<Ns> last_step,
                               bool rounding) {
  std::vector<Shadow> shadows;
  for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
    if (rank.rows_of(l) != trace::LaneKind::gpu_annotation) continue;
    const trace::Lane& lane = rank.lanes[l];
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      const Interval time{lane.time().begin(i), lane.time().end(i)};
      if (!last_step || time.begin < *last_step) shadows.push_back({rounding ? hta_rounded(time) : time, lane.name(i)});
    }
  }
  // On ties, the deeper shadow goes first; it is later in lane order.
  std::ranges::reverse(shadows);
  std::ranges::stable_sort(shadows, {}, [](const Shadow& shadow) { return shadow.time.length(); });
  return shadows;
}

/// Returns the annotation of each row of a stream. HTA assigns a row to the shortest annotation that overlaps it.
/// Warpscope uses the shortest one that contains the row's midpoint, because adjacent annotations may overlap a row if
/// times are rounded or kernels start early.
std::vector<std::optional<NameId>> annotations_of(std::span<const GpuRow> rows, const std::vector<Shadow>& shadows,
                                                  bool hta) {
  std::vector<std::optional<NameId>> annotations(rows.size());
  if (shadows.empty()) return annotations;
  if (hta) {
    std::vector<Interval> times;
    for (const GpuRow& row : rows) times.push_back(row.time);
    Unclaimed unclaimed(std::move(times));
    for (const Shadow& shadow : shadows)
      unclaimed.take(shadow.time, [&](std::uint32_t row) { annotations[row] = shadow.name; });
    return annotations;
  }
  const auto middle = [&](std::uint32_t row) { return rows[row].time.begin + rows[row].time.length() / 2; };
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  natural_merge_sort(order, [&](std::uint32_t a, std::uint32_t b) { return middle(a) < middle(b); });
  std::vector<Interval> middles;
  for (const std::uint32_t row : order) middles.push_back({middle(row), middle(row) + 1});
  Unclaimed unclaimed(std::move(middles));
  for (const Shadow& shadow : shadows)
    unclaimed.take(shadow.time, [&](std::uint32_t place) { annotations[order[place]] = shadow.name; });
  return annotations;
}

struct Sum {
  Ns time = 0;
  std::uint64_t runs = 0;
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const KernelClasses::Choice choice = KernelClasses::hta_choice(input.values);
  const GpuRows all(profile, input.scope, choice, input.cancel, input.shared);
  const HtaSteps steps(profile, choice.hta);
  Correlations correlations(input);
  std::map<NameId, std::string> shortened;  // HTA shortens names
  const auto name_of = [&](const GpuRow& row) -> std::string_view {
    const std::string_view whole = profile.names().view(row.name);
    if (!choice.hta) return whole;
    std::string& name = shortened[row.name];
    if (name.empty()) name = hta_short_name(whole);
    return name;
  };
  std::vector<Column> columns{col::rank,
                              col::begin().csv("ts", 1000, csv_zero(input)),
                              Column(col::duration).csv("dur", 1000),
                              col::device,
                              col::stream,
                              Column("name", col::kernel).csv("s_name"),
                              Column(col::annotation_group).csv("s_user_annotation")};
  correlations.append_column(columns);
  Table runs("annotated-kernels", "Kernels with their annotations", std::move(columns),
             "rank,ts,dur,stream,correlation,s_name,s_user_annotation");
  Table sums("annotations", "Kernel time by annotation",
             {col::rank, col::annotation_group, col::ns("kernel time"), col::integer("kernels")});
  std::size_t most = 0;
  for (const std::uint32_t r : all.ranks()) most += profile.ranks[r]->counts.runs;
  if (input.scope.whole()) runs.reserve(most);
  std::vector<Cell> cells;
  std::size_t without = 0;
  std::uint64_t annotated = 0;
  for (const std::uint32_t r : all.ranks()) {
    const trace::Rank& rank = *profile.ranks[r];
    GpuRows::Rows rows = *all.of(r);
    if (cancelled(input.cancel)) break;
    if (rows.empty()) ++without;
    bucket_sort(rows, rank.tracks.size(), [](const GpuRow& row) { return row.track; });  // already sorted by start
    correlations.read(rank, rows);
    const std::optional<Ns> last_step = steps.last_begin(rank);
    std::map<std::optional<NameId>, Sum> by_annotation;
    for (auto from = rows.begin(); from != rows.end();) {
      const auto to = std::find_if(from, rows.end(), [&](const GpuRow& row) { return row.track != from->track; });
      const trace::Track& stream = rank.tracks[from->track];
      const auto annotations =
          annotations_of({from, to}, shadows_of(rank, stream, last_step, choice.rounding), choice.hta);
      for (const std::optional<NameId>& annotation : annotations) {
        const GpuRow& row = *from++;
        const Cell name = annotation ? Cell(profile.names().view(*annotation)) : Cell();
        cells.assign({rank.number, saturating_difference(row.time.begin, profile.span.begin), row.time.length(),
                      rank.devices[row.device].id, stream.id, Cell(name_of(row), row.slice), name});
        correlations.append_cell(cells, row.slice);
        runs.add_row(cells);
        Sum& sum = by_annotation[annotation];
        sum.time = saturating_add(sum.time, row.time.length());
        ++sum.runs;
        if (annotation) ++annotated;
      }
    }
    std::vector<std::pair<std::string_view, Sum>> order;
    for (const auto& [name, sum] : by_annotation)
      order.emplace_back(name ? profile.names().view(*name) : kNoAnnotation, sum);
    std::ranges::sort(order, {}, [](const auto& each) { return std::pair(-each.second.time, each.first); });
    for (const auto& [name, sum] : order) sums.add_row({rank.number, name, sum.time, sum.runs});
  }
  runs.note = joined_notes(
      {without_runs_note(without, all.ranks().size()),
       runs.rows() > 0 && annotated == 0 ? "No annotation on the GPU contains any of this activity." : "",
       correlations.note(), impossible_note(count_impossible(profile, input.scope, kRunRoles), "GPU slice")});
  sums.note = runs.note;
  std::vector<Table> tables;  // an initializer list would copy them
  tables.push_back(std::move(runs));
  tables.push_back(std::move(sums));
  return tables;
}

}  // namespace

extern const Analysis kAnalysis{
    .name = "gpu_kernels_with_user_annotations",
    .title = "Kernels with their annotations",
    .about =
        "Lists each GPU activity with the innermost annotation on its stream that contains the activity's midpoint. "
        "HTA may pick an adjacent annotation.",
    .parameters = kParameters,
    .run = run,
    .still_ours =
        "In traces with ns timestamps, HTA's epoch timestamps are precise only to 0.25 µs, so it may pick an adjacent "
        "annotation that ends when a kernel starts. HTA's index column (the event's position in its file) is omitted."};

}  // namespace warpscope::analysis::registered::gpu_kernels_with_user_annotations
