// Performance counters, simulated by files of readings.
#include "core/record/perf/perf_sampler.hpp"

#include <fcntl.h>
#include <linux/perf_event.h>

#include <cerrno>

#include "tests/catch.hpp"
#include "tests/core/record/samples.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using record::counter_kind;
using record::CounterKind;
using record::CounterReading;

namespace {

/// A machine with the CPUs 0 and 2.
record::KernelFolders two_cpus(const TestFolder& folder) {
  folder.write("sys/devices/system/cpu/online", "0,2\n");
  folder.write("proc/sys/kernel/perf_event_paranoid", "3\n");
  return {folder.path() / "proc", folder.path() / "sys"};
}

int file_of(const TestFolder& folder, const std::string& name, const std::vector<CounterReading>& readings) {
  const std::string_view bytes(reinterpret_cast<const char*>(readings.data()), readings.size() * sizeof readings[0]);
  return ::open(folder.write(name, bytes).c_str(), O_RDONLY);
}

}  // namespace

TEST_CASE("counters have the names of perf list", "[record]") {
  CHECK(counter_kind("instructions", true) == CounterKind{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS});
  CHECK(counter_kind("clk_unhalted_ref.tsc", true) == counter_kind("ref-cycles", true));
  CHECK(counter_kind("page-faults", true) == CounterKind{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS});
  CHECK(counter_kind("LLC-store-misses", false) == CounterKind{PERF_TYPE_HW_CACHE, 0x10102});
  CHECK(counter_kind("iTLB-load-misses", false) == CounterKind{PERF_TYPE_HW_CACHE, 0x10004});
  CHECK(counter_kind("itlb_misses.miss_causes_a_walk", true) == CounterKind{PERF_TYPE_RAW, 0x185});
  CHECK(counter_kind("itlb_misses.miss_causes_a_walk", false) == counter_kind("iTLB-load-misses", false));
  CHECK(counter_kind("r01A8", true) == CounterKind{PERF_TYPE_RAW, 0x1a8});
  for (const char* unknown : {"", "r", "rx", "nope", "LLC", "LLC-", "-loads"}) CHECK(!counter_kind(unknown, true));
}

TEST_CASE("events counted for part of the time are scaled", "[record]") {
  CHECK(record::events_between({100, 1000, 1000}, {300, 2000, 2000}) == 200);
  CHECK(record::events_between({100, 1000, 1000}, {300, 2000, 1250}) == 800);
  CHECK(!record::events_between({100, 1000, 1000}, {100, 2000, 1000}));
}

TEST_CASE("CPU lists are parsed", "[record]") {
  CHECK(record::numbers_in_list("0-3,8\n") == std::vector{0, 1, 2, 3, 8});
  CHECK(record::numbers_in_list("0\n") == std::vector{0});
  CHECK(record::numbers_in_list("x,1-,99999999").empty());
}

TEST_CASE("counters are rates per CPU and over all CPUs", "[record]") {
  const TestFolder folder;
  Said said;
  const auto open = [&](const CounterKind&, int cpu) {
    const std::uint64_t one = cpu == 0 ? 10 : 1;
    return file_of(folder, std::to_string(cpu), {{one, 5, 5}, {100 * one, 1005, 1005}, {200 * one, 2005, 1505}});
  };
  const auto sampler = record::perf_sampler({"instructions"}, said.say(), two_cpus(folder), open);
  REQUIRE(sampler);
  CHECK(sampled(*sampler, 0).empty());
  CHECK(sampled(*sampler, 0.5) == SampledValues{{"cpu/cpu0/instructions", 1980},
                                                {"cpu/cpu2/instructions", 198},
                                                {"cpu/instructions/all CPUs", 2178}});
  CHECK(sampled(*sampler, 1) == SampledValues{{"cpu/cpu0/instructions", 2000},
                                              {"cpu/cpu2/instructions", 200},
                                              {"cpu/instructions/all CPUs", 2200}});
  CHECK(sampled(*sampler, 1).empty());  // the counter can no longer be read
  CHECK(said.texts.empty());
}

TEST_CASE("refused counters are reported with the reason", "[record]") {
  const TestFolder folder;
  Said said;
  const auto open = [&](const CounterKind& kind, int cpu) {
    if (kind.type == PERF_TYPE_SOFTWARE) return file_of(folder, std::to_string(cpu), {{0, 0, 0}, {7, 1, 1}});
    return kind.config == PERF_COUNT_HW_INSTRUCTIONS ? -ENOENT : -EACCES;
  };
  const auto sampler = record::perf_sampler({"cycles", "instructions", "page-faults", "cache-misses"}, said.say(),
                                            two_cpus(folder), open);
  REQUIRE(sampler);
  CHECK(said.texts == std::vector<std::string>{"cannot record instructions: not available on this machine",
                                               "cannot record cycles, cache-misses: not permitted; run as root, or set "
                                               "kernel.perf_event_paranoid to 0 (currently 3)"});
  static_cast<void>(sampled(*sampler, 0));
  CHECK(sampled(*sampler, 1) ==
        SampledValues{{"cpu/cpu0/page-faults", 7}, {"cpu/cpu2/page-faults", 7}, {"cpu/page-faults/all CPUs", 14}});
  CHECK(record::perf_sampler({"cycles"}, said.say(), two_cpus(folder), open) == nullptr);
}

TEST_CASE("this machine's counters return values or a reason", "[record]") {
  for (const char* name : {"instructions", "page-faults"}) {
    Said said;
    const auto sampler = record::perf_sampler({name}, said.say());
    CHECK((sampler == nullptr) == (said.texts.size() == 1));
    if (!sampler) continue;
    static_cast<void>(sampled(*sampler, 0));
    CHECK(sampled(*sampler, 1).contains(std::string("cpu/") + name + "/all CPUs"));
  }
}
