// time_blocked_on_full_queue: time during which the launch queue of a stream was full.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/hta_steps.hpp"
#include "core/analysis/shared/queue_lengths.hpp"
#include "core/base/format.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis::registered::time_blocked_on_full_queue {

namespace {

constexpr std::array kParameters{
    integer_parameter("max_queue_length", "capacity of a stream's launch queue", "1024", 1), kHtaParameter,
    kRoundingParameter};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  Table table("time-blocked-on-full-queue", "Time with a full launch queue, by stream",
              {{"rank", "", ColumnRole::rank, "rank"},
               {"stream", "", ColumnRole::stream, "stream"},
               {"blocked", "", ColumnKind::duration, "duration_at_max_queue_length", 1000},
               {"share", "", ColumnRole::share, "relative_duration_at_max_queue_length", 100},
               {"device", "", ColumnRole::device, "device"},
               {"longest queue", "launches", ColumnKind::real, "longest_queue"}});
  const std::int64_t most = input.values.integer("max_queue_length");
  const KernelClasses::Choice choice = KernelClasses::hta_choice(input.values);
  const Interval extent = extent_of(profile, input.scope);
  const trace::CoveredTime covered(profile);
  QueueLengths queues(profile, input.scope, choice, input.cancel, input.shared);
  std::size_t streams = 0;
  double longest = 0;
  for (const std::uint32_t r : queues.ranks()) {
    const trace::Rank& rank = *profile.ranks[r];
    const Ns whole = choice.hta ? hta_trace_length(profile, r, choice.rounding) : covered.of(r, extent).length();
    const std::shared_ptr<const std::vector<QueueLength>> lengths = queues.of(r);
    if (cancelled(input.cancel)) break;
    streams += lengths->size();
    std::vector<std::array<Cell, 6>> rows;
    for (const auto& [device, track, length] : *lengths) {
      const double longest_here = *std::ranges::max_element(length.values);
      longest = std::max(longest, longest_here);
      const auto full = static_cast<double>(most);
      if (choice.hta && longest_here < full) continue;
      if (choice.hta) rows.clear();  // HTA keeps only the last stream per rank
      const Ns blocked = time_at_least(length, full);
      rows.push_back({rank.number, rank.tracks[track].id, blocked, share_of(blocked, whole), rank.devices[device].id,
                      longest_here});
    }
    for (const auto& row : rows) table.add_row(row);
  }
  if (streams > 0 && longest < static_cast<double>(most))
    table.note = fmt::format("No launch queue reached {} launches; the deepest had {}.", format_count(most),
                             format_count(static_cast<std::int64_t>(longest)));
  table.note = joined_notes({table.note, queues.note(streams)});
  return std::vector{std::move(table)};
}

constexpr std::array kCharts{
    ChartSpec{.table = "time-blocked-on-full-queue", .if_zero = "No launch queue was ever full."}};

}  // namespace

extern const Analysis kAnalysis{"time_blocked_on_full_queue",
                                "Time blocked on a full queue",
                                "Time during which max_queue_length or more launches waited on a stream, so the host "
                                "had to wait before the next launch. Percentages are relative to the selected time. "
                                "HTA reports only one stream per rank: the last one whose queue was full.",
                                kParameters,
                                run,
                                kCharts};

}  // namespace warpscope::analysis::registered::time_blocked_on_full_queue
