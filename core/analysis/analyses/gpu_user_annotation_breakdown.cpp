// gpu_user_annotation_breakdown: durations of user annotations by rank and name.
#include <algorithm>
#include <array>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/annotation_walk.hpp"
#include "core/analysis/shared/duration_spread.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/analysis/shared/kernel_totals.hpp"
#include "core/base/text_pattern.hpp"

namespace warpscope::analysis::registered::gpu_user_annotation_breakdown {

namespace {

constexpr std::array<std::string_view, 2> kSides{"gpu", "cpu"};
constexpr std::string_view kKeep = "allowlist_patterns";
constexpr std::array kParameters{
    choice_parameter("side", "gpu: annotations on the streams; cpu: annotations recorded on the host", kSides),
    num_kernels_parameter("1000", "number of annotations to list per rank; 0 for all"),
    kDurationRatioParameter,
    text_parameter(kKeep, "comma-separated names to always list; * matches anything"),
    kHtaParameter,
    kRoundingParameter};

/// Selects the annotations to count and measures them.
class Lengths {
 public:
  Lengths(const AnalysisInput& input, bool hta)
      : input_(input), rounding_(hta && input.values.flag(kRoundingParameter.name)), steps_(input.profile, hta) {}

  void enter(std::uint32_t rank, Side side) {
    last_step_ = steps_.last_begin(*input_.profile.ranks[rank]);
    range_ = side == Side::gpu ? input_.scope.on_gpu(rank) : input_.scope.on_host(rank);
  }

  [[nodiscard]] std::optional<Ns> of(Interval time) const {
    if (range_ && !is_within(time, *range_)) return std::nullopt;
    if (last_step_ && time.begin >= *last_step_) return std::nullopt;
    return rounding_ ? hta_rounded(time).length() : time.length();
  }

 private:
  const AnalysisInput& input_;
  bool rounding_;
  HtaSteps steps_;
  std::optional<Ns> last_step_;
  std::optional<Interval> range_;
};

void add_rows(Table& table, const trace::Profile& profile, std::int64_t rank, std::vector<NamedSpread> told, bool hta) {
  const auto name = [&](const NamedSpread& each) { return each.name ? profile.names().view(*each.name) : kOthers; };
  if (hta) std::ranges::sort(told, {}, name);
  std::vector<Cell> cells;
  for (const NamedSpread& each : told) {
    cells.assign({name(each)});
    append_spread_cells(cells, each.durations);
    cells.emplace_back(rank);
    table.add_row(cells);
  }
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const Side side = input.values.text("side") == to_string(Side::cpu) ? Side::cpu : Side::gpu;
  const bool hta = input.values.flag(kHtaParameter.name);
  const std::vector<TextPattern> patterns = parse_patterns(input.values.text(kKeep));
  Folding folding = Folding::of(input.values, hta);
  folding.keep = [&](NameId id) {
    return std::ranges::any_of(patterns,
                               [&](const TextPattern& each) { return each.matches(profile.names().view(id)); });
  };
  std::vector<Column> columns{Column("name", col::annotation)};
  append_spread_columns(columns);
  columns.push_back(col::rank);
  Table table("annotation-breakdown", side == Side::gpu ? "Annotations on the GPU" : "Annotations on the CPU",
              std::move(columns), "name,sum (us),max (us),min (us),stddev,mean (us),rank");
  Lengths lengths(input, hta);
  SpreadsByName by_name(profile.names().size());
  for (const std::uint32_t r : ranks_in(profile, input.scope)) {
    const trace::Rank& rank = *profile.ranks[r];
    lengths.enter(r, side);
    for_each_annotation(profile, {{r}, {}}, side, input.cancel, [&](std::uint32_t, std::uint32_t l, std::uint32_t i) {
      const trace::Lane& lane = rank.lanes[l];
      if (const auto length = lengths.of({lane.time().begin(i), lane.time().end(i)}))
        by_name.add(lane.name(i), *length);
    });
    if (cancelled(input.cancel)) break;
    add_rows(table, profile, rank.number, fold(by_name.take(), profile.names(), folding), hta);
  }
  const std::string none = side == Side::gpu
                               ? "No annotations on the GPU in this selection; side=cpu lists those on the host."
                               : not_recorded_note(profile, input.scope, "No annotations in this selection",
                                                   "add them with torch.profiler.record_function");
  const auto role = side == Side::gpu ? role_set(trace::Role::gpu_annotation) : role_set(trace::Role::annotation);
  table.note = joined_notes(
      {table.rows() == 0 ? none : "", impossible_note(count_impossible(profile, input.scope, role), "annotation")});
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{
    "gpu_user_annotation_breakdown", "Annotation breakdown",
    "Duration of annotations on the GPU (from the first to the last kernel launched within them) or on the CPU, by "
    "name and rank. Annotations that extend beyond the range are omitted.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::gpu_user_annotation_breakdown
