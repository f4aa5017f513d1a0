// potential_stragglers: ranks that arrive last in collectives, as HTA finds them.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::analysis::registered::potential_stragglers {

namespace {

constexpr std::array kParameters{integer_parameter("num_candidates", "number of candidates", "2", 1, 1e6),
                                 kHtaParameter, kRoundingParameter, kKernelClassParameter};

// HTA considers kernels named ncclKernel… that take at least 1 % of a mean step, and among these, only the last one per
// name, stream and step on each rank. It picks the stream and name whose durations differ most between ranks and counts
// the steps in which a rank was among the last `candidates` to start that kernel. It misses kernels from newer NCCL
// versions, which have different names, and kernels on ROCm's default stream 0 (B5, B6).

constexpr std::string_view kKernel = "ncclKernel";
constexpr std::string_view kStep = "ProfilerStep#";
constexpr double kLeastShare = 0.01;

/// Returns 12 for "ProfilerStep#12", -1 for other names.
std::int64_t step_number(std::string_view name) {
  return name.starts_with(kStep) ? parse_number<std::int64_t>(name.substr(kStep.size())).value_or(-1) : -1;
}

struct LongRun {
  std::int64_t stream;
  NameId name;
  std::int64_t step;
  std::uint32_t rank;
  Interval time;
};

/// Span and names of the steps of all ranks. HTA's mean step is the span divided by the number of names.
struct Steps {
  Interval span = kEmptySpan;
  std::set<std::int64_t> numbers;

  [[nodiscard]] double mean() const {
    if (numbers.empty()) return 0;
    return static_cast<double>(saturating_difference(span.end, span.begin)) / static_cast<double>(numbers.size());
  }
};

class Finder {
 public:
  Finder(const trace::Profile& profile, const KernelClasses::Choice& choice, const std::optional<Interval>& range,
         const CancelToken* cancel)
      : profile_(profile), rounding_(choice.rounding), range_(range), cancel_(cancel), hta_steps_(profile) {}

  void look_at(std::uint32_t r, const std::vector<GpuRow>& rows) {
    const trace::Rank& rank = *profile_.ranks[r];
    const std::optional<Ns> last = hta_steps_.last_begin(rank);
    const auto step_of = [&](Ns begin) -> std::int64_t {
      if (last && begin >= *last) return -1;
      const auto step = step_at(rank, begin);
      if (step && range_ && !is_within(rank.steps[*step].time, *range_)) return -1;
      return step ? step_number(profile_.names().view(rank.steps[*step].name)) : -1;
    };
    for (const trace::Track& track : rank.tracks) {
      if (track.kind != trace::TrackKind::thread) continue;
      for (const std::uint32_t l : recorded_lanes(rank, track)) {
        if (cancelled(cancel_)) return;
        for_each_part(rank.lanes[l], std::nullopt, [&](std::uint32_t, Interval time) {
          if (time.begin >= steps_.span.begin && time.end <= steps_.span.end) return;
          if (const std::int64_t step = step_of(time.begin); step >= 0) add(step, time);
        });
      }
    }
    for (const trace::Step& step : rank.steps)
      if (const std::int64_t number = step_of(step.time.begin); number >= 0) add(number, step.time);
    for (const GpuRow& row : rows) {
      const std::int64_t step = row.launch && rank.tracks[row.track].id > 0 ? step_of(rank.begin(*row.launch)) : -1;
      if (step < 0) continue;
      add(step, row.time);
      if (step > 0 && profile_.names().view(row.name).starts_with(kKernel))
        runs_.push_back({rank.tracks[row.track].id, row.name, step, r, row.time});
    }
  }

  [[nodiscard]] std::map<std::uint32_t, std::uint64_t> counts(std::size_t candidates) {
    keep_last_long_ones();
    std::map<std::uint32_t, std::uint64_t> counts;
    const auto [from, to] = most_uneven();
    for (auto run = from; run != to;) {
      const auto next = std::find_if(run, to, [&](const LongRun& other) { return other.step != run->step; });
      std::vector<Ns> begins;
      for (auto each = run; each != next; ++each) begins.push_back(each->time.begin);
      std::ranges::sort(begins, std::greater());
      // HTA fails if fewer ranks have the kernel.
      const Ns threshold = begins[std::min(candidates, begins.size()) - 1];
      for (auto each = run; each != next; ++each) counts[each->rank] += each->time.begin >= threshold;
      run = next;
    }
    return counts;
  }

 private:
  using Runs = std::vector<LongRun>;

  void add(std::int64_t step, Interval time) {
    steps_.numbers.insert(step);
    steps_.span = cover(steps_.span, rounding_ ? hta_rounded(time) : time);
  }

  void keep_last_long_ones() {
    const double least = kLeastShare * steps_.mean();
    std::erase_if(runs_, [&](const LongRun& run) { return static_cast<double>(run.time.length()) < least; });
    const auto key = [](const LongRun& run) { return std::tuple(run.stream, run.name, run.step, run.rank); };
    std::ranges::stable_sort(runs_, {}, key);
    Runs last;
    for (const LongRun& run : runs_) {
      if (!last.empty() && key(last.back()) == key(run))
        last.back() = run;
      else
        last.push_back(run);
    }
    runs_ = std::move(last);
  }

  static bool same_kernel(const LongRun& a, const LongRun& b) { return a.stream == b.stream && a.name == b.name; }

  /// Returns the mean over steps of the standard deviation of durations between ranks; nullopt if no step has two.
  static std::optional<double> unevenness(Runs::const_iterator from, Runs::const_iterator to) {
    double sum = 0;
    std::size_t steps = 0;
    while (from != to) {
      const auto next = std::find_if(from, to, [&](const LongRun& other) { return other.step != from->step; });
      const auto count = static_cast<double>(next - from);
      double mean = 0;
      for (auto run = from; run != next; ++run) mean += static_cast<double>(run->time.length()) / count;
      double squares = 0;
      for (auto run = from; run != next; ++run) squares += std::pow(static_cast<double>(run->time.length()) - mean, 2);
      if (count > 1) {
        sum += std::sqrt(squares / (count - 1));
        ++steps;
      }
      from = next;
    }
    if (steps == 0) return std::nullopt;
    return sum / static_cast<double>(steps);
  }

  [[nodiscard]] std::pair<Runs::const_iterator, Runs::const_iterator> most_uneven() const {
    std::pair best{runs_.end(), runs_.end()};
    std::optional<double> most;
    for (auto from = runs_.begin(); from != runs_.end();) {
      const auto to = std::find_if(from, runs_.end(), [&](const LongRun& run) { return !same_kernel(run, *from); });
      if (const auto own = unevenness(from, to); own && (!most || *own > *most)) {
        most = own;
        best = {from, to};
      }
      from = to;
    }
    return best;
  }

  const trace::Profile& profile_;
  bool rounding_;
  std::optional<Interval> range_;
  const CancelToken* cancel_;
  HtaSteps hta_steps_;
  Steps steps_;
  Runs runs_;
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const KernelClasses::Choice choice = KernelClasses::choice(input.values);
  const auto most = static_cast<std::size_t>(input.values.integer("num_candidates"));
  Table table(
      "potential-stragglers", "Potential stragglers",
      {col::rank, Column("candidate", col::remark), col::integer("steps among the latest").csv("steps_among_latest")});
  if (!choice.hta) {
    table.note = "late_ranks shows which ranks are late, and why. Set hta for the stragglers that HTA finds.";
    return std::vector{std::move(table)};
  }
  // Only complete kernels are comparable, so count only complete steps.
  const GpuRows all(input.profile, {input.scope.ranks, {}}, choice, input.cancel, input.shared);
  Finder finder(input.profile, choice, input.scope.range, input.cancel);
  for (const std::uint32_t rank : all.ranks()) finder.look_at(rank, *all.of(rank));
  const auto counts = finder.counts(most);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> stragglers(counts.begin(), counts.end());
  std::ranges::stable_sort(stragglers, std::greater(), [](const auto& each) { return each.second; });
  for (std::size_t i = 0; i < stragglers.size(); ++i)
    table.add_row({input.profile.ranks[stragglers[i].first]->number,
                   i < most && stragglers[i].second > 0 ? "yes" : "no", stragglers[i].second});
  table.note = stragglers.empty()
                   ? "HTA compares ncclKernel… kernels across ranks; there are none in this selection."
                   : "As in HTA, based on the start time of the last long execution of one ncclKernel… kernel.";
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{
    "potential_stragglers", "Potential stragglers",
    "With hta: ranks that are last to start a collective, as HTA finds them. It compares the start times of a single "
    "kernel and recognizes only NCCL's old kernel names. late_ranks finds late ranks in all collectives, with causes.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::potential_stragglers
