#include "tests/tracegen/truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warpscope::tracegen {
namespace {

void print_counts(std::back_insert_iterator<std::string> out, const RankTruth& truth) {
  fmt::format_to(
      out,
      R"("events": {}, "slices": {}, "kernels": {}, "copies": {}, "sets": {}, "moved": {}, )"
      R"("runs": {}, "calls": {}, "launches": {}, "connections": {}, "fwdbwd": {}, "steps": {}, "streams": {}, "flagged": {}, )"
      R"("overlaps": {}, "samples": {}, "busy_ns": {}, "begin_ns": {}, "end_ns": {}, "exact": {}, )"
      R"("slices_by_category": {{)",
      truth.events, truth.slices, truth.kernels, truth.copies, truth.sets, truth.moved, truth.runs(), truth.calls,
      truth.launches, truth.connections, truth.fwdbwd, truth.steps, truth.streams, truth.flagged, truth.overlaps,
      truth.samples, truth.busy_ns, truth.begin_ns, truth.end_ns, truth.exact);
  const char* comma = "";
  for (const auto& [category, count] : truth.slices_by_category) {
    fmt::format_to(out, R"({}"{}": {})", comma, category, count);
    comma = ", ";
  }
  fmt::format_to(out, "}}");
}

}  // namespace

RankTruth Truth::total() const {
  RankTruth sum;
  for (const RankTruth& rank : ranks) {
    sum.exact = sum.exact && rank.exact;
    sum.events += rank.events;
    sum.slices += rank.slices;
    for (const auto& [category, count] : rank.slices_by_category) sum.slices_by_category[category] += count;
    sum.kernels += rank.kernels;
    sum.copies += rank.copies;
    sum.sets += rank.sets;
    sum.moved += rank.moved;
    sum.calls += rank.calls;
    sum.launches += rank.launches;
    sum.connections += rank.connections;
    sum.fwdbwd += rank.fwdbwd;
    sum.steps = std::max(sum.steps, rank.steps);
    sum.streams += rank.streams;
    sum.flagged += rank.flagged;
    sum.overlaps += rank.overlaps;
    sum.samples += rank.samples;
    sum.busy_ns += rank.busy_ns;
    sum.begin_ns = &rank == ranks.data() ? rank.begin_ns : std::min(sum.begin_ns, rank.begin_ns);
    sum.end_ns = std::max(sum.end_ns, rank.end_ns);
  }
  return sum;
}

std::string Truth::json() const {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{{\n  \"schema\": 1, \"seed\": {}, \"world\": {}, \"nodes\": {},\n  \"total\": {{", seed, world,
                 nodes);
  print_counts(out, total());
  fmt::format_to(out, "}},\n  \"ranks\": [");
  for (const RankTruth& rank : ranks) {
    fmt::format_to(out, R"({}{}    {{"rank": {}, "node": {}, "device": {}, "pid": {}, "host": "{}", "file": "{}", )",
                   &rank == ranks.data() ? "" : ",", "\n", rank.rank, rank.node, rank.device, rank.pid, rank.host,
                   rank.file);
    print_counts(out, rank);
    fmt::format_to(out, "}}");
  }
  fmt::format_to(out, "\n  ],\n  \"foreign_files\": [");
  for (const std::string& file : foreign_files) {
    fmt::format_to(out, "{}\"{}\"", &file == foreign_files.data() ? "" : ", ", file);
  }
  fmt::format_to(out, "],\n  \"collectives\": [");
  for (const CollectiveTruth& one : collectives) {
    fmt::format_to(out,
                   "{}\n    {{\"collective\": {}, \"step\": {}, \"group\": \"{}\", \"node\": {}, \"last_rank\": {}, "
                   "\"first_begin_ns\": {}, \"last_begin_ns\": {}, \"end_ns\": {}}}",
                   &one == collectives.data() ? "" : ",", one.collective, one.step, to_string(one.group), one.node,
                   one.last_rank, one.first_begin_ns, one.last_begin_ns, one.end_ns);
  }
  fmt::format_to(out, "\n  ],\n  \"metrics\": [");
  for (const MetricsTruth& node : metrics) {
    std::int64_t samples = 0;
    for (const auto& [name, series] : node.series) samples += series.samples;
    fmt::format_to(out, "{}\n    {{\"node\": \"{}\", \"files\": {}, \"series\": {}, \"samples\": {}}}",
                   &node == metrics.data() ? "" : ",", node.node, node.files, node.series.size(), samples);
  }
  fmt::format_to(out, "\n  ]");
  if (!faults.empty()) {
    fmt::format_to(out, ",\n  \"causes\": [");
    for (const Fault& fault : faults) {
      const FaultInfo& kind = all_faults()[static_cast<std::size_t>(fault.kind)];
      fmt::format_to(out,
                     "{}\n    {{\"kind\": \"{}\", \"rank\": {}, \"class\": \"{}\", \"value\": {}, \"step\": {}, "
                     "\"name\": \"{}\"}}",
                     &fault == faults.data() ? "" : ",", kind.name, fault.rank, kind.cause, fault.value,
                     fault.step == Fault::kEveryStep ? std::string("null") : std::to_string(fault.step), fault.name);
    }
    fmt::format_to(out, "\n  ]");
  }
  fmt::format_to(out, "\n}}\n");
  return text;
}

void BusyUnion::add(std::int64_t begin, std::int64_t end) {
  constexpr std::size_t kSlack = 1U << 16U;
  if (end <= begin) return;
  ranges_.push_back({begin, end});
  if (ranges_.size() > 2 * merged_ + kSlack) merge();
}

std::int64_t BusyUnion::total() {
  merge();
  std::int64_t sum = 0;
  for (const Range& range : ranges_) sum += range.end - range.begin;
  return sum;
}

void BusyUnion::merge() {
  std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::vector<Range> merged;
  for (const Range& range : ranges_) {
    if (!merged.empty() && range.begin <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, range.end);
    } else {
      merged.push_back(range);
    }
  }
  ranges_ = std::move(merged);
  merged_ = ranges_.size();
}

}  // namespace warpscope::tracegen
