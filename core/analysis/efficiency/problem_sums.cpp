#include "core/analysis/efficiency/problem_sums.hpp"

#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "core/analysis/operators/host_events.hpp"
#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/memory_operation.hpp"
#include "core/analysis/shared/tensor_cores.hpp"
#include "core/ingest/format/event_text.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::uint32_t kNoProblem = HostEvent::kNone;

/// True for a copy between the device and something else.
bool is_transfer(const GpuRow& row, std::string_view name) {
  const MemoryOperation operation = copy_direction(name);
  return row.role == trace::Role::memory_copy && operation != MemoryOperation::device_to_device &&
         operation != MemoryOperation::other_copy;
}

class ProblemCollector {
 public:
  explicit ProblemCollector(const AnalysisInput& input) : input_(input), models_(input.profile.names().size()) {
    for (NameId id = 0; id < models_.size(); ++id) models_[id] = find_model(input.profile.names().view(id));
  }

  void add_rank(std::uint32_t r, const GpuRows::Rows& rows) {
    const trace::Rank& rank = *input_.profile.ranks[r];
    const HostEvents host(input_, r, rows, {});
    const std::vector<HostEvent>& events = host.events();
    const std::vector<std::uint32_t> problem_of = read_problems(rank, events);
    // Parents come first.
    std::vector<std::uint32_t> counted_in(events.size(), kNoProblem);
    for (std::uint32_t e = 0; e < events.size(); ++e) {
      const std::uint32_t parent = events[e].parent;
      if (parent != HostEvent::kNone && counted_in[parent] != kNoProblem &&
          models_[events[counted_in[parent]].name]->whole)
        counted_in[e] = counted_in[parent];
      else if (problem_of[e] != kNoProblem)
        counted_in[e] = e;
    }
    std::vector<bool> seen(events.size());
    for (const OwnedActivity& owned : host.activity()) {
      const Ns length = owned.row.time.length();
      found_.gpu_time = saturating_add(found_.gpu_time, length);
      if (owned.owner == HostEvent::kNone || events[owned.owner].role != trace::Role::op) {
        Ns& sum = owned.row.launch ? found_.no_operator : found_.no_launch;
        sum = saturating_add(sum, length);
        continue;
      }
      const std::uint32_t counted = counted_in[owned.owner];
      if (counted == kNoProblem) {
        Ns& sum = models_[events[owned.owner].name] != nullptr ? found_.not_recorded : found_.no_model;
        sum = saturating_add(sum, length);
        continue;
      }
      // The link to the host limits these, not the device.
      if (problems_[problem_of[counted]].second.kind == ProblemKind::copy &&
          is_transfer(owned.row, input_.profile.names().view(owned.row.name))) {
        found_.transfers = saturating_add(found_.transfers, length);
        continue;
      }
      ProblemSum& sum = sum_of(problem_of[counted], rank.devices[owned.row.device].model);
      if (!seen[counted]) ++sum.count;
      seen[counted] = true;
      sum.gpu_time = saturating_add(sum.gpu_time, length);
      sum.matrix_units = sum.matrix_units || uses_matrix_units(owned.row.name);
    }
  }

  ProblemSums take() { return std::move(found_); }

 private:
  /// Returns the problem of each event, an index into problems_; kNoProblem if it has none.
  std::vector<std::uint32_t> read_problems(const trace::Rank& rank, const std::vector<HostEvent>& events) {
    std::vector<std::uint32_t> problem_of(events.size(), kNoProblem);
    std::vector<trace::SliceOrdinal> slices;
    std::unordered_map<trace::SliceOrdinal, std::uint32_t> event_of;
    for (std::uint32_t e = 0; e < events.size(); ++e) {
      const ProblemModel* const model = models_[events[e].name];
      if (model == nullptr || events[e].merged || events[e].role != trace::Role::op) continue;
      if ((model->whole ? events[e].device_total : events[e].self_device) == 0) continue;
      slices.push_back(events[e].slice);
      event_of.emplace(events[e].slice, e);
    }
    const auto failure =
        read_events(input_, rank, slices, kInputRows, [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
          const std::uint32_t e = event_of.at(slice);
          problem_of[e] = problem_in(events[e].name, event);
        });
    if (failure) found_.unread = failure->message();
    return problem_of;
  }

  std::uint32_t problem_in(NameId name, const ingest::EventText& event) {
    std::string key = std::to_string(name);
    for (const ingest::EventRow& row : event.rows) key += '\n' + row.value;
    const auto [entry, fresh] = problem_by_text_.try_emplace(std::move(key), kNoProblem);
    if (!fresh) return entry->second;
    const ProblemModel& model = *models_[name];
    const Operands operands = Operands::read(event);
    if (operands.size() == 0) return kNoProblem;
    auto problem = model.problem(operands, model.inputs);
    if (!problem) return kNoProblem;
    // Inputs that differ only in what the model ignores are one problem.
    const auto [same, unknown] = problem_by_size_.try_emplace(std::tuple(name, problem->dims, problem->dtype),
                                                              static_cast<std::uint32_t>(problems_.size()));
    if (unknown) problems_.push_back({name, std::move(*problem)});
    return entry->second = same->second;
  }

  ProblemSum& sum_of(std::uint32_t problem, const std::string& model) {
    const auto [entry, fresh] = sums_.try_emplace({problem, model}, found_.problems.size());
    if (fresh)
      found_.problems.push_back({.op = input_.profile.names().view(problems_[problem].first),
                                 .problem = problems_[problem].second,
                                 .model = model});
    return found_.problems[entry->second];
  }

  bool uses_matrix_units(NameId kernel) {
    const auto [entry, fresh] = tensor_.try_emplace(kernel, false);
    if (fresh) entry->second = tensor_core_use(input_.profile.names().view(kernel)) == TensorCoreUse::used;
    return entry->second;
  }

  const AnalysisInput& input_;
  std::vector<const ProblemModel*> models_;  // by name
  std::vector<std::pair<NameId, Problem>> problems_;
  std::unordered_map<std::string, std::uint32_t> problem_by_text_;
  std::map<std::tuple<NameId, std::string, std::string>, std::uint32_t> problem_by_size_;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> sums_;
  std::unordered_map<NameId, bool> tensor_;
  ProblemSums found_;
};

}  // namespace

ProblemSums problem_sums(const AnalysisInput& input) {
  const GpuRows rows(input.profile, input.scope, {}, input.cancel, input.shared);
  ProblemCollector collector(input);
  for (const std::uint32_t r : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    collector.add_rank(r, *rows.of(r));
  }
  return collector.take();
}

}  // namespace warpscope::analysis
