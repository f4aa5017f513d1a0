// aten_op_kernels_and_delay and frequent_cuda_kernel_sequences.
#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/analysis/brute_operators.hpp"
#include "tests/core/analysis/brute_patterns.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

namespace {

/// aten::linear launches nothing itself; aten::addmm launches two kernels and a memcpy twice, and once without the
/// second kernel.
TinyEvents linears() {
  TinyEvents events;
  for (int i = 0; i < 3; ++i) {
    const double at = 100.0 * i;
    const int id = 10 * i;
    events.op("aten::linear", at + 1, 20).op("aten::addmm", at + 2, 10);
    events.launch(at + 3 + i, id + 1).launch(at + 7, id + 3, "cudaMemcpyAsync");
    events.run({.name = "gemm", .begin = at + 10 + i, .length = 4, .correlation = id + 1});
    if (i < 2) events.launch(at + 5, id + 2, "hipLaunchKernel");
    if (i < 2) events.run({.name = "bias", .begin = at + 16, .length = 2, .correlation = id + 2});
    events.run({.name = "Memcpy", .begin = at + 20, .length = 1, .correlation = id + 3, .category = "gpu_memcpy"});
  }
  return events;
}

}  // namespace

TEST_CASE("operators list the kernels that they launched directly, with mean delays") {
  const auto profile = load_events(linears().text());
  const auto rows = [&](std::vector<Setting> settings, const Scope& scope = {}) {
    return row_texts(tables_of(*profile, "aten_op_kernels_and_delay", std::move(settings), scope)[0]);
  };
  // Launched 1 and 2 µs after the operator starts; kernels start 7 µs later, 6.5 µs after the call ends.
  CHECK(rows({}) == Rows{"0 aten::addmm gemm -> bias 2 1500 7000 6500", "0 aten::addmm gemm 1 3000 7000 6500"});
  CHECK(rows({{"include_memory", "true"}}) ==
        Rows{"0 aten::addmm gemm -> bias -> Memcpy 2 1500 7000 6500", "0 aten::addmm gemm -> Memcpy 1 3000 7000 6500"});
  CHECK(rows({{"names", "1"}})[0] == "0 aten::addmm gemm -> … (1 more) 2 1500 7000 6500");
  // HTA does not recognize the second launch.
  CHECK(rows({{"hta", "true"}}) == Rows{"0 aten::addmm gemm 3 2000 7000 6500"});
  CHECK(rows({{"operators", "aten::linear, cuda*"}}) ==
        Rows{"0 aten::linear gemm -> bias 2 2500 7000 6500", "0 aten::linear gemm 1 4000 7000 6500"});
  const Interval range{profile->span.begin + 50'000, profile->span.begin + 250'000};
  CHECK(rows({}, {{}, range}) ==
        Rows{"0 aten::addmm gemm -> bias 1 2000 7000 6500", "0 aten::addmm gemm 1 3000 7000 6500"});
}

TEST_CASE("a note explains missing launches or operators") {
  TinyEvents events;
  events.launch(1, 1).run({.begin = 3, .correlation = 1}).op("aten::add", 10, 5);
  const auto tables = tables_of(*load_events(events.text()), "aten_op_kernels_and_delay");
  CHECK(tables[0].rows() == 0);
  CHECK(tables[0].note == "The traces contain no kernels launched by these operators.");
}

TEST_CASE("kernel sequences count for the outermost call of a name, in execution order") {
  const auto profile = load_events(linears().text());
  const auto rows = [&](std::vector<Setting> settings, const Scope& scope = {}) {
    return row_texts(tables_of(*profile, "frequent_cuda_kernel_sequences", std::move(settings), scope)[0]);
  };
  CHECK(rows({}) == Rows{"aten::linear|gemm|bias|Memcpy 2 14000 40000"});
  CHECK(rows({{"min_pattern_len", "2"}}) ==
        Rows{"aten::linear|gemm|bias|Memcpy 2 14000 40000", "aten::linear|gemm|Memcpy 1 5000 20000"});
  CHECK(rows({{"operator_name", "addmm"}}) == Rows{"aten::addmm|gemm|bias|Memcpy 2 14000 20000"});
  CHECK(rows({{"names", "2"}}) == Rows{"aten::linear|gemm|bias|… (1 more) 2 14000 40000"});
  const Interval range{profile->span.begin, profile->span.begin + 110'000};
  CHECK(rows({}, {{}, range}) == Rows{"aten::linear|gemm|bias|Memcpy 1 7000 20000"});
  const auto none = tables_of(*profile, "frequent_cuda_kernel_sequences", {{"operator_name", "conv"}});
  CHECK(none[0].rows() == 0);
  CHECK(none[0].note == "No call with \"conv\" in its name launched 3 or more kernels in this selection.");
}

TEST_CASE("a deeper call with the same name also counts, except with hta") {
  TinyEvents events;
  events.op("aten::mm", 1, 5).launch(2, 1);
  events.op("outer", 10, 10).op("aten::mm", 11, 5).launch(12, 2);
  events.run({.begin = 30, .length = 2, .correlation = 1}).run({.begin = 40, .length = 2, .correlation = 2});
  const auto profile = load_events(events.text());
  const std::vector<Setting> one{{"min_pattern_len", "1"}, {"operator_name", "mm"}};
  std::vector<Setting> as_hta = one;
  as_hta.emplace_back("hta", "true");
  CHECK(row_texts(tables_of(*profile, "frequent_cuda_kernel_sequences", one)[0]) == Rows{"aten::mm|gemm 2 4000 10000"});
  CHECK(row_texts(tables_of(*profile, "frequent_cuda_kernel_sequences", as_hta)[0]) ==
        Rows{"aten::mm|gemm 1 2000 5000"});
}

TEST_CASE("operator kernels and delays agree with a search of all operators") {
  const TestFolder folder;
  (void)tracegen::generate(small_job(2), folder.path());
  const auto profile = load(folder.path());
  const Table table = std::move(tables_of(*profile, "aten_op_kernels_and_delay", {{"names", "0"}})[0]);
  const Brute brute(folder.path());
  std::size_t rows = 0;
  for (const NaiveFile* file : brute.files()) {
    const auto expected = brute_operators(*file);
    CHECK(expected.size() > 3);
    rows += expected.size();
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (table.at(row, 0).integer() != file->rank) continue;
      const std::string key = std::string(table.at(row, 1).text()) + ": " + std::string(table.at(row, 2).text());
      INFO(key);
      REQUIRE(expected.contains(key));
      const BruteDelays& sums = expected.at(key);
      CHECK(table.at(row, 3).integer() == sums.count);
      CHECK(table.at(row, 4).number() == Approx(static_cast<double>(sums.launch) / static_cast<double>(sums.count)));
      CHECK(table.at(row, 5).number() == Approx(static_cast<double>(sums.runtime) / static_cast<double>(sums.count)));
    }
  }
  CHECK(table.rows() == rows);
}

TEST_CASE("frequent sequences agree with walking up from each launch") {
  const TestFolder folder;
  (void)tracegen::generate(small_job(2), folder.path());
  const auto profile = load(folder.path());
  const Brute brute(folder.path());
  for (const auto& [part, least] : std::vector<std::pair<std::string, std::size_t>>{
           {"aten::", 1}, {"ProfilerStep", 3}, {"autograd", 1}, {"mm", 2}}) {
    INFO(part);
    std::map<std::string, BrutePattern> expected;
    for (const NaiveFile* file : brute.files()) add_brute_patterns(expected, *file, part, least);
    const auto told = told_patterns(*profile, part, least);
    CHECK((told == expected));
    CHECK((part == "mm" || !expected.empty()));
  }
}
