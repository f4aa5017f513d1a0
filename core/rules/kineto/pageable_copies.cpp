// PageableCopies: memcpys between the GPU and pageable host memory, which are slow and block the host.
#include <fmt/format.h>

#include <array>
#include <map>

#include "core/analysis/shared/intervals.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::pageable_copies {

namespace {

constexpr std::array kParameters{share_parameter()};
constexpr std::uint64_t kLeastBytes = 64'000;  // smaller memcpys take no longer from pageable memory
constexpr Ns kRightAfter = 1'000;

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  Ns cost = 0;
  std::map<NameId, Ns> by_name;
  std::vector<Place> places;
  for (std::size_t g = 0; g < facts.gpus().size() && !facts.cancelled(); ++g) {
    const GpuWindow& gpu = facts.gpus()[g];
    const trace::Rank& rank = *facts.profile().ranks[gpu.rank];
    const auto rows = facts.rows(gpu);
    std::vector<Interval> idle;  // after a memcpy; found if there is one
    std::vector<Interval> copies;
    for (const analysis::GpuRow& row : rows) {
      if (row.role != trace::Role::memory_copy) continue;
      const std::string_view name = facts.profile().names().view(row.name);
      if (name.find("Pageable") == std::string_view::npos || name.find("Device") == std::string_view::npos) continue;
      const std::uint64_t moved = rank.bytes(row.slice).value_or(kLeastBytes);
      if (moved < kLeastBytes || common({row.time}, gpu.parts).empty()) continue;
      if (copies.empty()) idle = facts.launch_delays(g);
      ++count;
      bytes += rank.bytes(row.slice).value_or(0);
      Interval time = row.time;
      // The GPU is idle while the host, which waited for the memcpy, launches the next kernel.
      const auto after = std::ranges::lower_bound(idle, time.end - kRightAfter, {}, &Interval::begin);
      if (after != idle.end() && after->begin <= time.end + kRightAfter) time.end = after->end;
      copies.push_back(time);
      by_name[row.name] += row.time.length();
      places.push_back(on_gpu(facts, gpu, row.time, std::string(name), row.slice));
    }
    if (copies.empty()) continue;
    const auto compute = analysis::union_of(
        rows, [&](const analysis::GpuRow& row) { return row.kind == analysis::KernelClass::computation; });
    cost = saturating_add(
        cost, analysis::total_length(analysis::without(common(joined(std::move(copies)), gpu.parts), compute)));
    keep_longest(places);
  }
  if (count == 0) return {Verdict::no_issues, "No large memcpys to or from pageable memory.", {}};
  return judged(
      facts.matters(cost, input.values.real(kShare)),
      {.headline = fmt::format("Memcpys of pageable memory keep GPUs from computing for {}.", facts.of_step(cost)),
       .advice = {},
       .cost = cost,
       .saving = cost,
       .places = std::move(places),
       .evidence = bars_by_name(facts, "Memcpy time by kind", by_name),
       .evidence_lines = {fmt::format("{} to or from pageable memory ({}).", counted(count, "memcpy", "memcpys"),
                                      format_bytes(static_cast<std::int64_t>(bytes)))}},
      fmt::format("{} ({}); no computation for {} ({}).", counted(count, "memcpy", "memcpys"),
                  format_bytes(static_cast<std::int64_t>(bytes)), facts.a_step(cost), format_share(facts.share(cost))));
}

}  // namespace

extern const Rule kRule{"PageableCopies",
                        "Pageable memory copies",
                        "Memcpys of 64 kB or more to or from pageable memory and the idle time after them, excluding "
                        "time when compute kernels are running.",
                        kParameters,
                        evaluate,
                        "Use pin_memory=True in the DataLoader and .to(device, non_blocking=True). Do not call "
                        "pin_memory() in the training loop itself, because that adds a copy on the host."};

}  // namespace warpscope::rules::registered::pageable_copies
