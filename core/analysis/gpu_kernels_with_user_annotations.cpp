// gpu_kernels_with_user_annotations: which annotation of the user each run on a device belongs to.
#include <algorithm>
#include <array>
#include <map>

#include "core/analysis/gpu_rows.hpp"
#include "core/analysis/registry.hpp"
#include "core/analysis/runs.hpp"
#include "core/analysis/tables.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter};

/// The shadow of an annotation on a stream.
struct Shadow {
  Interval time;
  NameId name = 0;
};

/// Times of which each is taken out once, by the first interval that overlaps it: a tree over them in the order of
/// their begins, with the latest end below each node. O(n) to make; O(log n) for each that is taken.
class Unclaimed {
 public:
  /// `times`: by begin.
  explicit Unclaimed(std::vector<Interval> times) : times_(std::move(times)) {
    while (leaves_ < times_.size()) leaves_ *= 2;
    latest_.assign(2 * leaves_, kNone);
    for (std::size_t i = 0; i < times_.size(); ++i) latest_[leaves_ + i] = times_[i].end;
    for (std::size_t node = leaves_ - 1; node > 0; --node) renew(node);
  }

  /// Calls claim(index) for each that is left and overlaps, and takes it out.
  template <class Claim>
  void take(Interval time, Claim claim) {
    const auto after = std::ranges::lower_bound(times_, time.end, {}, [](const Interval& each) { return each.begin; });
    take_below(1, 0, leaves_, static_cast<std::size_t>(after - times_.begin()), time.begin, claim);
  }

 private:
  static constexpr Ns kNone = std::numeric_limits<Ns>::min();

  void renew(std::size_t node) { latest_[node] = std::max(latest_[2 * node], latest_[2 * node + 1]); }

  /// Of the places [first, last) below `node`: those before `until` that end after `begin`.
  template <class Claim>
  void take_below(std::size_t node, std::size_t first, std::size_t last, std::size_t until, Ns begin, Claim& claim) {
    if (first >= until || latest_[node] <= begin) return;
    if (node >= leaves_) {
      latest_[node] = kNone;
      claim(first);
      return;
    }
    const std::size_t middle = first + (last - first) / 2;
    take_below(2 * node, first, middle, until, begin, claim);
    take_below(2 * node + 1, middle, last, until, begin, claim);
    renew(node);
  }

  std::vector<Interval> times_;
  std::vector<Ns> latest_;
  std::size_t leaves_ = 1;
};

/// The shadows of a stream that count, innermost, that is shortest, first.
std::vector<Shadow> shadows_of(const trace::Rank& rank, const trace::Track& track, std::optional<Ns> last_step,
                               bool rounding) {
  std::vector<Shadow> shadows;
  for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
    if (rows_of(rank, l) != trace::LaneKind::gpu_annotation) continue;
    const trace::Lane& lane = rank.lanes[l];
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      const Interval time{lane.time().begin(i), lane.time().end(i)};
      if (!last_step || time.begin < *last_step) shadows.push_back({rounding ? hta_rounded(time) : time, lane.name(i)});
    }
  }
  // Of equal length the one that was recorded deeper, which comes later.
  std::ranges::reverse(shadows);
  std::ranges::stable_sort(shadows, {}, [](const Shadow& shadow) { return shadow.time.length(); });
  return shadows;
}

/// The annotation of each of a stream's rows. HTA's belongs to the shortest that it overlaps by however little; ours to
/// the shortest that its middle lies in, for neighbours overlap where times are rounded or kernels begin early.
void annotate(std::span<const GpuRow> rows, const std::vector<Shadow>& shadows, bool hta,
              std::span<std::optional<NameId>> annotations) {
  if (shadows.empty()) return;
  std::vector<Interval> times;
  std::vector<std::uint32_t> order(rows.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) order[i] = i;
  const auto claims = [&](std::uint32_t i) {
    const Interval time = rows[i].time;
    const Ns middle = time.begin + time.length() / 2;
    return hta ? time : Interval{middle, middle + 1};
  };
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return claims(i).begin; });
  times.reserve(rows.size());
  for (const std::uint32_t i : order) times.push_back(claims(i));
  Unclaimed unclaimed(std::move(times));
  for (const Shadow& shadow : shadows)
    unclaimed.take(shadow.time, [&](std::size_t place) { annotations[order[place]] = shadow.name; });
}

struct Sum {
  Ns time = 0;
  std::uint64_t runs = 0;
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  KernelClasses::Choice choice;
  choice.hta = input.values.flag(kHtaParameter.name);
  choice.rounding = choice.hta && input.values.flag(kRoundingParameter.name);
  const GpuRows all(profile, input.scope, choice, input.cancel);
  const std::optional<HtaSteps> steps = choice.hta ? std::optional<HtaSteps>(profile) : std::nullopt;
  Table runs("annotated-kernels", "Kernels with their annotations",
             {{"rank", "", ColumnKind::identifier, "rank"},
              {"begin", "", ColumnKind::time, "ts", 1000},
              {"duration", "", ColumnKind::duration, "dur", 1000},
              {"device", "", ColumnKind::identifier, "device"},
              {"stream", "", ColumnKind::identifier, "stream"},
              {"name", "", ColumnKind::text, "s_name"},
              {"annotation", "", ColumnKind::text, "s_user_annotation"}});
  Table sums("annotations", "Kernel time by annotation",
             {{"rank", "", ColumnKind::identifier},
              {"annotation", "", ColumnKind::text},
              {"kernel time", "", ColumnKind::duration},
              {"kernels", "", ColumnKind::integer}});
  std::size_t most = 0;
  for (const std::uint32_t r : all.ranks()) most += profile.ranks[r]->counts.runs;
  if (!input.scope.range) runs.reserve(most);
  std::size_t without = 0;
  std::uint64_t annotated = 0;
  for (const std::uint32_t r : all.ranks()) {
    const trace::Rank& rank = *profile.ranks[r];
    std::vector<GpuRow> rows = all.of(r);
    if (cancelled(input.cancel)) break;
    if (rows.empty()) ++without;
    std::ranges::stable_sort(rows, {}, [](const GpuRow& row) { return row.track; });
    const std::optional<Ns> last_step = steps ? steps->last_begin(rank) : std::nullopt;
    std::vector<std::optional<NameId>> annotations(rows.size());
    for (std::size_t from = 0; from < rows.size();) {
      std::size_t to = from;
      while (to < rows.size() && rows[to].track == rows[from].track) ++to;
      annotate(std::span(rows).subspan(from, to - from),
               shadows_of(rank, rank.tracks[rows[from].track], last_step, choice.rounding), choice.hta,
               std::span(annotations).subspan(from, to - from));
      from = to;
    }
    std::map<std::optional<NameId>, Sum> by_annotation;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const GpuRow& row = rows[i];
      const Cell annotation = annotations[i] ? Cell(profile.names().view(*annotations[i])) : Cell();
      runs.add_row({rank.number, row.time.begin - profile.span.begin, row.time.length(), rank.devices[row.device].id,
                    rank.tracks[row.track].id, profile.names().view(row.name), annotation});
      Sum& sum = by_annotation[annotations[i]];
      sum.time = saturating_add(sum.time, row.time.length());
      ++sum.runs;
      if (annotations[i]) ++annotated;
    }
    std::vector<std::pair<std::optional<NameId>, Sum>> order(by_annotation.begin(), by_annotation.end());
    std::ranges::stable_sort(order, std::greater(), [](const auto& each) { return each.second.time; });
    for (const auto& [name, sum] : order)
      sums.add_row({rank.number, name ? Cell(profile.names().view(*name)) : Cell("none"), sum.time, sum.runs});
  }
  runs.note = joined_notes({without_runs_note(without, all.ranks().size()),
                            runs.rows() > 0 && annotated == 0 ? "There are no annotations on the GPU." : "",
                            impossible_note(count_impossible(profile, input.scope, kRunRoles), "run")});
  sums.note = runs.note;
  return std::vector{std::move(runs), std::move(sums)};
}

}  // namespace

namespace registered {
extern const Analysis gpu_kernels_with_user_annotations;
const Analysis gpu_kernels_with_user_annotations{"gpu_kernels_with_user_annotations", "Kernels with their annotations",
                                                 "Each run on a device with the innermost of the user's annotations on "
                                                 "its stream, of which it has the middle. HTA's "
                                                 "may be a neighbour's that it touches.",
                                                 kParameters, run};
}  // namespace registered

}  // namespace warpscope::analysis
