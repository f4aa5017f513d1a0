// Replays start work after its dependencies; those of published jobs reproduce the published slowdowns.
#include "core/analysis/ranks/replay_graph.hpp"

#include <cmath>
#include <functional>

#include "tests/core/analysis/ranks/golden_values.hpp"
#include "tests/core/analysis/ranks/pipeline_ops.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

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
  CHECK(graph.replay() == std::vector<Ns>{15, 21, 22, 22});
  static_cast<void>(c);
  CHECK(graph.replay(std::vector<Ns>{7, 2, 3, 1}) == std::vector<Ns>{17, 23, 24, 24});
}

TEST_CASE("nodes that wait for each other start as recorded") {
  analysis::ReplayGraph graph;
  const auto a = graph.add_node(10, 5);
  const auto b = graph.add_node(12, 5);
  graph.add_edge(b, a, 0);
  graph.add_edge(a, b, 0);
  graph.finish();
  CHECK(graph.broken() == 1);
  CHECK(graph.replay() == std::vector<Ns>{15, 20});
}

TEST_CASE("replays of a published job reproduce its slowdowns") { check_published("ST"); }

TEST_CASE("replays of a published job with a slow pipeline stage reproduce its slowdowns") { check_published("AR"); }
