// memory_operations: what the copies and sets moved, by direction.
#include <algorithm>
#include <array>

#include "core/analysis/memory_operation.hpp"
#include "core/analysis/registry.hpp"
#include "core/analysis/runs.hpp"
#include "core/analysis/tables.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::array<std::string_view, 2> kMeasures{"time", "bytes"};
constexpr std::array kParameters{Parameter{.name = "by",
                                           .about = "what shares are of",
                                           .kind = ParameterKind::choice,
                                           .preset = "time",
                                           .choices = kMeasures}};

struct Moved {
  MemoryOperation operation{};
  Ns total = 0;
  std::uint64_t count = 0;
};

std::vector<Moved> moved(const AnalysisInput& input) {
  // The operation follows from role and name: asked once a name.
  constexpr std::uint8_t kUnknown = 0xFF;
  std::vector<std::uint8_t> copies(input.profile.names().size(), kUnknown);
  std::array<Moved, kMemoryOperations> sums{};
  for_each_run(input.profile, input.scope, input.cancel, [&](const RunPart& run) {
    if (run.role == trace::Role::kernel) return;
    std::uint8_t operation = static_cast<std::uint8_t>(MemoryOperation::set);
    if (run.role == trace::Role::memory_copy) {
      std::uint8_t& known = copies[run.lane.name(run.index)];
      if (known == kUnknown)
        known = static_cast<std::uint8_t>(copy_direction(input.profile.names().view(run.lane.name(run.index))));
      operation = known;
    }
    Moved& sum = sums[operation];
    sum.total = saturating_add(sum.total, run.part.length());
    ++sum.count;
  });
  std::vector<Moved> present;
  for (std::size_t o = 0; o < sums.size(); ++o) {
    sums[o].operation = static_cast<MemoryOperation>(o);
    if (sums[o].count > 0) present.push_back(sums[o]);
  }
  return present;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  std::vector<Moved> sums = moved(input);
  std::stable_sort(sums.begin(), sums.end(), [](const Moved& a, const Moved& b) { return a.total > b.total; });
  Ns whole = 0;
  for (const Moved& sum : sums) whole = saturating_add(whole, sum.total);
  Table table("memory-operations", "GPU memory operations distribution",
              {{"operation", "", ColumnKind::text},
               {"total", "", ColumnKind::duration},
               {"bytes", "", ColumnKind::bytes},
               {"count", "", ColumnKind::integer},
               {"share", "", ColumnKind::share}});
  for (const Moved& sum : sums)
    table.add_row({to_string(sum.operation), sum.total, Cell(), sum.count, share_of(sum.total, whole)});
  const std::uint64_t impossible =
      count_impossible(input.profile, input.scope, role_set(trace::Role::memory_copy, trace::Role::memory_set));
  table.note = joined_notes(
      {sums.empty() ? "No copy or set ran on a GPU here." : "", impossible_note(impossible, "memory operation")});
  return std::vector{std::move(table)};
}

}  // namespace

namespace registered {
extern const Analysis memory_operations;
const Analysis memory_operations{"memory_operations", "GPU memory operations distribution",
                                 "How long copies in each direction and sets took on all GPUs, and what they moved.",
                                 kParameters, run};
}  // namespace registered

}  // namespace warpscope::analysis
