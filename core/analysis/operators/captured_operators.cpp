#include "core/analysis/operators/captured_operators.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "core/analysis/operators/event_keys.hpp"
#include "core/analysis/request/event_numbers.hpp"
#include "core/base/format.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::array<std::string_view, 2> kNodeRows{"args.graph id", "args.graph node id"};

bool has_part(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

/// True for calls that add a node with GPU activity to the graph being captured.
bool adds_node(std::string_view name) {
  return has_part(name, "LaunchKernel") || has_part(name, "LaunchCooperativeKernel") ||
         (has_part(name, "Async") && (has_part(name, "Memcpy") || has_part(name, "Memset")));
}

/// Returns the innermost operator around an event.
std::uint32_t operator_around(const std::vector<HostEvent>& events, std::uint32_t e) {
  while (e != HostEvent::kNone && events[e].role != trace::Role::op) e = events[e].parent;
  return e;
}

/// Returns the launches of each capture, as indices of events.
std::vector<std::vector<std::uint32_t>> captured_launches(const trace::Profile& profile, const trace::Rank& rank,
                                                          const std::vector<HostEvent>& events) {
  std::vector<std::vector<std::uint32_t>> captures;
  std::optional<std::uint32_t> thread;  // of the open capture
  for (std::uint32_t e = 0; e < events.size(); ++e) {
    if (events[e].role != trace::Role::launch) continue;
    const std::string_view name = profile.names().view(events[e].name);
    const std::uint32_t track = rank.track_of_lane(rank.locate(events[e].slice).lane);
    if (has_part(name, "StreamBeginCapture")) {
      captures.emplace_back();
      thread = track;
    } else if (has_part(name, "StreamEndCapture")) {
      thread = std::nullopt;
    } else if (thread == track && adds_node(name) && rank.launches.caused_by(events[e].slice).empty()) {
      captures.back().push_back(e);
    }
  }
  return captures;
}

}  // namespace

CapturedOperators::CapturedOperators(const AnalysisInput& input) : input_(input) {
  const StringTable& names = input.profile.names();
  bool any = false;
  for (NameId id = 0; id < names.size() && !any; ++id) any = has_part(names.view(id), "StreamBeginCapture");
  for (std::uint32_t r = 0; any && r < input.profile.ranks.size(); ++r) add_captures(r);
}

/// Captures whose arguments cannot be read are joined without shapes.
void CapturedOperators::add_captures(std::uint32_t r) {
  const trace::Rank& rank = *input_.profile.ranks[r];
  AnalysisInput whole = input_;
  whole.scope = {};
  const HostEvents host(whole, r, {}, {});
  const std::vector<HostEvent>& events = host.events();
  const std::vector<std::vector<std::uint32_t>> captures = captured_launches(input_.profile, rank, events);
  std::vector<HostEvent> operators;  // of all launches, if known
  std::vector<trace::SliceOrdinal> calls;
  for (const std::vector<std::uint32_t>& launches : captures)
    for (const std::uint32_t e : launches) {
      const std::uint32_t op = operator_around(events, e);
      operators.push_back(op == HostEvent::kNone ? events[e] : events[op]);
      calls.push_back(events[e].slice);
    }
  if (calls.empty()) return;
  TextIds texts;
  bool recorded = false;
  std::vector<HostEvent> asked = operators;  // one each, because the same operator may launch several kernels
  std::ranges::sort(asked, {}, &HostEvent::slice);
  const auto repeated = std::ranges::unique(asked, {}, &HostEvent::slice);
  asked.erase(repeated.begin(), repeated.end());
  const auto shapes = shapes_of(whole, r, asked, texts, recorded);
  std::map<trace::SliceOrdinal, NodeId> ids;
  const auto take = [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
    const NodeId id{whole_number_of(event, kNodeRows[0]), whole_number_of(event, kNodeRows[1])};
    if (id.second >= 0) ids.emplace(slice, id);
  };
  (void)read_events(whole, rank, calls, kNodeRows, take);
  std::size_t launch = 0;
  for (const std::vector<std::uint32_t>& launches : captures) {
    Capture capture;
    for (std::size_t i = 0; i < launches.size(); ++i, ++launch) {
      CapturedOperator& op = capture.emplace_back();
      const HostEvent& event = operators[launch];
      if (event.role == trace::Role::op) op.name = listed_name(input_.profile.names().view(event.name));
      const auto at = std::ranges::lower_bound(asked, event.slice, {}, &HostEvent::slice);
      if (recorded && shapes && event.role == trace::Role::op)
        op.shapes = texts.view((*shapes)[static_cast<std::size_t>(at - asked.begin())]);
      if (const auto id = ids.find(calls[launch]); id != ids.end()) by_id_[id->second] = {op.name, op.shapes, false};
    }
    if (!capture.empty()) captures_.emplace(capture.size(), std::move(capture));
  }
}

Result<CapturedOperators::Found> CapturedOperators::of(std::uint32_t r, const GpuRows::Rows& rows) {
  Found found;
  if (captures_.empty()) return found;
  const trace::Rank& rank = *input_.profile.ranks[r];
  struct Node {
    const GpuRow* row;
    NodeId id{-1, -1};
  };
  std::vector<Node> nodes;
  std::vector<trace::SliceOrdinal> slices;
  for (const GpuRow& row : rows) {
    if (!row.launch || !is_graph_launch(input_.profile.names().view(rank.name(*row.launch)))) continue;
    nodes.push_back({&row});
    slices.push_back(row.slice);
  }
  std::ranges::sort(nodes, {}, [](const Node& node) { return node.row->slice; });
  const auto take = [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
    const auto node = std::ranges::lower_bound(nodes, slice, {}, [](const Node& each) { return each.row->slice; });
    node->id = {whole_number_of(event, kNodeRows[0]), whole_number_of(event, kNodeRows[1])};
  };
  if (auto failure = read_events(input_, rank, slices, kNodeRows, take)) return *failure;
  // Nodes are numbered in the order of the capture. Without numbers, most graphs run in that order too.
  std::ranges::sort(nodes, {}, [](const Node& node) {
    return std::tuple(*node.row->launch, node.id.second, node.row->time.begin, node.row->slice);
  });
  for (std::size_t from = 0; from < nodes.size();) {
    std::size_t to = from;
    while (to < nodes.size() && nodes[to].row->launch == nodes[from].row->launch) ++to;
    const auto [first, last] = captures_.equal_range(to - from);
    if (first == last && by_id_.empty()) unmatched_.insert(to - from);
    for (std::size_t n = from; n < to; ++n) {
      CapturedOperator op;
      if (const auto known = by_id_.find(nodes[n].id); known != by_id_.end()) {
        op = known->second;
      } else if (first != last) {
        op = first->second[n - from];
        for (auto other = first; other != last; ++other) {
          const CapturedOperator& same = other->second[n - from];
          if (same.name != op.name) op.name.clear();
          if (same.shapes == op.shapes) continue;
          shapes_differ_ = true;
          op.shapes.clear();
        }
      }
      if (op.name.empty()) continue;
      ++joined_;
      inferred_ += op.inferred ? 1 : 0;
      found.emplace(nodes[n].row->slice, std::move(op));
    }
    from = to;
  }
  return found;
}

std::string CapturedOperators::note() const {
  if (joined_ == 0 && unmatched_.empty()) return {};
  if (joined_ == 0) {
    std::set<std::size_t> launches;
    for (const auto& [size, capture] : captures_) launches.insert(size);
    return fmt::format(
        "Operators of CUDA graphs are unknown: the recorded captures have {} launches, the graphs {} nodes.",
        fmt::join(launches, ", "), fmt::join(unmatched_, ", "));
  }
  const auto count = [](std::uint64_t number) { return format_count(static_cast<std::int64_t>(number)); };
  std::string text =
      fmt::format("Operators of {} kernels in CUDA graphs are from the capture of the graphs", count(joined_));
  if (shapes_differ_) text += "; captures that fit differ in shapes";
  if (inferred_ > 0) text += fmt::format("; {} are inferred from the order of launches", count(inferred_));
  return text + ".";
}

}  // namespace warpscope::analysis
