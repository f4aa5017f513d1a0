#include "core/rules/account.hpp"

#include <algorithm>
#include <array>

#include "core/rules/facts.hpp"

namespace warpscope::rules {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kBusy{
    {{"computation", "computation"},
     {"transfer", "communication"},
     {"waiting_for_ranks", "waiting for other ranks"},
     {"memory", "memory operations"}}};
constexpr std::array<std::string_view, analysis::kIdleLabels> kIdle{
    "idle_host_callback", "idle_data_loader", "idle_compilation", "idle_allocation", "idle_collection",
    "idle_checkpoint",    "idle_sync",        "idle_stall",       "idle_launch",     "idle_host",
    "idle_latency",       "idle_stream",      "idle_no_launch",   "idle_unknown"};
constexpr std::pair<std::string_view, std::string_view> kProfiler{"profiler", "the profiler itself"};

}  // namespace

std::vector<AccountPart> account_of(Facts& facts) {
  std::array<Ns, kBusy.size()> busy{};
  std::array<Ns, analysis::kIdleLabels> idle{};
  Ns profiler = 0;
  for (std::size_t g = 0; g < facts.gpus().size() && !facts.cancelled(); ++g) {
    const GpuWindow& gpu = facts.gpus()[g];
    const DeviceRows rows = facts.rows(gpu);
    const auto of = [&](analysis::KernelClass kind) {
      return common(gpu.parts, analysis::union_of(rows, [&](const analysis::GpuRow& row) { return row.kind == kind; }));
    };
    const std::vector<Interval> computation = of(analysis::KernelClass::computation);
    const std::vector<Interval> communication =
        analysis::without(of(analysis::KernelClass::communication), computation);
    std::vector<Interval> waits;
    for (const analysis::GpuRow& row : rows)
      if (row.kind == analysis::KernelClass::communication)
        if (const Interval wait = facts.waits().wait_of(gpu.rank, row.slice, row.time); !wait.empty())
          waits.push_back(wait);
    const Ns waited = analysis::common_length(communication, joined(std::move(waits)));
    const Ns all = analysis::common_length(gpu.parts, gpu.busy);
    busy[0] += analysis::total_length(computation);
    busy[1] += analysis::total_length(communication) - waited;
    busy[2] += waited;
    busy[3] += all - analysis::total_length(computation) - analysis::total_length(communication);
    Ns explained = 0;
    for (std::size_t c = 0; c < idle.size(); ++c) {
      const Ns time = analysis::total_length(facts.idle(g).of_label[c]);
      idle[c] += time;
      explained += time;
    }
    profiler += gpu.length() - all - explained;
  }
  std::vector<AccountPart> parts;
  const auto add = [&](std::string_view label, std::string_view words, Ns time) {
    if (time > 0) parts.push_back({label, words, time, facts.share(time)});
  };
  for (std::size_t b = 0; b < busy.size(); ++b) add(kBusy[b].first, kBusy[b].second, busy[b]);
  for (std::size_t c = 0; c < idle.size(); ++c) add(kIdle[c], analysis::kIdleLabelWords[c], idle[c]);
  add(kProfiler.first, kProfiler.second, profiler);
  return parts;
}

}  // namespace warpscope::rules
