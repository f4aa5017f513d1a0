// The tables of SageMaker Debugger's report: parts of the job, steps by phase, framework metrics, distributions.
#include <cmath>
#include <map>
#include <numeric>

#include "core/analysis/job/sample_tables.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/rules/framework_timeline.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

using Rows = std::vector<std::string>;

/// Ten training steps of 100 ms with an evaluation of 4 × 50 ms between the halves, and pauses of 100 ms around it.
FrameworkTimeline two_phases() {
  FrameworkTimeline timeline;
  for (int s = 0; s < 5; ++s) timeline.step("TRAIN", s, 10'000 + 100 * s, 100);
  for (int s = 0; s < 4; ++s) timeline.step("EVAL", s, 10'600 + 50 * s, 50);
  for (int s = 5; s < 10; ++s) timeline.step("TRAIN", s, 10'400 + 100 * s, 100);
  return timeline;
}

}  // namespace

TEST_CASE("steps of each phase and the time outside them add up to the training loop") {
  const auto profile = two_phases().load();
  const Table metrics = tables_of(*profile, "framework_metrics")[0];
  // 1.0 s of training, 0.2 s of evaluation, 0.2 s outside.
  std::map<std::string, std::string> rows;
  for (std::size_t row = 0; row < metrics.rows(); ++row)
    rows[std::string(metrics.at(row, 0).text())] = row_text(metrics, row);
  REQUIRE(rows.size() == 3);
  double share = 0;
  for (std::size_t row = 0; row < metrics.rows(); ++row) share += metrics.at(row, 3).number();
  CHECK(share == Approx(1));
  CHECK(rows["outside steps"] == "outside steps - 200000000 0.142857");
  const Table steps = tables_of(*profile, "steps_by_phase")[0];
  REQUIRE(steps.rows() == 2);
  std::map<std::string, std::int64_t> shortest;
  for (std::size_t row = 0; row < 2; ++row)
    shortest[std::string(steps.at(row, 2).text())] = steps.at(row, *steps.find_role(ColumnRole::min)).integer();
  CHECK(shortest.begin()->second == 50'000'000);
  CHECK(shortest.rbegin()->second == 100'000'000);
}

TEST_CASE("initialization, training loop and finalization make up the job") {
  FrameworkTimeline timeline = two_phases();
  for (int time = 2'000; time <= 12'000; time += 100) timeline.sample(time);
  const Table parts = tables_of(*timeline.load(), "job_statistics")[0];
  REQUIRE(parts.rows() == 3);
  CHECK(parts.at(0, 2).integer() == 8'000'000'000);
  CHECK(parts.at(1, 2).integer() == 1'400'000'000);
  CHECK(parts.at(2, 2).integer() == 700'000'000);  // a sample lasts until the next one would be due
  CHECK(parts.at(0, 3).number() + parts.at(1, 3).number() + parts.at(2, 3).number() == Approx(1));
  const trace::Profile empty;
  const Table nothing = tables_of(empty, "job_statistics")[0];
  CHECK(nothing.rows() == 0);
  CHECK_FALSE(nothing.note.empty());
}

TEST_CASE("boxes have whiskers of 1.5 interquartile ranges within the values") {
  std::vector<double> values;
  for (int i = 0; i <= 100; ++i) values.push_back(i);
  values.push_back(500);
  const analysis::Box box = analysis::box_of(values);
  CHECK(box.count == 102);
  CHECK(box.p50 == Approx(50.5).margin(0.5));
  CHECK(box.lower == Approx(0));
  CHECK(box.upper <= box.p75 + 1.5 * (box.p75 - box.p25));
  CHECK(box.max == 500);
  CHECK(analysis::box_of({}).count == 0);
}

TEST_CASE("equal workloads have no distance and disjoint ones the largest, and AWS drops samples above 98 %") {
  const std::vector<double> idle(10, 1.0);
  const std::vector<double> busy(30, 99.0);
  const auto p = analysis::workload_of(idle);
  const auto q = analysis::workload_of(busy);
  CHECK(analysis::workload_distance(p, p) == Approx(0).margin(1e-9));
  CHECK(analysis::workload_distance(p, q) == Approx(std::sqrt(std::log(2.0))));
  CHECK(q.back() == 30);
  const auto aws = analysis::aws_workload_of(busy);
  CHECK(std::accumulate(aws.begin(), aws.end(), 0.0) == 0);
}
