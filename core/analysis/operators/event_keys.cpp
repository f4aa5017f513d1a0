#include "core/analysis/operators/event_keys.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/operators/python_stacks.hpp"
#include "core/analysis/request/event_numbers.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::string_view kModule = "nn.Module: ";
constexpr std::array<std::string_view, 2> kShapeRows{"args.Input Dims", "args.Input dims"};
constexpr std::array<std::string_view, 1> kStackRows{"args.Call stack"};
constexpr std::array<std::string_view, 1> kModuleRows{"args.Module Hierarchy"};

/// PyTorch omits its own frames that contain both strings of a pair.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOwnFrames{
    {{"autograd/__init__", "_make_grads"},
     {"autograd/__init__", "backward"},
     {"torch/tensor", "backward"},
     {"_internal/common_utils", "prof_callable"},
     {"_internal/common_utils", "prof_func_call"},
     {"_internal/common_utils", "prof_meth_call"}}};

bool is_listed_frame(std::string_view frame) {
  return std::ranges::none_of(kOwnFrames, [&](const auto& parts) {
    return frame.find(parts.first) != frame.npos && frame.find(parts.second) != frame.npos;
  });
}

/// Reads the arguments of the events selected by `wanted` and calls take(index, event) for each.
template <class Wanted, class Take>
Failure read_arguments(const AnalysisInput& input, const trace::Rank& rank, const std::vector<HostEvent>& events,
                       std::span<const std::string_view> paths, Wanted wanted, Take take) {
  std::vector<trace::SliceOrdinal> slices;
  std::vector<std::uint32_t> index(rank.lane_start.empty() ? 0 : rank.lane_start.back());  // by slice
  for (std::uint32_t e = 0; e < events.size(); ++e)
    if (wanted(events[e])) {
      slices.push_back(events[e].slice);
      index[events[e].slice] = e;
    }
  return read_events(input, rank, slices, paths,
                     [&](trace::SliceOrdinal slice, const ingest::EventText& event) { take(index[slice], event); });
}

/// Returns the frames from an old trace's argument, innermost first.
std::string first_frames(std::string_view stack, std::size_t depth) {
  std::string text;
  for (std::size_t taken = 0; !stack.empty() && taken < depth;) {
    const std::size_t end = std::min(stack.find(';'), stack.size());
    const std::string_view frame = stack.substr(0, end);
    if (!frame.empty() && is_listed_frame(frame)) {
      if (taken++ > 0) text += ';';
      text += frame;
    }
    stack.remove_prefix(std::min(end + 1, stack.size()));
  }
  return text;
}

}  // namespace

std::uint32_t TextIds::intern(std::string_view text) {
  const auto [entry, fresh] = ids_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (fresh) texts_.push_back(&entry->first);
  return entry->second;
}

std::string_view module_of_frame(std::string_view frame) {
  return frame.starts_with(kModule) ? frame.substr(kModule.size()) : std::string_view();
}

Result<std::vector<std::uint32_t>> shapes_of(const AnalysisInput& input, std::uint32_t rank,
                                             const std::vector<HostEvent>& events, TextIds& texts, bool& recorded) {
  std::vector<std::uint32_t> ids(events.size(), texts.intern("[]"));
  const auto take = [&](std::uint32_t e, const ingest::EventText& event) {
    if (event.rows.empty()) return;
    recorded = true;
    ids[e] = texts.intern(event.rows.front().value);
  };
  const auto has_inputs = [](const HostEvent& event) { return event.role != trace::Role::launch; };
  if (auto failure = read_arguments(input, *input.profile.ranks[rank], events, kShapeRows, has_inputs, take))
    return *failure;
  return ids;
}

Result<std::vector<std::uint32_t>> stacks_of(const AnalysisInput& input, std::uint32_t rank,
                                             const std::vector<HostEvent>& events, std::size_t depth, TextIds& texts,
                                             bool& recorded) {
  std::vector<std::uint32_t> ids(events.size(), 0);
  const PythonStacks stacks(input, rank, events, is_listed_frame);
  if (stacks.recorded()) {
    recorded = true;
    std::vector<std::int64_t> text_of(stacks.nodes(), -1);
    for (std::size_t e = 0; e < events.size(); ++e) {
      const std::uint32_t node = stacks.of_events()[e];
      if (text_of[node] < 0) {
        std::string text;
        std::size_t taken = 0;
        for (std::uint32_t at = node; at != PythonStacks::kTop && taken < depth; at = stacks.parent(at)) {
          if (taken++ > 0) text += ';';
          text += input.profile.names().view(stacks.name(at));
        }
        text_of[node] = texts.intern(text);
      }
      ids[e] = static_cast<std::uint32_t>(text_of[node]);
    }
    return ids;
  }
  const auto take = [&](std::uint32_t e, const ingest::EventText& event) {
    if (event.rows.empty()) return;
    recorded = true;
    ids[e] = texts.intern(first_frames(event.rows.front().value, depth));
  };
  const auto is_op = [](const HostEvent& event) { return event.role == trace::Role::op; };
  if (auto failure = read_arguments(input, *input.profile.ranks[rank], events, kStackRows, is_op, take))
    return *failure;
  return ids;
}

Result<std::vector<std::uint32_t>> modules_of(const AnalysisInput& input, std::uint32_t rank,
                                              const std::vector<HostEvent>& events, TextIds& texts, bool& recorded) {
  std::vector<std::uint32_t> ids(events.size(), 0);
  const PythonStacks stacks(input, rank, events,
                            [](std::string_view frame) { return !module_of_frame(frame).empty(); });
  if (stacks.nodes() > 1) {
    recorded = true;
    for (std::size_t e = 0; e < events.size(); ++e)
      if (const std::uint32_t node = stacks.of_events()[e]; node != PythonStacks::kTop)
        ids[e] = texts.intern(module_of_frame(input.profile.names().view(stacks.name(node))));
    return ids;
  }
  const auto take = [&](std::uint32_t e, const ingest::EventText& event) {
    if (event.rows.empty() || event.rows.front().value.empty()) return;
    recorded = true;
    ids[e] = texts.intern(event.rows.front().value);
  };
  const auto is_op = [](const HostEvent& event) { return event.role == trace::Role::op; };
  if (auto failure = read_arguments(input, *input.profile.ranks[rank], events, kModuleRows, is_op, take))
    return *failure;
  return ids;
}

namespace {

constexpr std::string_view kQualifiedName = "module_fqn";
constexpr std::array<std::string_view, 3> kAnnotationRows{"args.module_fqn", "args.name", "args.annotation"};

/// Returns the module in a list of annotations, [{"name": "mlp"}, {"module_fqn": "layers.0.mlp"}].
std::string module_in_list(const std::string& list) {
  simdjson::dom::parser parser;
  simdjson::dom::array annotations;
  if (parser.parse(list).get(annotations) != simdjson::SUCCESS) return {};
  std::string found;
  for (const simdjson::dom::element annotation : annotations) {
    std::string_view text;
    if (annotation[kQualifiedName].get(text) == simdjson::SUCCESS) return std::string(text);
    if (annotation["name"].get(text) == simdjson::SUCCESS) found = text;
  }
  return found;
}

std::string module_of_event(const ingest::EventText& event) {
  for (const std::string_view path : {kAnnotationRows[0], kAnnotationRows[1]})
    if (const std::string* text = event.find(path); text != nullptr && !text->empty()) return *text;
  const std::string* const list = event.find(kAnnotationRows[2]);
  return list == nullptr ? std::string() : module_in_list(*list);
}

}  // namespace

Result<GraphModules> graph_modules_of(const AnalysisInput& input, std::uint32_t r, const GpuRows::Rows& rows) {
  GraphModules modules;
  const trace::Rank& rank = *input.profile.ranks[r];
  std::vector<trace::SliceOrdinal> slices;
  for (const GpuRow& row : rows)
    if (row.launch && is_graph_launch(input.profile.names().view(rank.name(*row.launch)))) slices.push_back(row.slice);
  if (slices.empty()) return modules;
  const auto take = [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
    if (std::string module = module_of_event(event); !module.empty()) modules.emplace(slice, std::move(module));
  };
  if (auto failure = read_events(input, rank, slices, kAnnotationRows, take)) return *failure;
  return modules;
}

}  // namespace warpscope::analysis
