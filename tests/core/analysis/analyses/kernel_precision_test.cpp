#include <fstream>
#include <map>
#include <set>
#include <string>

#include "core/analysis/shared/precision.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope::analysis;
using namespace warpscope::tests;

TEST_CASE("precision is inferred from kernel names") {
  std::ifstream names(warpscope::tests::source_dir() / "tests/core/analysis/kernel_names.txt");
  REQUIRE(names);
  std::map<std::string, int> seen;
  for (std::string line; std::getline(names, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    const std::string kernel = line.substr(tab + 1);
    const PrecisionRule* rule = precision_rule(kernel);
    INFO(kernel);
    INFO((rule != nullptr ? rule->pattern : "no rule"));
    CHECK(to_string(kernel_precision(kernel)) == line.substr(0, tab));
    ++seen[line.substr(0, tab)];
  }
  int all = 0;
  for (const auto& [precision, count] : seen) all += count;
  CHECK(all >= 80);
  for (const char* precision : {"FP64", "FP32", "TF32", "FP16", "BF16", "FP8", "INT8", "INT32", "INT64", "unknown"})
    CHECK(seen[precision] > 1);
}

TEST_CASE("precision rules can all match") {
  std::set<std::string> patterns;
  for (const PrecisionRule& rule : precision_rules()) {
    INFO(rule.pattern);
    CHECK(patterns.insert(std::string(rule.pattern)).second);
    for (const char c : rule.pattern) CHECK_FALSE((c >= 'A' && c <= 'Z'));
    // A name equal to a pattern matches that pattern, or an earlier one with the same result.
    std::string name;
    for (const char c : rule.pattern)
      if (c != '|') name += c == '*' ? 'x' : c;
    CHECK(kernel_precision(name) == rule.precision);
  }
}

TEST_CASE("precision patterns match whole words") {
  CHECK(kernel_precision("transpose_NCHW2CNHW_V2_2D_WG_off64") == Precision::unknown);
  CHECK(kernel_precision("void sort<cub::DoubleBuffer<long> >(cub::DoubleBuffer<long>)") == Precision::unknown);
  CHECK(kernel_precision("wgradgemm") == Precision::unknown);
  CHECK(kernel_precision("") == Precision::unknown);
  CHECK(kernel_precision("AMPERE_SGEMM_64X64_NN") == Precision::fp32);
}

TEST_CASE("precision shares are relative to computation, and communication has its own row") {
  TinyEvents events;
  events.run({.name = "ncclDevKernel_AllReduce_Sum_f16_RING_LL", .begin = 0, .length = 730, .stream = 20});
  events.run({.name = "hgemm", .begin = 0, .length = 90});
  events.run({.name = "sgemm", .begin = 100, .length = 27});
  events.run({.name = "sgemm", .begin = 200, .length = 3});
  events.op("record_param_comms", 300, 50).launch(310, 1);
  events.run({.name = "sgemm", .begin = 400, .length = 50, .correlation = 1});
  events.run({.name = "gather_rows", .begin = 500, .length = 100});
  const auto profile = load_events(events.text());
  const auto tables = tables_of(*profile, "kernel_precision", {{"kernel_class", "memory=gather_rows"}});
  CHECK(row_texts(tables[0]) == std::vector<std::string>{"FP16 90000 1 0.75", "FP32 30000 2 0.25",
                                                         "communication 780000 2 -", "memory 100000 1 -"});
  CHECK(tables[0].note ==
        "Inferred from kernel names; unknown if the name does not indicate the precision. Percentages are relative to "
        "computation; communication accounts for 86.7 % of kernel time.");
  CHECK(row_texts(tables[1]) ==
        std::vector<std::string>{"ncclDevKernel_AllReduce_Sum_f16_RING_LL communication - 730000 1",
                                 "gather_rows memory - 100000 1", "hgemm FP16 hgemm 90000 1",
                                 "sgemm communication - 50000 1", "sgemm FP32 sgemm 30000 2"});
}
