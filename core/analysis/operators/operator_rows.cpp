#include "core/analysis/operators/operator_rows.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/analysis/operators/event_keys.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/tensor_cores.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::analysis {

namespace {

/// First occurrence of a row, in PyTorch's order of events.
struct FirstSeen {
  std::uint32_t rank = 0;
  Interval time;
  std::uint64_t event = 0;  ///< position in the file
};

bool is_before(const FirstSeen& a, const FirstSeen& b) {
  if (a.rank != b.rank) return a.rank < b.rank;
  if (a.time.begin != b.time.begin) return a.time.begin < b.time.begin;
  if (a.time.end != b.time.end) return a.time.end > b.time.end;
  return a.event < b.event;
}

class RowBuilder {
 public:
  RowBuilder(const AnalysisInput& input, const Grouping& grouping)
      : input_(input), grouping_(grouping), tensor_(input.profile.names().size(), -1) {
    found_.recorded = grouping.by == Grouping::By::name;
    // All steps are one row, on all ranks.
    for (NameId id = 0; id < input.profile.names().size() && !steps_; ++id) {
      const std::string_view name = input.profile.names().view(id);
      if (listed_name(name) != name) steps_ = id;
    }
  }

  void add_rank(std::uint32_t r, const GpuRows::Rows& activity) {
    auto read = memory_changes(input_, r);
    if (!read) found_.unread = read.error().message();
    const std::vector<MemoryChange> memory = read ? std::move(*read) : std::vector<MemoryChange>();
    found_.with_memory = found_.with_memory || !memory.empty();
    const HostEvents host(input_, r, activity, memory);
    const auto keys = keys_of(r, host.events());
    if (!keys) found_.unread = keys.error().message();
    const bool keyed = keys && !keys->empty();
    last_step_end_ = std::numeric_limits<Ns>::max();
    if (const auto& steps = input_.profile.ranks[r]->steps; !steps.empty())
      last_step_end_ = std::ranges::max(steps, {}, [](const trace::Step& step) { return step.time.end; }).time.end;
    std::vector<std::uint32_t> row_of(host.events().size());
    for (std::uint32_t e = 0; e < host.events().size(); ++e)
      if (!host.events()[e].merged) row_of[e] = add_event(r, host.events()[e], keyed ? (*keys)[e] : 0);
    const GraphModules graph_modules = graph_modules_in(r, activity);
    for (const OwnedActivity& owned : host.activity()) {
      const auto module = graph_modules.find(owned.row.slice);
      const std::uint32_t key = module == graph_modules.end() ? 0 : found_.texts.intern(module->second);
      OperatorRow& row = add_activity(r, owned.row.name, owned.row.slice, owned.row.time, false, key);
      const bool tensor = uses_tensor_cores(owned.row.name);
      if (tensor) row.tensor_cores += owned.row.time.length();
      if (tensor && owned.owner != HostEvent::kNone)
        found_.rows[row_of[owned.owner]].tensor_cores += owned.row.time.length();
    }
    add_annotations(r);
    for (const MemoryChange& change : host.unclaimed()) add_unclaimed(r, change);
  }

  OperatorRows take() {
    std::vector<std::uint32_t> order(found_.rows.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return is_before(first_[a], first_[b]); });
    std::vector<OperatorRow> sorted;
    sorted.reserve(order.size());
    for (const std::uint32_t i : order) sorted.push_back(found_.rows[i]);
    found_.rows = std::move(sorted);
    for (const OperatorRow& row : found_.rows) {
      if (!row.on_device)
        found_.self_cpu += row.self_cpu;
      else if (!row.annotation)
        found_.self_device += row.self_device;
    }
    return std::move(found_);
  }

 private:
  Result<std::vector<std::uint32_t>> keys_of(std::uint32_t r, const std::vector<HostEvent>& events) {
    switch (grouping_.by) {
      case Grouping::By::shape:
        return shapes_of(input_, r, events, found_.texts, found_.recorded);
      case Grouping::By::stack:
        return stacks_of(input_, r, events, grouping_.depth, found_.texts, found_.recorded);
      case Grouping::By::module:
        return modules_of(input_, r, events, found_.texts, found_.recorded);
      case Grouping::By::name:
        break;
    }
    return std::vector<std::uint32_t>();
  }

  /// Returns the modules of kernels in CUDA graphs, if modules are the key.
  GraphModules graph_modules_in(std::uint32_t r, const GpuRows::Rows& activity) {
    if (grouping_.by != Grouping::By::module) return {};
    auto modules = graph_modules_of(input_, r, activity);
    if (!modules) found_.unread = modules.error().message();
    if (modules && !modules->empty()) found_.recorded = true;
    return modules ? std::move(*modules) : GraphModules();
  }

  /// Returns the index of the row, adding a new row if needed.
  std::uint32_t row_at(std::uint32_t r, NameId name, std::uint32_t key, bool on_device, trace::SliceOrdinal slice,
                       Interval time) {
    const std::uint64_t id = std::uint64_t{key} << 33 | std::uint64_t{name} << 1 | (on_device ? 1 : 0);
    const auto [entry, fresh] = index_.try_emplace(id, static_cast<std::uint32_t>(found_.rows.size()));
    const trace::Rank& rank = *input_.profile.ranks[r];
    const auto seen = [&] {
      const trace::SlicePlace place = rank.locate(slice);
      return FirstSeen{r, time, rank.lanes[place.lane].event(place.index)};
    };
    if (fresh) {
      OperatorRow& row = found_.rows.emplace_back();
      row.name = listed_name(input_.profile.names().view(name));
      row.key = on_device && grouping_.by == Grouping::By::shape ? "[]" : found_.texts.view(key);
      row.on_device = on_device;
      first_.push_back(seen());
    } else if (FirstSeen& first = first_[entry->second];
               first.rank == r && std::pair(time.begin, -time.end) <= std::pair(first.time.begin, -first.time.end)) {
      if (const FirstSeen here = seen(); is_before(here, first)) first = here;
    }
    OperatorRow& row = found_.rows[entry->second];
    ++row.calls;
    return entry->second;
  }

  std::uint32_t add_event(std::uint32_t r, const HostEvent& event, std::uint32_t key) {
    const std::uint32_t index = row_at(r, event.name, key, false, event.slice, event.time);
    OperatorRow& row = found_.rows[index];
    row.annotation = row.annotation || event.role == trace::Role::annotation;
    row.self_cpu += event.self();
    if (event.time.begin >= last_step_end_) row.self_cpu_after_steps += event.self();
    row.cpu_total += event.time.length();
    row.self_device += event.self_device;
    row.device_total += event.device_total;
    row.cpu_memory += event.cpu_memory;
    row.self_cpu_memory += event.cpu_memory - event.children_cpu_memory;
    row.device_memory += event.device_memory;
    row.self_device_memory += event.device_memory - event.children_device_memory;
    return index;
  }

  OperatorRow& add_activity(std::uint32_t r, NameId name, trace::SliceOrdinal slice, Interval time, bool annotation,
                            std::uint32_t key = 0) {
    OperatorRow& row = found_.rows[row_at(r, name, key, true, slice, time)];
    row.annotation = row.annotation || annotation;
    row.self_device += time.length();
    row.device_total += time.length();
    return row;
  }

  void add_annotations(std::uint32_t r) {
    const trace::Rank& rank = *input_.profile.ranks[r];
    const RoleOfCategory roles = roles_of_categories(input_.profile);
    for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
      if (rank.rows_of(l) != trace::LaneKind::gpu_annotation) continue;
      for_each_part(rank.lanes[l], input_.scope.on_gpu(r), [&](std::uint32_t i, Interval time) {
        if (roles[rank.lanes[l].category(i)] != trace::Role::gpu_annotation) return;
        NameId name = rank.lanes[l].name(i);
        const std::string_view text = input_.profile.names().view(name);
        if (listed_name(text) != text) name = steps_.value_or(name);
        add_activity(r, name, rank.lane_start[l] + i, time, true);
      });
    }
  }

  void add_unclaimed(std::uint32_t r, const MemoryChange& change) {
    NameId name = 0;
    if (!input_.profile.names().find("[memory]", name)) return;
    OperatorRow& row = found_.rows[row_at(r, name, grouping_.by == Grouping::By::shape ? found_.texts.intern("[]") : 0,
                                          false, change.slice, {change.time, change.time})];
    std::int64_t& bytes = change.on_device ? row.device_memory : row.cpu_memory;
    std::int64_t& self = change.on_device ? row.self_device_memory : row.self_cpu_memory;
    bytes += change.bytes;
    self += change.bytes;
  }

  bool uses_tensor_cores(NameId name) {
    if (tensor_[name] < 0)
      tensor_[name] = tensor_core_use(input_.profile.names().view(name)) == TensorCoreUse::used ? 1 : 0;
    return tensor_[name] == 1;
  }

  const AnalysisInput& input_;
  Grouping grouping_;
  std::optional<NameId> steps_;  // the first name of a step
  Ns last_step_end_ = 0;         // of the current rank; the maximum without steps
  OperatorRows found_;
  std::vector<FirstSeen> first_;  // by row
  std::unordered_map<std::uint64_t, std::uint32_t> index_;
  std::vector<std::int8_t> tensor_;  // by name: uses Tensor Cores, -1: not looked up
};

}  // namespace

std::optional<Grouping> Grouping::parse(std::string_view text) {
  constexpr std::string_view kStack = "stack";
  if (text == "name") return Grouping{};
  if (text == "shape") return Grouping{By::shape};
  if (text == "module") return Grouping{By::module};
  if (text == kStack) return Grouping{By::stack};
  if (!text.starts_with("stack:")) return std::nullopt;
  const auto depth = parse_number<std::size_t>(text.substr(kStack.size() + 1));
  if (!depth || *depth == 0 || *depth > 1000) return std::nullopt;
  return Grouping{By::stack, *depth};
}

OperatorRows operator_rows(const AnalysisInput& input, const Grouping& grouping) {
  const GpuRows rows(input.profile, input.scope, {}, input.cancel, input.shared);
  RowBuilder builder(input, grouping);
  for (const std::uint32_t r : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    builder.add_rank(r, *rows.of(r));
  }
  return builder.take();
}

}  // namespace warpscope::analysis
