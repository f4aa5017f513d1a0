// Handwritten CUPTI profiler counters: counters by kernel, and the operators that launched the kernels.
#include <fmt/format.h>

#include <filesystem>

#include "core/ingest/load/loader.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string counted(std::string_view name, int begin, std::string_view counters) {
  return fmt::format(R"({{"ph": "X", "cat": "cuda_profiler_range", "name": "{}", "pid": 0, "tid": 0, "ts": {},
                         "dur": 100, "args": {{{}}}}})",
                     name, begin, counters);
}

std::string trace_with(const TinyEvents& host, std::initializer_list<std::string> ranges) {
  std::string text = host.text();
  for (const std::string& range : ranges) text += ",\n" + range;
  return trace_of(text);
}

/// Three kernels are launched, two of them by operators.
TinyEvents three_launches() {
  TinyEvents events;
  events.step(1, 0, 100).op("aten::linear", 1, 20).op("aten::addmm", 2, 10).launch(3, 1);
  events.launch(4, 2, "cudaMemcpyAsync").op("aten::relu", 30, 10).launch(31, 3, "cuLaunchKernelEx").launch(50, 4);
  return events;
}

using CountedRows = std::vector<std::string>;

}  // namespace

TEST_CASE("kernel counters are listed with the operators that launched the kernel") {
  const TestFolder folder;
  // Not in time order; one has an extra counter, one has a fraction, one has a string.
  const auto profile =
      load(folder.write("trace.json", trace_with(three_launches(), {counted("gemm", 1000, R"("a.sum": 7, "b": 2.5)"),
                                                                    counted("last", 3000, R"("a.sum": 9, "why": "x")"),
                                                                    counted("relu", 2000, R"("a.sum": 8)")})));
  const std::vector<Table> tables = tables_of(*profile, "cupti_counters");
  REQUIRE(tables.size() == 1);
  CHECK(row_texts(tables[0]) ==
        CountedRows{"0 gemm 1000000 100000 aten::linear aten::addmm aten::linear|aten::addmm 7 2.5",
                    "0 relu 2000000 100000 aten::relu aten::relu aten::relu 8 -", "0 last 3000000 100000 - - - 9 -"});
  CHECK(tables[0].columns()[7].name == "a.sum");
  CHECK(tables[0].columns()[7].kind == ColumnKind::integer);
  CHECK(tables[0].columns()[8].csv_name == "b");
  CHECK(tables[0].columns()[8].kind == ColumnKind::real);
  CHECK(tables[0].note == "Non-numeric values skipped: 1.");
  // HTA recognizes only cudaLaunchKernel, which is called twice.
  const Table hta = std::move(tables_of(*profile, "cupti_counters", {{"hta", "true"}})[0]);
  CHECK(hta.rows() == 0);
  CHECK(hta.note.starts_with("Rank 0 has counters for 3 kernels but 2 launches,"));
  analysis::Scope scope;
  scope.range = Interval{profile->span.begin + 1'500'000, profile->span.begin + 2'500'000};
  CHECK(row_texts(tables_of(*profile, "cupti_counters", {}, scope)[0]) ==
        CountedRows{"0 relu 2000000 100000 aten::relu aten::relu aten::relu 8"});
}

TEST_CASE("counters have no operators if the numbers of kernels and launches differ") {
  const TestFolder folder;
  const auto profile = load(folder.write(
      "trace.json",
      trace_with(three_launches(), {counted("one", 1000, R"("a": 1)"), counted("two", 2000, R"("a": 2)")})));
  const Table table = std::move(tables_of(*profile, "cupti_counters")[0]);
  CHECK(row_texts(table) == CountedRows{"0 one 1000000 100000 - - - 1", "0 two 2000000 100000 - - - 2"});
  CHECK(table.note == "Rank 0 has counters for 2 kernels but 3 launches, so they cannot be matched.");
}

TEST_CASE("a note explains missing counters and deleted traces") {
  const TestFolder folder;
  const auto plain = load(folder.write("plain.json", trace_of(three_launches().text())));
  const Table none = std::move(tables_of(*plain, "cupti_counters")[0]);
  CHECK(none.rows() == 0);
  CHECK(contains(none.note, "profiler_metrics"));

  const std::filesystem::path path = folder.write(
      "gone.json", trace_with(three_launches(), {counted("one", 1000, R"("a": 1)"), counted("two", 2000, R"("a": 2)"),
                                                 counted("three", 3000, R"("a": 3)")}));
  const auto gone = load(path);
  std::filesystem::remove(path);
  const Table table = std::move(tables_of(*gone, "cupti_counters")[0]);
  CHECK(table.rows() == 3);
  CHECK(row_text(table, 0) == "0 one 1000000 100000 aten::linear aten::addmm aten::linear|aten::addmm");
  CHECK(table.note.starts_with("Cannot read the counters of rank 0 from the trace: "));
}

TEST_CASE("a converted profile has counters even without its trace") {
  const TestFolder folder;
  const std::filesystem::path path = folder.write(
      "trace.json", trace_with(three_launches(), {counted("one", 1000, R"("a": 1)"), counted("two", 2000, R"("a": 2)"),
                                                  counted("three", 3000, R"("a": 3)")}));
  const std::string converted = (folder.path() / "all.wscope").string();
  {
    ingest::Loader loader(path.string());
    loader.wait();
    REQUIRE_FALSE(loader.save(converted, CancelToken()));
  }
  std::filesystem::remove(path);
  ingest::Loader loader(converted);
  loader.wait();
  REQUIRE(loader.profile());
  const auto tables = analysis::run_analysis(*analysis::find_analysis("cupti_counters"), *loader.profile(), {}, {},
                                             nullptr, nullptr, loader.events().get());
  REQUIRE(tables);
  CHECK((*tables)[0].note.empty());
  REQUIRE((*tables)[0].rows() == 3);
  CHECK(row_text((*tables)[0], 2) == "0 three 3000000 100000 - - - 3");
}
