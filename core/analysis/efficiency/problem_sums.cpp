#include "core/analysis/efficiency/problem_sums.hpp"

#include <map>

#include "core/analysis/efficiency/counted_activity.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/memory_operation.hpp"

namespace warpscope::analysis {

namespace {

/// True for a copy between the device and something else.
bool is_transfer(const GpuRow& row, std::string_view name) {
  const MemoryOperation operation = copy_direction(name);
  return row.role == trace::Role::memory_copy && operation != MemoryOperation::device_to_device &&
         operation != MemoryOperation::other_copy;
}

class ProblemCollector {
 public:
  explicit ProblemCollector(const AnalysisInput& input) : input_(input), book_(input, ProblemBook::Which::all) {}

  void add_rank(std::uint32_t r, const GpuRows::Rows& rows) {
    const trace::Rank& rank = *input_.profile.ranks[r];
    const CountedRank counted = counted_activity(input_, r, rows, book_);
    if (!counted.unread.empty()) found_.unread = counted.unread;
    std::vector<bool> seen(counted.calls);
    for (const CountedActivity& activity : counted.activity) {
      const Ns length = activity.row.time.length();
      found_.gpu_time = saturating_add(found_.gpu_time, length);
      if (Ns* const other = time_of(activity)) {
        *other = saturating_add(*other, length);
        continue;
      }
      ProblemSum& sum = sum_of(activity.problem, rank.devices[activity.row.device].model);
      if (!seen[activity.call]) ++sum.count;
      seen[activity.call] = true;
      sum.gpu_time = saturating_add(sum.gpu_time, length);
      sum.matrix_units = sum.matrix_units || book_.uses_matrix_units(activity.row.name);
    }
  }

  ProblemSums take() { return std::move(found_); }

 private:
  /// Returns the sum for activity without a problem; null if it has one.
  Ns* time_of(const CountedActivity& activity) {
    switch (activity.counts_for) {
      case CountedActivity::For::no_operator:
        return &found_.no_operator;
      case CountedActivity::For::no_launch:
        return &found_.no_launch;
      case CountedActivity::For::no_model:
        return &found_.no_model;
      case CountedActivity::For::not_recorded:
        return &found_.not_recorded;
      case CountedActivity::For::call:
        break;
    }
    // These are limited by the link to the host, not by the device.
    const bool transfer = book_.problem(activity.problem).kind == ProblemKind::copy &&
                          is_transfer(activity.row, input_.profile.names().view(activity.row.name));
    return transfer ? &found_.transfers : nullptr;
  }

  ProblemSum& sum_of(std::uint32_t problem, const std::string& model) {
    const auto [entry, fresh] = sums_.try_emplace({problem, model}, found_.problems.size());
    if (fresh)
      found_.problems.push_back(
          {.op = input_.profile.names().view(book_.op(problem)), .problem = book_.problem(problem), .model = model});
    return found_.problems[entry->second];
  }

  const AnalysisInput& input_;
  ProblemBook book_;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> sums_;
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
