// Unchanged replays reproduce the recording; gains and slowdowns agree with the ground truth and with published values.
#include <cmath>
#include <functional>

#include "core/analysis/ranks/replay_graph.hpp"
#include "tests/core/analysis/ranks/golden_values.hpp"
#include "tests/core/analysis/ranks/pipeline_ops.hpp"
#include "tests/core/analysis/ranks/ranks_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::int64_t gain_of(const Table& table, std::int64_t rank) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (integer(table, row, "rank") == rank) return integer(table, row, "gain");
  FAIL("no row of rank " << rank);
  return 0;
}

void check_gain(const tracegen::Options& options, std::size_t row) {
  const GoldenRows golden = golden_rows("whatif_tracegen.csv");
  if (golden.empty()) return;
  const GeneratedSet set(options);
  const auto tables = tables_of(set.profile(), "what_if_ranks", {{"candidates", "8"}});
  const std::int64_t rank = whole(golden[row], "rank_made_as_its_peers");
  const Ns tolerance = whole(golden[row], "span_ns") / 200;
  INFO("row " << row);
  CHECK(std::abs(gain_of(tables.front(), rank) - whole(golden[row], "true_gain_ns")) <= tolerance);
  CHECK(std::abs(gain_of(tables.front(), rank) - whole(golden[row], "lab_replay_gain_ns")) <= 5'000);
  const Table job = table_of(tables, "job");
  CHECK(integer(job, 0, "span") == integer(job, 1, "span"));
}

double mean(const std::vector<Ns>& values) {
  double sum = 0;
  for (const Ns value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

void check_published(const std::string& trace) {
  const GoldenRows golden = golden_rows("whatif_ops_expected.csv");
  if (golden.empty()) return;
  const std::vector<PipelineStep> steps =
      pipeline_steps(*shared_dir() / "oracle" / "ranks" / ("whatif_ops_" + trace + ".csv.gz"));
  std::map<std::string, std::vector<Ns>> by_type;
  for (const PipelineStep& step : steps) {
    CHECK(step.broken() == 0);
    for (std::uint32_t i = 0; i < step.ops.size(); ++i) by_type[step.ops[i].type].push_back(step.own(i));
  }
  // Communication is compared with its median transfer, computation with its mean.
  std::map<std::string, Ns> ideal;
  for (auto& [type, values] : by_type) {
    const bool communicates = type.find("-send") != std::string::npos || type.find("-recv") != std::string::npos ||
                              type.find("-all-reduce") != std::string::npos ||
                              type.find("-gather") != std::string::npos || type.find("-scatter") != std::string::npos ||
                              type == "optimizer-clip-main-grad";
    if (!communicates) {
      ideal[type] = std::llround(mean(values));
      continue;
    }
    std::ranges::sort(values);
    ideal[type] = (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
  }
  const auto mean_length = [&](const std::function<bool(const PipelineOp&)>& keeps) {
    std::vector<Ns> lengths;
    for (const PipelineStep& step : steps) {
      std::vector<Ns> durations;
      for (std::uint32_t i = 0; i < step.ops.size(); ++i)
        durations.push_back(keeps(step.ops[i]) ? step.own(i) : ideal.at(step.ops[i].type));
      lengths.push_back(step.length(durations));
    }
    return mean(lengths);
  };
  const double best = mean_length([](const PipelineOp&) { return false; });
  for (const auto& row : golden) {
    if (row.at("trace") != trace) continue;
    const std::string& kept = row.at("kept_slow");
    const std::string& which = row.at("which");
    const double slowdown = mean_length([&](const PipelineOp& op) {
                              if (kept == "all") return true;
                              if (kept == "dp_rank") return op.dp == std::stoi(which);
                              if (kept == "stage") return op.stage == std::stoi(which);
                              if (which == "forward-pp-comm")
                                return op.type == "forward-send" || op.type == "forward-recv";
                              if (which == "backward-pp-comm")
                                return op.type == "backward-send" || op.type == "backward-recv";
                              return op.type == which;
                            }) /
                            best;
    INFO(trace << ", " << kept << " " << which);
    CHECK(slowdown == Approx(std::stod(row.at("slowdown_published"))).margin(1e-3));
  }
}

}  // namespace

TEST_CASE("a replay starts nodes after their dependencies, and groups after their last member") {
  analysis::ReplayGraph graph;
  const auto a = graph.add_node(10, 5);
  const auto b = graph.add_node(0, 2, 0);  // of a group
  const auto c = graph.add_node(0, 3, 0);
  const auto d = graph.add_node(0, 1);
  graph.add_edge(a, b, 4);
  graph.add_edge(b, d, 0);
  graph.finish();
  const auto times = graph.replay();
  CHECK(times.starts == std::vector<Ns>{10, 19, 0, 21});
  CHECK(times.ends == std::vector<Ns>{15, 21, 22, 22});
  static_cast<void>(c);
  CHECK(graph.replay(std::vector<Ns>{7, 2, 3, 1}).starts == std::vector<Ns>{10, 21, 0, 23});
}

TEST_CASE("nodes that wait for each other start as recorded") {
  analysis::ReplayGraph graph;
  const auto a = graph.add_node(10, 5);
  const auto b = graph.add_node(12, 5);
  graph.add_edge(b, a, 0);
  graph.add_edge(a, b, 0);
  graph.finish();
  CHECK(graph.broken() == 1);
  CHECK(graph.replay().starts == std::vector<Ns>{10, 15});
}

TEST_CASE("estimated gains of a generated job with a slow rank and a stall are correct") {
  check_gain(golden_job(), 0);
  check_gain(golden_job(), 1);
}

TEST_CASE("the estimated gain of a generated job with a slow rank is correct") {
  check_gain(golden_job(true, false), 2);
}

TEST_CASE("the estimated gain of a generated job with a stall is correct") { check_gain(golden_job(false, true), 3); }

TEST_CASE("no rank of a healthy job is worth fixing") {
  const GeneratedSet set(golden_job(false, false));
  CHECK(tables_of(set.profile(), "what_if_ranks").front().note.starts_with("No single rank matters"));
}

TEST_CASE("replays of a published job reproduce its slowdowns") { check_published("ST"); }

TEST_CASE("replays of a published job with a slow pipeline stage reproduce its slowdowns") { check_published("AR"); }

TEST_CASE("the note explains slowdowns below 1") {
  const auto shared = shared_dir();
  if (!shared) return;
  const auto tables = tables_of(*load(*shared / "traces" / "dlrm8"), "what_if_ranks");
  CHECK(figure(table_of(tables, "job"), 0, "slowdown") < 0.9995);
  CHECK(says(tables.front().note, "Slowdowns can be below 1, because this replay also slows down ranks"));
}

TEST_CASE("a replay requires several ranks") {
  RanksJob job(1, 4);
  job.collective(0, {.begin = 1, .length = 1, .sequence = 1});
  CHECK(job.tables("what_if_ranks").front().note ==
        "Comparing ranks requires at least two ranks; only 1 of 4 ranks has a trace.");
}
