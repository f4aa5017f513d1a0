#include "core/analysis/critical_path/job_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/analysis/causes/host_chain.hpp"
#include "core/analysis/ranks/collective_waits.hpp"
#include "core/analysis/request/evaluated_time.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

/// Ranks that are on one clock and connected by collectives.
struct ComparableRanks {
  std::vector<std::uint32_t> ranks;  // indices
  std::string reason;                // why there are none
  std::string left_out;
};

ComparableRanks comparable_ranks(const trace::Profile& profile, const RankComparison& comparison,
                                 const RunForest& forest, ClockChoice choice) {
  ComparableRanks result;
  const JobCollectives& matches = comparison.matches();
  const ClockFit& fit = comparison.clocks();
  std::vector<std::uint32_t> active;
  for (const std::uint32_t r : matches.compared)
    if (!forest.runs().of(r).runs().empty()) active.push_back(r);
  if (matches.compared.size() < 2) {
    if (active.empty()) result.reason = "No GPU activity in this selection.";
    result.ranks = active;
    return result;
  }
  if (active.empty()) {
    result.reason =
        "No collectives match across ranks, so the path cannot span several ranks. Select one rank to see its path.";
    return result;
  }
  if (choice != ClockChoice::recorded && !fit.safe()) {
    result.reason = fmt::format(
        "A path across ranks needs a common clock, but the clocks cannot be aligned: {}. Set clocks=recorded to use "
        "the recorded times, or select one rank.",
        fit.refused);
    return result;
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> sets;
  for (const std::uint32_t r : active)
    if (choice == ClockChoice::recorded || fit.ranks[r].refused.empty()) sets[fit.ranks[r].component].push_back(r);
  if (sets.empty()) {
    result.reason = fmt::format(
        "A path across ranks needs a common clock, but the clocks cannot be aligned: {}. Set clocks=recorded to use "
        "the recorded times.",
        fit.ranks[active.front()].refused);
    return result;
  }
  const auto largest =
      std::ranges::max_element(sets, {}, [](const auto& set) { return std::pair(set.second.size(), ~set.first); });
  result.ranks = std::move(largest->second);
  const std::size_t others = matches.compared.size() - result.ranks.size();
  if (others > 0)
    result.left_out = fmt::format("{} not connected by collectives to rank {} and the other ranks on the path.",
                                  others == 1 ? "1 rank is" : fmt::format("{} ranks are", others),
                                  profile.ranks[result.ranks.front()]->number);
  return result;
}

/// Returns the scope's range on the common clock. If the range starts and ends with steps of any rank, the result
/// starts and ends with what they launched: steps are at different times on different clocks, and GPUs run behind.
Interval window_of(const AnalysisInput& input, const RunForest& forest) {
  struct StepTime {
    Interval recorded = kEmptySpan;
    Interval common = kEmptySpan;
  };
  const trace::Profile& profile = input.profile;
  const std::vector<std::uint32_t> ranks = ranks_in(profile, input.scope);
  const auto on_common = [&](std::uint32_t r, Interval time) {
    return Interval{forest.runs().common(r, time.begin), forest.runs().common(r, time.end)};
  };
  if (!input.scope.range) {
    Interval window = kEmptySpan;
    for (const std::uint32_t r : ranks)
      if (const Interval time = *input.scope.on_gpu(r); !time.empty()) window = cover(window, on_common(r, time));
    return window;
  }
  const Interval& range = *input.scope.range;
  std::map<NameId, StepTime> steps;
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r) {
    const std::vector<trace::Step>& own = profile.ranks[r]->steps;
    std::vector<Interval> gpu;
    if (std::ranges::binary_search(ranks, r))
      gpu = steps_of_rank(profile, r, 0, static_cast<std::uint32_t>(own.size()), input.cancel).gpu_steps;
    for (std::size_t s = 0; s < own.size(); ++s) {
      StepTime& step = steps[own[s].name];
      step.recorded = cover(step.recorded, own[s].time);
      if (s < gpu.size()) step.common = cover(step.common, on_common(r, gpu[s].empty() ? own[s].time : gpu[s]));
    }
  }
  const auto first =
      std::ranges::find_if(steps, [&](const auto& step) { return step.second.recorded.begin == range.begin; });
  const auto last =
      std::ranges::find_if(steps, [&](const auto& step) { return step.second.recorded.end == range.end; });
  if (first == steps.end() || last == steps.end()) return range;
  const Interval window{first->second.common.begin, last->second.common.end};
  return window.empty() ? range : window;
}

/// Splits host segments by what the host does, with the labels of idle time (causes/idle_gaps.hpp).
class HostSplitter {
 public:
  HostSplitter(const AnalysisInput& input, const JobRuns& runs, const std::vector<JobPathSegment>& segments)
      : input_(input), runs_(runs), works_(input.profile) {
    for (const JobPathSegment& segment : segments)
      if (segment.what == TimeLabel::host) {
        Interval& range = ranges_.try_emplace(segment.rank, kEmptySpan).first->second;
        range = cover(
            range, {runs_.recorded(segment.rank, segment.time.begin), runs_.recorded(segment.rank, segment.time.end)});
      }
  }

  /// Appends the parts of a segment.
  void split(const JobPathSegment& whole, std::vector<JobPathSegment>& to) {
    const trace::Rank& rank = *input_.profile.ranks[whole.rank];
    Ns late = 0;  // what the host lost by waiting for the GPU
    chain_of(whole.rank).for_each(whole.recorded, [&](const HostPiece& piece) {
      const TimeLabel label = label_of(piece.work, whole.time.length());
      if (piece.work == HostWork::wait) late = saturating_add(late, rank.duration(piece.call));
      const bool ordinary = label == TimeLabel::launch || label == TimeLabel::host;
      const Ns lost = ordinary ? std::min(late, piece.time.length()) : 0;
      if (lost > 0) add(whole, TimeLabel::sync, {piece.time.begin, piece.time.begin + lost}, piece.call, to);
      if (lost < piece.time.length()) add(whole, label, {piece.time.begin + lost, piece.time.end}, piece.call, to);
      late -= lost;
    });
    finish(whole, to);
  }

 private:
  const HostChain& chain_of(std::uint32_t rank) {
    auto& chain = chains_[rank];
    if (!chain)
      chain =
          std::make_unique<HostChain>(input_.profile, rank, GpuRows::Rows{}, works_, input_.cancel, ranges_.at(rank));
    return *chain;
  }

  void add(const JobPathSegment& whole, TimeLabel label, Interval time, trace::SliceOrdinal call,
           std::vector<JobPathSegment>& to) {
    if (!open_ || open_->what != label) {
      finish(whole, to);
      open_ = whole;
      open_->what = label;
      open_->recorded = time;
    }
    open_->recorded.end = time.end;
    const trace::Rank& rank = *input_.profile.ranks[whole.rank];
    const bool known = call != HostPiece::kNoCall;
    Named& named = names_[known ? rank.name(call) : NameId{0}];
    named.time += time.length();
    if (!known) return;
    if (!open_->from) open_->from = call;
    open_->to = call;
    if (time.length() > named.longest) {
      named.longest = time.length();
      named.call = call;
    }
  }

  void finish(const JobPathSegment& whole, std::vector<JobPathSegment>& to) {
    if (!open_) return;
    JobPathSegment& part = *open_;
    const trace::Rank& rank = *input_.profile.ranks[whole.rank];
    part.time = {
        part.recorded.begin == whole.recorded.begin ? whole.time.begin : runs_.common(whole.rank, part.recorded.begin),
        part.recorded.end == whole.recorded.end ? whole.time.end : runs_.common(whole.rank, part.recorded.end)};
    // Break ties by name, because name ids differ between loads.
    const auto most = std::ranges::max_element(names_, [&](const auto& a, const auto& b) {
      return std::tuple(a.second.time, input_.profile.names().view(b.first)) <
             std::tuple(b.second.time, input_.profile.names().view(a.first));
    });
    part.name = most->first;
    part.slice = most->second.call ? most->second.call : part.from;
    if (part.slice) part.thread = rank.track_of_lane(rank.locate(*part.slice).lane);
    to.push_back(std::move(part));
    open_.reset();
    names_.clear();
  }

  struct Named {
    Ns time = 0;
    Ns longest = 0;
    std::optional<trace::SliceOrdinal> call;
  };

  const AnalysisInput& input_;
  const JobRuns& runs_;
  HostWorkNames works_;
  std::map<std::uint32_t, Interval> ranges_;                    // by rank: of its host segments
  std::map<std::uint32_t, std::unique_ptr<HostChain>> chains_;  // by rank
  std::optional<JobPathSegment> open_;
  std::map<NameId, Named> names_;  // of the open part
};

class PathWriter {
 public:
  /// `waits`: of the whole job, if the rank that arrived last may be outside the scope; otherwise null.
  PathWriter(const AnalysisInput& input, const RunForest& forest, Interval window, const CollectiveWaits* waits)
      : input_(input), forest_(forest), window_(window), waits_(waits) {}

  /// Adds a part; the last part comes first.
  void add(PathPart part) {
    if (waits_ != nullptr && part.what == TimeLabel::transfer && part.run != kNoIndex) {
      const RankRun& run = forest_.runs().of(part.rank).runs()[part.run];
      const Interval wait = waits_->wait_of(part.rank, run.slice, run.time);
      const Ns arrived = wait.empty() ? part.from : forest_.runs().common(part.rank, wait.end);
      if (arrived > part.from) {
        PathPart transfer = part;
        transfer.from = std::min(arrived, part.to);
        add_part(transfer);
        part.to = transfer.from;
        part.what = TimeLabel::waiting;
      }
    }
    add_part(part);
  }

  [[nodiscard]] std::vector<JobPathSegment> finish() {
    std::ranges::reverse(segments_);
    std::vector<JobPathSegment> all;
    HostSplitter splitter(input_, forest_.runs(), segments_);
    for (JobPathSegment& segment : segments_) {
      segment.recorded = {forest_.runs().recorded(segment.rank, segment.time.begin),
                          forest_.runs().recorded(segment.rank, segment.time.end)};
      if (segment.what == TimeLabel::host)
        splitter.split(segment, all);
      else
        all.push_back(std::move(segment));
    }
    return all;
  }

 private:
  void add_part(const PathPart& part) {
    // If clocks disagree, parts overlap. Each moment counts once, toward the later part.
    const Ns to = started_ ? at_ : part.to;
    const Ns from = std::min(part.from, to);
    started_ = true;
    at_ = from;
    const Interval time{std::max(from, window_.begin), std::min(to, window_.end)};
    if (time.begin >= time.end) return;
    if (part.what == TimeLabel::host && !segments_.empty()) {
      JobPathSegment& later = segments_.back();
      if (later.what == TimeLabel::host && later.rank == part.rank && later.thread == part.thread &&
          later.time.begin == time.end) {
        later.time.begin = time.begin;
        return;
      }
    }
    segments_.push_back(segment_of(part, time));
  }

  [[nodiscard]] JobPathSegment segment_of(const PathPart& part, Interval time) const {
    JobPathSegment segment{.what = part.what, .rank = part.rank, .time = time, .name = part.name};
    segment.collective = part.collective;
    segment.thread = part.thread;
    if (part.run == kNoIndex) return segment;
    const RankRun& run = forest_.runs().of(part.rank).runs()[part.run];
    segment.name = run.name;
    segment.slice = segment.from = segment.to = run.slice;
    if (is_delay(part.what)) {
      if (part.other != kNoIndex)
        segment.from = forest_.runs().of(part.rank).runs()[part.other].slice;
      else if (const trace::Connection* launch = input_.profile.ranks[part.rank]->launches.cause_of(run.slice))
        segment.from = launch->from;
    }
    if (part.left != kNoIndex && part.left != part.rank)
      segment.met = trace::SliceRef{part.left, forest_.runs().of(part.left).runs()[part.other].slice};
    return segment;
  }

  const AnalysisInput& input_;
  const RunForest& forest_;
  Interval window_;
  const CollectiveWaits* waits_;
  std::vector<JobPathSegment> segments_;  // from last to first
  Ns at_ = 0;
  bool started_ = false;
};

}  // namespace

JobPath::Sums JobPath::sums() const {
  Sums sums;
  for (const JobPathSegment& segment : segments)
    sums[segment.rank][static_cast<std::size_t>(segment.what)] += segment.time.length();
  return sums;
}

std::size_t JobPath::changes_of_rank() const {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < segments.size(); ++i) changes += segments[i].rank != segments[i - 1].rank;
  return changes;
}

JobPath find_job_path(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const auto comparison = compare_ranks(input);
  const ClockChoice choice = clock_choice(input.values);
  const RunForest forest(JobRuns(input, *comparison, choice, HostRule::process));
  JobPath path;
  if (cancelled(input.cancel)) return path;
  ComparableRanks comparable = comparable_ranks(profile, *comparison, forest, choice);
  path.ranks = comparable.ranks.size();
  path.reason = std::move(comparable.reason);
  path.left_out = std::move(comparable.left_out);
  path.matching = comparison->match_note();
  if (!path.reason.empty()) return path;
  if (comparison->matches().compared.size() > 1)
    path.clocks = comparison->clock_note(choice == ClockChoice::durations ? ClockChoice::aligned : choice);

  Ns end = std::numeric_limits<Ns>::min();
  std::uint32_t rank = 0;
  std::uint32_t last = 0;
  for (const std::uint32_t r : comparable.ranks) {
    const std::vector<RankRun>& runs = forest.runs().of(r).runs();
    for (std::uint32_t i = 0; i < runs.size(); ++i)
      if (const Ns ended = forest.runs().common(r, runs[i].time.end); ended > end) {
        end = ended;
        rank = r;
        last = i;
      }
  }
  constexpr Interval kAll{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};
  std::optional<CollectiveWaits> waits;
  if (ranks_in(profile, input.scope).size() < profile.ranks.size()) waits = waits_in_job(input);
  PathWriter writer(input, forest, input.scope.whole() ? kAll : window_of(input, forest), waits ? &*waits : nullptr);
  forest.walk_back(rank, last, [&](const PathPart& part) { writer.add(part); });
  path.segments = writer.finish();
  if (path.segments.empty())
    path.reason = "The job's critical path does not pass through this range.";
  else
    path.span = {path.segments.front().time.begin, path.segments.back().time.end};
  return path;
}

std::string conclusion(const trace::Profile& profile, const JobPath& path) {
  constexpr std::size_t kMostRanks = 3;
  constexpr double kLeastShare = 0.05;  // minimum share of a rank named in the sentence
  constexpr double kLeastShown = 0.0005;
  const Ns whole = path.span.length();
  if (path.segments.empty() || whole <= 0) return path.reason;
  const auto share = [&](Ns time) { return static_cast<double>(time) / static_cast<double>(whole); };
  struct RankTime {
    std::uint32_t rank = 0;
    Ns time = 0;
    TimeLabel most = TimeLabel::computation;
    Ns of_most = 0;
  };
  std::vector<RankTime> ranks;
  Ns transfers = 0;
  for (const auto& [rank, kinds] : path.sums()) {
    RankTime& own = ranks.emplace_back(RankTime{.rank = rank});
    for (std::size_t k = 0; k < kTimeLabels; ++k) {
      const auto what = static_cast<TimeLabel>(k);
      if (what == TimeLabel::transfer) transfers += kinds[k];
      own.time += kinds[k];
      if (kinds[k] > own.of_most) {
        own.of_most = kinds[k];
        own.most = what;
      }
    }
  }
  std::ranges::stable_sort(ranks, std::greater(), &RankTime::time);
  std::string text = fmt::format("The path takes {}:", format_duration(whole));
  std::size_t named = 0;
  for (const RankTime& each : ranks) {
    if (named > 0 && (named == kMostRanks || share(each.time) < kLeastShare)) break;
    text += fmt::format("{} {} on rank {} ({} {})", named == 0 ? "" : ",", format_share(share(each.time)),
                        profile.ranks[each.rank]->number, words_of(each.most).words, format_share(share(each.of_most)));
    ++named;
  }
  if (named < ranks.size()) {
    Ns rest = 0;
    for (std::size_t i = named; i < ranks.size(); ++i) rest += ranks[i].time;
    if (share(rest) >= kLeastShare)
      text += fmt::format(" and {} on {}", format_share(share(rest)),
                          counted(ranks.size() - named, "other rank", "other ranks"));
  }
  if (share(transfers) >= kLeastShown && path.ranks > 1)
    text += fmt::format("; {} is communication", format_share(share(transfers)));
  return text + ".";
}

}  // namespace warpscope::analysis
