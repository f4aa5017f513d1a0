#include "core/record/perf/counter_name.hpp"

#include <linux/perf_event.h>

#include <array>
#include <charconv>

namespace warpscope::record {

namespace {

struct NamedCounter {
  std::string_view name;
  CounterKind kind;
  bool listed = true;  // false for aliases
};

constexpr CounterKind hardware(std::uint64_t config) { return {PERF_TYPE_HARDWARE, config}; }
constexpr CounterKind software(std::uint64_t config) { return {PERF_TYPE_SOFTWARE, config}; }

constexpr std::array kNamedCounters{
    NamedCounter{"cycles", hardware(PERF_COUNT_HW_CPU_CYCLES)},
    NamedCounter{"cpu-cycles", hardware(PERF_COUNT_HW_CPU_CYCLES), false},
    NamedCounter{"ref-cycles", hardware(PERF_COUNT_HW_REF_CPU_CYCLES)},
    NamedCounter{"clk_unhalted_ref.tsc", hardware(PERF_COUNT_HW_REF_CPU_CYCLES)},
    NamedCounter{"cpu_clk_unhalted.ref_tsc", hardware(PERF_COUNT_HW_REF_CPU_CYCLES), false},
    NamedCounter{"instructions", hardware(PERF_COUNT_HW_INSTRUCTIONS)},
    NamedCounter{"cache-references", hardware(PERF_COUNT_HW_CACHE_REFERENCES)},
    NamedCounter{"cache-misses", hardware(PERF_COUNT_HW_CACHE_MISSES)},
    NamedCounter{"branches", hardware(PERF_COUNT_HW_BRANCH_INSTRUCTIONS)},
    NamedCounter{"branch-instructions", hardware(PERF_COUNT_HW_BRANCH_INSTRUCTIONS), false},
    NamedCounter{"branch-misses", hardware(PERF_COUNT_HW_BRANCH_MISSES)},
    NamedCounter{"bus-cycles", hardware(PERF_COUNT_HW_BUS_CYCLES)},
    NamedCounter{"stalled-cycles-frontend", hardware(PERF_COUNT_HW_STALLED_CYCLES_FRONTEND)},
    NamedCounter{"stalled-cycles-backend", hardware(PERF_COUNT_HW_STALLED_CYCLES_BACKEND)},
    NamedCounter{"context-switches", software(PERF_COUNT_SW_CONTEXT_SWITCHES)},
    NamedCounter{"cs", software(PERF_COUNT_SW_CONTEXT_SWITCHES), false},
    NamedCounter{"cpu-migrations", software(PERF_COUNT_SW_CPU_MIGRATIONS)},
    NamedCounter{"page-faults", software(PERF_COUNT_SW_PAGE_FAULTS)},
    NamedCounter{"faults", software(PERF_COUNT_SW_PAGE_FAULTS), false},
    NamedCounter{"minor-faults", software(PERF_COUNT_SW_PAGE_FAULTS_MIN)},
    NamedCounter{"major-faults", software(PERF_COUNT_SW_PAGE_FAULTS_MAJ)},
    NamedCounter{"alignment-faults", software(PERF_COUNT_SW_ALIGNMENT_FAULTS)},
    NamedCounter{"emulation-faults", software(PERF_COUNT_SW_EMULATION_FAULTS)},
};

struct NamedPart {
  std::string_view name;
  std::uint64_t code;
};

constexpr std::array kCaches{
    NamedPart{"L1-dcache", PERF_COUNT_HW_CACHE_L1D}, NamedPart{"L1-icache", PERF_COUNT_HW_CACHE_L1I},
    NamedPart{"LLC", PERF_COUNT_HW_CACHE_LL},        NamedPart{"dTLB", PERF_COUNT_HW_CACHE_DTLB},
    NamedPart{"iTLB", PERF_COUNT_HW_CACHE_ITLB},     NamedPart{"branch", PERF_COUNT_HW_CACHE_BPU},
    NamedPart{"node", PERF_COUNT_HW_CACHE_NODE},
};

constexpr std::uint64_t kMissed = std::uint64_t{PERF_COUNT_HW_CACHE_RESULT_MISS} << 16;
constexpr std::array kAccesses{
    NamedPart{"-loads", PERF_COUNT_HW_CACHE_OP_READ << 8},
    NamedPart{"-load-misses", PERF_COUNT_HW_CACHE_OP_READ << 8 | kMissed},
    NamedPart{"-stores", PERF_COUNT_HW_CACHE_OP_WRITE << 8},
    NamedPart{"-store-misses", PERF_COUNT_HW_CACHE_OP_WRITE << 8 | kMissed},
    NamedPart{"-prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH << 8},
    NamedPart{"-prefetch-misses", PERF_COUNT_HW_CACHE_OP_PREFETCH << 8 | kMissed},
};

/// Instruction TLB misses that cause a page walk.
constexpr std::string_view kWalks = "itlb_misses.miss_causes_a_walk";
constexpr CounterKind kIntelWalks{PERF_TYPE_RAW, 0x0185};
constexpr CounterKind kOtherWalks{PERF_TYPE_HW_CACHE,
                                  PERF_COUNT_HW_CACHE_ITLB | PERF_COUNT_HW_CACHE_OP_READ << 8 | kMissed};

std::optional<CounterKind> raw_kind(std::string_view name) {
  if (name.size() < 2 || name.front() != 'r') return std::nullopt;
  std::uint64_t code = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), code, 16);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return CounterKind{PERF_TYPE_RAW, code};
}

}  // namespace

std::optional<CounterKind> counter_kind(std::string_view name, bool intel) {
  for (const NamedCounter& counter : kNamedCounters)
    if (counter.name == name) return counter.kind;
  if (name == kWalks) return intel ? kIntelWalks : kOtherWalks;
  for (const NamedPart& cache : kCaches)
    for (const NamedPart& access : kAccesses)
      if (name.starts_with(cache.name) && name.substr(cache.name.size()) == access.name)
        return CounterKind{PERF_TYPE_HW_CACHE, cache.code | access.code};
  return raw_kind(name);
}

std::string known_counters() {
  std::string names;
  for (const NamedCounter& counter : kNamedCounters)
    if (counter.listed) names.append(counter.name).append(", ");
  names.append(kWalks);
  for (const NamedPart& cache : kCaches) names.append(", ").append(cache.name).append("-load-misses");
  return names + " or a raw event code such as r01a8";
}

bool is_intel(std::string_view cpuinfo) { return cpuinfo.find("GenuineIntel") != std::string_view::npos; }

}  // namespace warpscope::record
