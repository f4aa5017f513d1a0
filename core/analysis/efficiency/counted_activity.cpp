#include "core/analysis/efficiency/counted_activity.hpp"

#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/shared/tensor_cores.hpp"
#include "core/ingest/format/event_text.hpp"

namespace warpscope::analysis {

namespace {

/// Returns the problem of each event; kNone for events without one.
std::vector<std::uint32_t> read_problems(const AnalysisInput& input, const trace::Rank& rank,
                                         const std::vector<HostEvent>& events, ProblemBook& book, std::string& unread) {
  std::vector<std::uint32_t> problem_of(events.size(), ProblemBook::kNone);
  std::vector<trace::SliceOrdinal> slices;
  std::unordered_map<trace::SliceOrdinal, std::uint32_t> event_of;
  for (std::uint32_t e = 0; e < events.size(); ++e) {
    const ProblemModel* const model = book.model(events[e].name);
    if (events[e].merged || events[e].role != trace::Role::op || !book.reads(events[e].name)) continue;
    if ((model->whole ? events[e].device_total : events[e].self_device) == 0) continue;
    slices.push_back(events[e].slice);
    event_of.emplace(events[e].slice, e);
  }
  const auto failure =
      read_events(input, rank, slices, kInputRows, [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
        const std::uint32_t e = event_of.at(slice);
        problem_of[e] = book.find(events[e].name, event);
      });
  if (failure) unread = failure->message();
  return problem_of;
}

}  // namespace

ProblemBook::ProblemBook(const AnalysisInput& input, Which which)
    : names_(input.profile.names()), which_(which), models_(names_.size()), products_(names_.size()) {
  for (NameId id = 0; id < models_.size(); ++id) {
    models_[id] = find_model(names_.view(id));
    products_[id] = models_[id] != nullptr && analysis::is_product(models_[id]->kind);
  }
}

std::uint32_t ProblemBook::find(NameId op, const ingest::EventText& event) {
  std::string key = std::to_string(op);
  for (const ingest::EventRow& row : event.rows) key += '\n' + row.value;
  const auto [entry, fresh] = by_text_.try_emplace(std::move(key), kNone);
  if (!fresh) return entry->second;
  const Operands operands = Operands::read(event);
  if (operands.size() == 0) return kNone;
  auto problem = models_[op]->problem(operands);
  if (!problem) return kNone;
  // Inputs that differ only in ways the model ignores are the same problem.
  const auto [same, unknown] =
      by_size_.try_emplace(std::tuple(op, problem->dims, problem->dtype), static_cast<std::uint32_t>(problems_.size()));
  if (unknown) problems_.push_back({op, std::move(*problem)});
  return entry->second = same->second;
}

bool ProblemBook::uses_matrix_units(NameId kernel) {
  const auto [entry, fresh] = matrix_units_.try_emplace(kernel, false);
  if (fresh) entry->second = tensor_core_use(names_.view(kernel)) == TensorCoreUse::used;
  return entry->second;
}

CountedRank counted_activity(const AnalysisInput& input, std::uint32_t r, const GpuRows::Rows& rows,
                             ProblemBook& book) {
  const HostEvents host(input, r, rows, {});
  const std::vector<HostEvent>& events = host.events();
  CountedRank counted;
  counted.calls = static_cast<std::uint32_t>(events.size());
  const std::vector<std::uint32_t> problem_of =
      read_problems(input, *input.profile.ranks[r], events, book, counted.unread);
  // Parents come first.
  std::vector<std::uint32_t> counted_in(events.size(), HostEvent::kNone);
  for (std::uint32_t e = 0; e < events.size(); ++e) {
    const std::uint32_t parent = events[e].parent;
    if (parent != HostEvent::kNone && counted_in[parent] != HostEvent::kNone &&
        book.model(events[counted_in[parent]].name)->whole)
      counted_in[e] = counted_in[parent];
    else if (problem_of[e] != ProblemBook::kNone)
      counted_in[e] = e;
  }
  using For = CountedActivity::For;
  counted.activity.reserve(host.activity().size());
  for (const OwnedActivity& owned : host.activity()) {
    CountedActivity& activity = counted.activity.emplace_back(CountedActivity{owned.row});
    if (owned.owner == HostEvent::kNone || events[owned.owner].role != trace::Role::op) {
      activity.counts_for = owned.row.launch ? For::no_operator : For::no_launch;
      continue;
    }
    activity.op = events[owned.owner].name;
    activity.call = counted_in[owned.owner];
    if (activity.call == HostEvent::kNone) {
      activity.counts_for = book.model(activity.op) != nullptr ? For::not_recorded : For::no_model;
      continue;
    }
    activity.counts_for = For::call;
    activity.problem = problem_of[activity.call];
  }
  return counted;
}

}  // namespace warpscope::analysis
