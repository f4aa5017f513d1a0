#include "core/rules/sagemaker/loader_workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/base/format.hpp"
#include "core/rules/rule_details.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules {

namespace {

constexpr Ns kSecond = 1'000'000'000;

bool is_of_workers(std::string_view track) {
  return track.starts_with("DataLoaderWorker") ||
         (track.starts_with("DataLoaderIter") && !track.starts_with("DataLoaderIterInitialize"));
}

using Process = std::pair<std::uint32_t, std::uint32_t>;  // rank and track

/// Processes that start to load a batch in each second.
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

std::vector<Detail> loading_details(Facts& facts) {
  std::vector<Detail> details;
  if (const auto all = loader_workers(facts); !all.empty()) {
    Table table("loading-processes", "Data-loading processes by node",
                {{"node", "", ColumnRole::node},
                 {"cores", "", ColumnKind::integer},
                 {"median processes", "", ColumnKind::real},
                 {"seconds with loading", "", ColumnKind::integer}});
    for (const LoaderWorkers& workers : all)
      table.add_row({workers.node, workers.cores > 0 ? Cell(workers.cores) : Cell(), workers.median, workers.seconds});
    table.note = "Median over the seconds in which a process starts loading a batch.";
    details.push_back({std::move(table), {.table = {}, .kind = analysis::ChartKind::none}});
  }
  std::vector<Ns> waits;
  std::vector<Ns> loads;
  for (const std::uint32_t r : facts.all_rows().ranks()) {
    for (const NamedCall& call : facts.host(r).of(analysis::HostWork::data_loader)) waits.push_back(call.time.length());
    const trace::Rank& rank = *facts.profile().ranks[r];
    for (std::uint32_t lane = 0; lane < rank.lanes.size(); ++lane) {
      if (!is_of_workers(rank.tracks[rank.track_of_lane(lane)].label)) continue;
      for (trace::SliceOrdinal slice = rank.lane_start[lane]; slice < rank.lane_start[lane + 1]; ++slice)
        loads.push_back(rank.duration(slice));
    }
  }
  const auto add = [&](std::vector<Detail> more) { std::ranges::move(more, std::back_inserter(details)); };
  add(distribution_details("loading-time", "Time to load a batch", loads));
  add(distribution_details("loader-wait", "Time in the data loader, by call", waits));
  return details;
}

std::optional<Outcome> judge_workers(const RuleInput& input) {
  const auto all = loader_workers(input.facts);
  if (all.empty()) return std::nullopt;
  const double few = input.values.real("min_threshold") / 100;
  const double many = input.values.real("max_threshold") / 100;
  const auto patience = static_cast<std::size_t>(input.values.integer(kPatience));
  Outcome outcome{Verdict::no_issues, {}, {}, AwsCounts()};
  std::size_t judged = 0;
  std::vector<const LoaderWorkers*> too_few;
  std::vector<const LoaderWorkers*> too_many;
  std::string why;
  for (const LoaderWorkers& workers : all) {
    outcome.aws->datapoints += static_cast<std::int64_t>(workers.seconds);
    if (workers.cores == 0 || workers.seconds <= patience) continue;
    ++judged;
    const auto cores = static_cast<double>(workers.cores);
    why += fmt::format("{}{}: a median of {:g} data-loading processes on {} cores.", why.empty() ? "" : " ",
                       workers.node, workers.median, workers.cores);
    if (workers.median < few * cores) too_few.push_back(&workers);
    if (workers.median > many * cores) too_many.push_back(&workers);
  }
  const auto add = [&](const std::vector<const LoaderWorkers*>& nodes, std::string_view what, std::string_view advice) {
    if (nodes.empty()) return;
    outcome.verdict = Verdict::issues_found;
    outcome.aws->triggered += static_cast<std::int64_t>(nodes.size());
    const LoaderWorkers& first = *nodes.front();
    Finding finding;
    finding.headline =
        all.size() == 1
            ? fmt::format("{} has too {} data-loading processes: a median of {:g} for {} cores.", first.node, what,
                          first.median, first.cores)
            : fmt::format("{} of {} nodes have too {} data-loading processes: on {}, a median of {:g} for {} cores.",
                          nodes.size(), all.size(), what, first.node, first.median, first.cores);
    finding.advice = advice;
    for (const LoaderWorkers* node : nodes)
      finding.places.push_back({fmt::format("{}: {:g} data-loading processes", node->node, node->median), node->rank,
                                std::nullopt, node->time, std::nullopt});
    outcome.findings.push_back(std::move(finding));
  };
  add(too_few, "few", "Increase the DataLoader's num_workers until data loading no longer delays steps.");
  add(too_many, "many", "Reduce the DataLoader's num_workers: its processes are competing for CPU cores.");
  outcome.aws->violations = outcome.aws->triggered;
  outcome.why = why;
  if (judged > 0) return outcome;
  outcome.verdict = Verdict::insufficient_data;
  outcome.why = all.front().cores == 0
                    ? "The number of cores is unknown, because there are no system metrics."
                    : fmt::format("Seconds with data-loading processes: {}; more than {} are needed.",
                                  all.front().seconds, patience);
  return outcome;
}

}  // namespace warpscope::rules
