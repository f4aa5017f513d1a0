// Memory allocated by operators, checked by hand on a small trace and against PyTorch's own totals on real traces.
#include <fmt/format.h>

#include "core/analysis/memory/memory_blocks.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// `used`: memory in use after the event; if negative, neither it nor the address is recorded.
std::string memory_event(double time, std::int64_t bytes, std::int64_t address, std::int64_t used) {
  return fmt::format(
      R"(,{{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":100,"tid":100,"ts":{},"s":"t",)"
      R"("args":{{"Device Type":1,"Device Id":0,"Bytes":{}{}}}}})",
      time, bytes,
      used < 0 ? "" : fmt::format(R"(,"Addr":{},"Total Allocated":{},"Total Reserved":5000)", address, used));
}

std::string memory_trace(bool addresses) {
  TinyEvents events;
  events.step(1, 0, 100).step(2, 100, 100);
  events.op("aten::linear", 10, 30).op("aten::empty", 12, 4).op("aten::add", 50, 10).op("aten::add", 120, 10);
  const auto used = [&](std::int64_t bytes) { return addresses ? bytes : -1; };
  // 1000 bytes are in use before the trace; 600 of them are released in step 2.
  return events.text() + memory_event(14, 400, 7, used(1400)) + memory_event(30, 100, 8, used(1500)) +
         memory_event(45, -100, 8, used(1400)) + memory_event(55, 700, 9, used(2100)) +
         memory_event(80, -700, 9, used(1400)) + memory_event(125, 300, 9, used(1700)) +
         memory_event(150, -600, 3, used(1100));
}

}  // namespace

TEST_CASE("allocations are matched with releases and their operators") {
  const TestFolder folder;
  const auto tables = tables_of(*load(folder.write("rank0.json", trace_of(memory_trace(true)))), "allocations");
  const auto rows = [&](std::string_view id) { return row_texts(table_of(tables, id)); };
  using Rows = std::vector<std::string>;
  CHECK(rows("memory-by-device") == Rows{"0 GPU 0 2100 55000 5000 1000 1100 100 4 3 0"});
  CHECK(table_of(tables, "memory-by-device").note ==
        "GPU 0 of rank 0 has the highest peak: 2.05 KiB in use, 4.88 KiB reserved. At the end, 100 B more memory is in "
        "use "
        "than at the start.");
  CHECK(rows("alive-at-peak") == Rows{"0 GPU 0 (allocated before the recording) - 1000 0.47619",
                                      "0 GPU 0 aten::add 1 700 0.333333", "0 GPU 0 aten::empty 1 400 0.190476"});
  CHECK(rows("memory-by-operator") == Rows{"aten::add device 2 1000 0 1000 700", "aten::empty device 1 400 0 400 400",
                                           "aten::linear device 1 100 0 100 100",
                                           "(outside operators) device 0 0 1400 -1400 0"});
  CHECK(rows("memory-by-step") ==
        Rows{"0 GPU 0 ProfilerStep#1 0 2100 1400 -", "0 GPU 0 ProfilerStep#2 100000 1700 1100 -300"});
  CHECK(rows("memory-over-time").size() == 7);
}

TEST_CASE("allocations that failed are listed with their operator") {
  const auto failure = [](double time, std::string_view device) {
    return fmt::format(R"(,{{"ph":"i","cat":"cpu_instant_event","name":"[OutOfMemory]","pid":100,"tid":100,"ts":{},)"
                       R"("s":"t","args":{{{}"Bytes":9000,"Total Allocated":1700,"Total Reserved":5000}}}})",
                       time, device);
  };
  const std::string gpu = R"("Device Type":1,"Device Id":0,)";
  const TestFolder folder;
  const auto tables_in = [&](const std::string& events) {
    return tables_of(*load(folder.write("rank0.json", trace_of(events))), "allocations");
  };
  const auto tables = tables_in(memory_trace(true) + failure(126, gpu) + failure(190, ""));
  CHECK(row_texts(table_of(tables, "out-of-memory")) ==
        std::vector<std::string>{"0 GPU 0 126000 aten::add 9000 1700 5000",
                                 "0 (not recorded) 190000 (outside operators) 9000 1700 5000"});
  REQUIRE(table_of(tables, "memory-by-device").rows() == 1);
  CHECK(row_text(table_of(tables, "memory-by-device"), 0).ends_with(" 4 3 1"));
  TinyEvents alone;
  alone.op("aten::empty", 0, 10);
  CHECK(table_of(tables_in(alone.text() + failure(5, gpu)), "out-of-memory").rows() == 1);
}

TEST_CASE("allocations without addresses have sums, but no blocks") {
  const TestFolder folder;
  const auto tables = tables_of(*load(folder.write("rank0.json", trace_of(memory_trace(false)))), "allocations");
  CHECK(row_texts(table_of(tables, "memory-by-device")) ==
        std::vector<std::string>{"0 GPU 0 1100 55000 - 0 100 100 4 3 0"});
  CHECK(table_of(tables, "alive-at-peak").rows() == 0);
  CHECK(table_of(tables, "alive-at-peak").note.starts_with("The traces do not record addresses"));
  TinyEvents events;
  events.op("aten::add", 0, 10);
  CHECK(tables_of(*load_events(events.text()), "allocations")[0].note ==
        "No memory events in this selection; to record them, use profile(profile_memory=True).");
}

TEST_CASE("allocations add up to the totals recorded by PyTorch") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  for (const char* const name : {"h100_inference", "mi300_qwen", "v100_5steps"}) {
    CAPTURE(name);
    const auto profile = load(*shared / "traces" / name);
    const analysis::AnalysisInput input{*profile, {}, {}};
    const analysis::GpuRows gpu(*profile, {}, {});
    const auto memory = analysis::rank_memory(input, 0, *gpu.of(0));
    REQUIRE(memory.ok());
    REQUIRE(memory->addresses);
    std::map<std::int64_t, std::int64_t> used;
    std::size_t compared = 0;
    for (const analysis::PlacedChange& each : memory->changes) {
      if (!each.change.on_device) continue;
      const auto [entry, fresh] = used.try_emplace(each.change.device, each.change.allocated);
      if (!fresh) {
        entry->second += each.change.bytes;
        REQUIRE(entry->second == each.change.allocated);
        ++compared;
      }
    }
    CHECK(compared > 1000);
    // The allocations and releases of all blocks account for all changes.
    std::size_t ends = 0;
    for (const analysis::MemoryBlock& block : memory->blocks)
      ends += (block.allocation != analysis::MemoryBlock::kNone) + (block.release != analysis::MemoryBlock::kNone);
    CHECK(ends == memory->changes.size());
  }
}
