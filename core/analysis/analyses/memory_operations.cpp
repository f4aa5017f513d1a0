// memory_operations: bytes moved by memcpys and memsets, by direction.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/memory_operation.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::memory_operations {

namespace {

constexpr std::array<std::string_view, 2> kMeasures{"time", "bytes"};
constexpr std::array kParameters{choice_parameter("by", "base percentages on time or bytes", kMeasures)};

struct Moved {
  MemoryOperation operation{};
  Ns total = 0;
  std::uint64_t count = 0;
  std::optional<std::uint64_t> bytes;  ///< sum over operations that record their size
  std::uint64_t silent = 0;            ///< number of operations without a size
};

std::vector<Moved> moved(const AnalysisInput& input) {
  // The operation depends on role and name, so look it up once per name.
  constexpr std::uint8_t kUnknown = 0xFF;
  std::vector<std::uint8_t> copies(input.profile.names().size(), kUnknown);
  std::array<Moved, kMemoryOperations> sums{};
  for_each_run(input.profile, input.scope, input.cancel, [&](const RunPart& run) {
    if (trace::is_kernel(run.role)) return;
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
    // Counts all bytes at the start of an operation, so operations that start before the range contribute nothing.
    if (run.part.begin != run.lane.time().begin(run.index)) return;
    const trace::Rank& rank = *input.profile.ranks[run.rank];
    if (const auto bytes = rank.bytes(rank.ordinal({run.lane_index, run.index}))) {
      sum.bytes = sum.bytes.value_or(0) + *bytes;
    } else {
      ++sum.silent;
    }
  });
  std::vector<Moved> present;
  for (std::size_t o = 0; o < sums.size(); ++o) {
    sums[o].operation = static_cast<MemoryOperation>(o);
    if (sums[o].count > 0) present.push_back(sums[o]);
  }
  return present;
}

std::string silent_note(std::uint64_t silent) {
  if (silent == 0) return {};
  return fmt::format("{} {} {} no recorded size.", format_count(static_cast<std::int64_t>(silent)),
                     silent == 1 ? "operation" : "operations", silent == 1 ? "has" : "have");
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  std::vector<Moved> sums = moved(input);
  const bool by_bytes = input.values.text("by") == "bytes";
  const auto measure = [&](const Moved& sum) {
    return by_bytes ? static_cast<double>(sum.bytes.value_or(0)) : static_cast<double>(sum.total);
  };
  std::stable_sort(sums.begin(), sums.end(), [&](const Moved& a, const Moved& b) { return measure(a) > measure(b); });
  double whole = 0;
  std::uint64_t silent = 0;
  for (const Moved& sum : sums) {
    whole += measure(sum);
    silent += sum.silent;
  }
  Table table("memory-operations", "GPU memory operations distribution",
              {col::memory_operation, col::total, col::bytes, col::count, col::share});
  for (const Moved& sum : sums)
    table.add_row({Cell(to_string(sum.operation), sum.operation), sum.total, sum.bytes, sum.count,
                   share_of(measure(sum), whole)});
  const std::uint64_t impossible =
      count_impossible(input.profile, input.scope, role_set(trace::Role::memory_copy, trace::Role::memory_set));
  table.note = joined_notes({sums.empty() ? "No GPU memcpys or memsets in this selection." : "", silent_note(silent),
                             impossible_note(impossible, "memory operation")});
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{"memory_operations", "GPU memory operations distribution",
                                "Duration and size of memcpys in each direction and of memsets, on all GPUs.",
                                kParameters, run};

}  // namespace warpscope::analysis::registered::memory_operations
