#include "core/rules/sagemaker/loader_workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/format.hpp"

namespace warpscope::rules {

namespace {

constexpr Ns kSecond = 1'000'000'000;
constexpr std::size_t kLoadingSeconds = 10;  // seconds, as AWS

bool is_of_workers(std::string_view track) {
  return track.starts_with("DataLoaderWorker") ||
         (track.starts_with("DataLoaderIter") && !track.starts_with("DataLoaderIterInitialize"));
}

using Process = std::pair<std::uint32_t, std::uint32_t>;  // rank and track

/// Processes that load in each second, by node.
using Seconds = std::map<Ns, std::set<Process>>;

void add_workers(const trace::Rank& rank, std::uint32_t index, Seconds& seconds) {
  for (std::uint32_t lane = 0; lane < rank.lanes.size(); ++lane) {
    const std::uint32_t track = rank.track_of_lane(lane);
    if (!is_of_workers(rank.tracks[track].label)) continue;
    for (trace::SliceOrdinal slice = rank.lane_start[lane]; slice < rank.lane_start[lane + 1]; ++slice)
      seconds[rank.begin(slice) / kSecond].insert({index, track});
  }
}

std::size_t cores_of(const trace::Profile& profile, const trace::Node& node) {
  return node.metrics == trace::Node::kNone ? 0
                                            : profile.metrics[node.metrics]->of(trace::Metric::cpu_utilisation).size();
}

double median_workers(const Seconds& seconds) {
  std::vector<std::size_t> counts;
  for (const auto& [second, processes] : seconds) counts.push_back(processes.size());
  std::ranges::sort(counts);
  const std::size_t middle = counts.size() / 2;
  if (counts.size() % 2 == 1) return static_cast<double>(counts[middle]);
  return static_cast<double>(counts[middle - 1] + counts[middle]) / 2;
}

}  // namespace

std::vector<LoaderWorkers> loader_workers(Facts& facts) {
  const trace::Profile& profile = facts.profile();
  std::map<std::uint32_t, Seconds> by_node;
  for (const std::uint32_t rank : facts.all_rows().ranks())
    add_workers(*profile.ranks[rank], rank, by_node[profile.node_of_rank[rank]]);
  std::vector<LoaderWorkers> all;
  for (const auto& [node, seconds] : by_node) {
    if (seconds.empty()) continue;
    all.push_back({profile.nodes[node].label,
                   seconds.begin()->second.begin()->first,
                   {std::max(profile.span.begin, seconds.begin()->first * kSecond),
                    std::min(profile.span.end, (seconds.rbegin()->first + 1) * kSecond)},
                   seconds.size(),
                   median_workers(seconds),
                   cores_of(profile, profile.nodes[node])});
  }
  return all;
}

std::optional<Outcome> judge_workers(const RuleInput& input) {
  const auto all = loader_workers(input.facts);
  if (all.empty()) return std::nullopt;
  const double few = input.values.real("min_threshold") / 100;
  const double many = input.values.real("max_threshold") / 100;
  Outcome outcome{Verdict::no_issues, {}, {}, AwsCounts()};
  bool judged = false;
  std::string why;
  for (const LoaderWorkers& workers : all) {
    outcome.aws->datapoints += static_cast<std::int64_t>(workers.seconds);
    if (workers.cores == 0 || workers.seconds <= kLoadingSeconds) continue;
    judged = true;
    const auto cores = static_cast<double>(workers.cores);
    const std::string words =
        fmt::format("{}: a median of {:g} loading processes on {} cores.", workers.node, workers.median, workers.cores);
    why += (why.empty() ? "" : " ") + words;
    if (workers.median >= few * cores && workers.median <= many * cores) continue;
    outcome.verdict = Verdict::issues_found;
    ++outcome.aws->triggered;
    outcome.findings.push_back({words,
                                workers.median < few * cores
                                    ? "Raise num_workers of the DataLoader until loading no longer delays steps."
                                    : "Lower num_workers of the DataLoader: the processes compete for the cores.",
                                0,
                                0,
                                false,
                                {{"loading processes", workers.rank, std::nullopt, workers.time, std::nullopt}}});
  }
  outcome.aws->violations = outcome.aws->triggered;
  outcome.why = why;
  if (judged) return outcome;
  outcome.verdict = Verdict::insufficient_data;
  outcome.why = all.front().cores == 0 ? "The number of cores is not known: there are no system metrics."
                                       : fmt::format("{} seconds with loading processes, more than {} needed.",
                                                     all.front().seconds, kLoadingSeconds);
  return outcome;
}

}  // namespace warpscope::rules
