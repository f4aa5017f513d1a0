// Memory timelines: handwritten and corrupt ones, and a real one compared with an independent sum.
#include "core/ingest/formats/memory_timeline/memory_timeline.hpp"

#include <simdjson.h>

#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/listing/discover.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

using MemoryRows = std::vector<std::string>;

constexpr std::string_view kSmall =
    "[[-1, 1, 100, 0], [-1, 1, 20, 7],\n [5000, 2, 30, 4], [5000, 2, 1, 5], [6000, 4, -30, 4], [7000, 3, -20, 7], "
    "[7000, 3, 20, 2]]\n";

std::vector<Table> memory_tables(const trace::Profile& profile, const analysis::Scope& scope = {}) {
  return tables_of(profile, "memory_timeline", {}, scope);
}

/// "code at offset: example" of each diagnostic.
MemoryRows odd(const trace::Profile& profile) {
  MemoryRows rows;
  for (const Diagnostic& one : profile.diagnostics.all())
    rows.push_back(one.code + (one.offset == Diagnostic::kNoOffset ? "" : " at " + std::to_string(one.offset)) + " x" +
                   std::to_string(one.count) + ": " + one.example);
  return rows;
}

}  // namespace

TEST_CASE("a memory timeline without traces lists memory in use after each change") {
  const TestFolder folder;
  for (const bool packed : {false, true}) {
    const auto file = folder.write("memory.raw.json.gz", packed ? gzip(kSmall) : std::string(kSmall));
    const auto profile = load(file);
    CHECK(profile->ranks.empty());
    CHECK(profile->diagnostics.empty());
    const std::vector<Table> tables = memory_tables(*profile);
    REQUIRE(tables.size() == 2);
    // File, time, clock; parameters, optimizer, input, temporary, activation, gradient, autograd, unknown; total.
    const std::string name = row_text(tables[0], 0).substr(0, row_text(tables[0], 0).find(' '));
    CHECK(row_texts(tables[0]) == MemoryRows{name + " 0 5000 100 0 0 0 30 1 0 20 151",
                                             name + " 1000 6000 100 0 0 0 0 1 0 20 121",
                                             name + " 2000 7000 100 0 20 0 0 1 0 0 121"});
    CHECK(tables[0].note == "No trace overlaps this timeline, so its times are relative to its own start.");
    CHECK(row_text(tables[1], 4) == name + " Activation 30 0.198675 30 0");
    CHECK(row_text(tables[1], 2) == name + " Input 0 0 20 2000");
    CHECK(row_text(tables[1], 8) == name + " total 151 1 151 0");
  }
}

TEST_CASE("a memory timeline next to a trace uses its clock and range") {
  const TestFolder folder;
  folder.write("trace.json", trace_of(kernel_event("gemm", 4, 6)));  // from 4000 to 10000 ns
  folder.write("deep/memory.json", std::string(kSmall));
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 1);
  REQUIRE(profile->memory.size() == 1);
  const Table all = std::move(memory_tables(*profile)[0]);
  CHECK(all.note.empty());
  CHECK(row_texts(all) == MemoryRows{"deep/memory.json 1000 5000 100 0 0 0 30 1 0 20 151",
                                     "deep/memory.json 2000 6000 100 0 0 0 0 1 0 20 121",
                                     "deep/memory.json 3000 7000 100 0 20 0 0 1 0 0 121"});
  analysis::Scope scope;
  scope.range = Interval{5500, 6500};
  CHECK(row_texts(memory_tables(*profile, scope)[0]) ==
        MemoryRows{"deep/memory.json 1500 5500 100 0 0 0 30 1 0 20 151",
                   "deep/memory.json 2000 6000 100 0 0 0 0 1 0 20 121"});
  scope.range = Interval{8000, 9000};  // memory in use stays in use
  CHECK(row_texts(memory_tables(*profile, scope)[0]) ==
        MemoryRows{"deep/memory.json 4000 8000 100 0 20 0 0 1 0 0 121"});
  scope.range = Interval{4000, 5000};
  CHECK(memory_tables(*profile, scope)[0].note == "Memory in use does not change in this range.");
}

TEST_CASE("a note explains how to record a memory timeline") {
  const auto profile = load_events(kernel_event("gemm"));
  const Table none = std::move(memory_tables(*profile)[0]);
  CHECK(none.rows() == 0);
  CHECK(contains(none.note, "export_memory_timeline"));
}

TEST_CASE("corrupt entries of a memory timeline are skipped and reported") {
  const TestFolder folder;
  const auto loaded = [&](const std::string& text) { return load(folder.write("memory.json", text)); };
  const auto totals = [&](const trace::Profile& profile) {
    MemoryRows rows;
    const Table table = std::move(memory_tables(profile)[0]);
    for (std::size_t row = 0; row < table.rows(); ++row)
      rows.push_back(std::to_string(table.at(row, 2).integer()) + " " + std::to_string(table.at(row, 11).integer()));
    return rows;
  };
  // Out of order, with whitespace everywhere, and with a zero fraction.
  auto profile = loaded("\xEF\xBB\xBF [ [ 30 , 2 , 1 , 7 ] , [10.0,2,5,7],[20,2,7.000,7] ] ");
  CHECK(totals(*profile) == MemoryRows{"10 5", "20 12", "30 13"});
  CHECK(odd(*profile).empty());

  profile =
      loaded("[[10, 2, 5, 7], [20, 2, \"x\", 7], [25], [30, 2, 1.5, 7], {\"a\": 1}, [40, 2, 9, 0], [50, 2, 1, 12]]");
  CHECK(totals(*profile) == MemoryRows{"10 5", "40 14", "50 15"});
  CHECK(odd(*profile) ==
        MemoryRows{"memory-change-unreadable at 16 x4: [20, 2, \"x\", 7]", "memory-category-unknown at 81 x1: 12"});
  CHECK(profile->diagnostics.all()[1].severity == Severity::info);

  profile = loaded("[[10, 2, 5, 7], [20, 2, 9");
  CHECK(totals(*profile) == MemoryRows{"10 5"});
  CHECK(odd(*profile) == MemoryRows{"memory-timeline-cut at 25 x1: the list has no closing bracket"});

  std::string packed = gzip("[[10, 2, 5, 7], [20, 2, 9, 7]]");
  packed.resize(packed.size() - 6);
  profile = loaded(packed);
  CHECK(totals(*profile) == MemoryRows{"10 5", "20 14"});
  REQUIRE(odd(*profile).size() == 1);
  CHECK(odd(*profile)[0].starts_with("memory-timeline-unreadable x1: "));

  profile = loaded("[[10, 2, 9223372036854775807, 7], [20, 2, 9223372036854775807, 7], [-5, 2, -1, 3]]");
  CHECK(totals(*profile) == MemoryRows{"10 9223372036854775806", "20 9223372036854775807"});
}

TEST_CASE("only lists of lists of numbers are memory timelines") {
  const auto looks_like_memory_timeline = [](std::string_view text) {
    return ingest::MemoryTimelineFormat().sniff({"x.json", text});
  };
  CHECK(looks_like_memory_timeline("[[-1, 1, 37888, 7], [-1"));
  CHECK(looks_like_memory_timeline(" \n[ [ 16969,1,"));
  for (const std::string_view other : {"", "[", "[]", "[[]]", "[[1]]", "[[1,", "[{\"ph\": \"X\"}]",
                                       "{\"traceEvents\": []}", "[[\"a\", 1, 2, 3]]", "[1, 2, 3, 4]"})
    CHECK_FALSE(looks_like_memory_timeline(other));
  const TestFolder folder;
  folder.write("events.json", "[" + kernel_event("gemm") + "]");
  folder.write("memory.raw", std::string(kSmall));
  const auto found = ingest::discover(folder.path());
  REQUIRE(found);
  CHECK(found->sources.size() == 2);
  CHECK(ingest::format_of({"", kSmall}).name() == "memory timeline");
}

TEST_CASE("a real memory timeline matches the sum of its changes and HTA") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("skipped, no shared folder");
    return;
  }
  const auto file = *shared / "traces" / "memory_timeline" / "memory_timeline.raw.gz";
  const auto profile = load(file);
  const Table table = std::move(memory_tables(*profile)[0]);
  std::map<std::int64_t, std::array<std::int64_t, 8>> expected;
  std::array<std::int64_t, 8> now{};
  std::int64_t first = 0;
  simdjson::dom::parser parser;
  const simdjson::padded_string text(plain_text_of(file));
  for (const auto entry : parser.parse(text).get_array()) {
    const std::int64_t time = entry.at(0);
    if (first == 0 && time >= 0) first = time;
    now[std::size_t(std::int64_t(entry.at(3)))] += std::int64_t(entry.at(2));
    if (time >= 0) expected[time] = now;
  }
  REQUIRE(table.rows() == expected.size());
  CHECK(table.rows() == 7720);
  std::size_t row = 0;
  for (const auto& [time, bytes] : expected) {
    CHECK(table.at(row, 2).integer() == time);
    CHECK(table.at(row, 1).integer() == time - first);
    for (std::size_t c = 0; c < bytes.size(); ++c) CHECK(table.at(row, 3 + c).integer() == bytes[c]);
    ++row;
  }
}
