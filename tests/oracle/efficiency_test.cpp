// Efficiency against TraceLens' report of mi300_qwen (see README.md here).
#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/efficiency/problem.hpp"
#include "core/analysis/overview/product_work.hpp"
#include "core/ingest/format/event_text.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// Python writes strings in single quotes.
std::string json_of(std::string list) {
  std::ranges::replace(list, '\'', '"');
  return list;
}

analysis::Problem problem_of_row(const CsvFrame& frame, std::size_t row) {
  const ingest::EventText event{{{"args.Input Dims", json_of(frame.text(row, "Input Dims_first"))},
                                 {"args.Input type", json_of(frame.text(row, "Input type_first"))},
                                 {"args.Concrete Inputs", json_of(frame.text(row, "Concrete Inputs_first"))}}};
  const analysis::ProblemModel* const model = analysis::find_model(frame.text(row, "name"));
  REQUIRE(model != nullptr);
  const auto problem = model->problem(analysis::Operands::read(event));
  REQUIRE(problem.has_value());
  return *problem;
}

struct Reference {
  double count = 0;
  double us = 0;
  double flops = 0;  ///< of a call
};

}  // namespace

TEST_CASE("efficiency matches TraceLens in operations, bytes and rates", "[oracle]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  const auto folder = *shared / "oracle" / "tracelens" / "mi300_qwen";
  std::map<std::string, Reference> references;
  std::size_t rows = 0;
  for (const char* const name : {"GEMM", "SDPA_fwd", "BinaryElementwise", "UnaryElementwise", "Reduce_fwd"}) {
    const CsvFrame frame = CsvFrame::read(folder / (std::string(name) + ".csv"));
    for (std::size_t row = 0; row < frame.rows(); ++row) {
      const analysis::Problem problem = problem_of_row(frame, row);
      CAPTURE(frame.text(row, "name"), problem.dims);
      const double flops = std::round(frame.number(row, "GFLOPS_first") * 1e9);
      const double bytes = std::round(frame.number(row, "Data Moved (MB)_first") * 1024 * 1024);
      // T1: a copy computes nothing.
      CHECK(problem.flops == (problem.kind == analysis::ProblemKind::copy ? 0 : flops));
      // T2: the mean over the last dimension has a result for each of 16 · 559 rows, not one.
      CHECK(problem.bytes == (problem.kind == analysis::ProblemKind::reduction ? bytes + (16 * 559 - 1) * 4 : bytes));
      Reference& reference = references[frame.text(row, "name") + ' ' + problem.dims + ' ' + problem.dtype];
      reference.count += frame.number(row, "name_count");
      reference.us += frame.number(row, "Kernel Time (µs)_sum");
      reference.flops = problem.flops;
      ++rows;
    }
  }
  CHECK(rows == 26);
  const auto profile = load(*shared / "traces" / "mi300_qwen");
  const CsvFrame ours = run_as_csv(*profile, "efficiency");
  std::size_t compared = 0;
  for (std::size_t row = 0; row < ours.rows(); ++row) {
    const auto found =
        references.find(ours.text(row, "name") + ' ' + ours.text(row, "dims") + ' ' + ours.text(row, "dtype"));
    if (found == references.end()) continue;
    CAPTURE(found->first);
    const Reference& reference = found->second;
    CHECK(ours.number(row, "count") == reference.count);
    // TraceLens keeps times as 32-bit floating-point numbers.
    CHECK(std::abs(ours.number(row, "gpu_time_ns") / 1000 - reference.us) < 0.001 * reference.us);
    const double rate = reference.flops * reference.count / reference.us / 1e6;
    CHECK(std::abs(ours.number(row, "tflops_per_s") - rate) <= 0.01 * rate);
    ++compared;
  }
  CHECK(compared == references.size());
}

TEST_CASE("model FLOPs are the sum of TraceLens' products", "[oracle]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  double gflops = 0;
  for (const char* const name : {"GEMM", "SDPA_fwd"}) {
    const CsvFrame frame =
        CsvFrame::read(*shared / "oracle" / "tracelens" / "mi300_qwen" / (std::string(name) + ".csv"));
    for (std::size_t row = 0; row < frame.rows(); ++row)
      gflops += frame.number(row, "GFLOPS_first") * frame.number(row, "name_count");
  }
  const auto profile = load(*shared / "traces" / "mi300_qwen");
  const analysis::AnalysisInput input{*profile, {}, {}};
  const analysis::GpuRows rows(*profile, {}, {});
  analysis::ProblemBook book(input, analysis::ProblemBook::Which::products);
  analysis::PeaksOfModels peaks = *analysis::PeaksOfModels::with("");
  const analysis::ProductWork work(input, 0, *rows.of(0), book, peaks);
  CHECK(std::abs(work.within(profile->span).flops / 1e9 - gflops) < 1e-6 * gflops);
  // MI300X, bf16: 1307.4 TFLOP/s.
  CHECK(work.utilization(profile->span, profile->span.length()) ==
        Approx(gflops * 1e9 / 1307.4e12 / (1e-9 * static_cast<double>(profile->span.length()))));
}
