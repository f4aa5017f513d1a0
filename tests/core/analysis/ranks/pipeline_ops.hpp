#pragma once
// Operations of real data-parallel and pipeline-parallel jobs, as published by ByteDance (StragglerAnalysis, arXiv
// 2505.05713), with the dependencies between them. Tests compare replays of them with the published slowdowns.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/analysis/ranks/replay_graph.hpp"
#include "tests/core/analysis/brute_force.hpp"

namespace warpscope::tests {

struct PipelineOp {
  int dp = 0;
  int stage = 0;
  int step = 0;
  std::string type;
  int sequence = 0;
  Ns start = 0;
  Ns duration = 0;
  Ns transfer = 0;  // communication: from the last start in the group to this operation's end
  bool grouped = false;

  [[nodiscard]] Ns end() const { return start + duration; }
};

/// Operations of one step, the operations that must end before each of them, and communication in groups.
class PipelineStep {
 public:
  std::vector<PipelineOp> ops;

  void connect() {
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      index_[{ops[i].dp, ops[i].stage, ops[i].type, ops[i].sequence}] = i;
      stages_ = std::max(stages_, ops[i].stage + 1);
      replicas_ = std::max(replicas_, ops[i].dp + 1);
    }
    before_.resize(ops.size());
    group_.assign(ops.size(), analysis::ReplayGraph::kNoGroup);
    for (int dp = 0; dp < replicas_; ++dp)
      for (int stage = 0; stage < stages_; ++stage) connect_rank(dp, stage);
    std::map<std::tuple<std::string, std::string, int, int>, std::vector<std::uint32_t>> groups;
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      const PipelineOp& op = ops[i];
      if (op.type == "params-all-gather" || op.type == "grads-reduce-scatter")
        groups[{"dp", op.type, op.sequence, op.stage}].push_back(i);
      else if (op.type == "embedding-grads-all-reduce")
        groups[{"embedding", "", op.sequence, op.dp}].push_back(i);
      else if (op.type == "optimizer-clip-main-grad")
        groups[{"clip", "", op.sequence, 0}].push_back(i);
      else if (op.type == "forward-send" || op.type == "forward-recv")
        groups[{"forward", std::to_string(op.dp), op.sequence, op.type == "forward-send" ? op.stage : op.stage - 1}]
            .push_back(i);
      else if (op.type == "backward-send" || op.type == "backward-recv")
        groups[{"backward", std::to_string(op.dp), op.sequence, op.type == "backward-recv" ? op.stage : op.stage - 1}]
            .push_back(i);
    }
    std::uint32_t number = 0;
    for (const auto& [key, members] : groups) {
      Ns last = 0;
      for (const std::uint32_t i : members) last = std::max(last, ops[i].start);
      for (const std::uint32_t i : members) {
        group_[i] = number;
        ops[i].grouped = true;
        ops[i].transfer = std::max<Ns>(0, ops[i].end() - last);
      }
      ++number;
    }
    for (std::uint32_t i = 0; i < ops.size(); ++i) graph_.add_node(0, own(i), group_[i]);
    for (std::uint32_t i = 0; i < ops.size(); ++i)
      for (const std::uint32_t before : before_[i]) graph_.add_edge(before, i, 0);
    graph_.finish();
  }

  /// Duration of an operation; for communication, the transfer time.
  [[nodiscard]] Ns own(std::uint32_t i) const { return ops[i].grouped ? ops[i].transfer : ops[i].duration; }
  /// End of the last operation with these durations.
  [[nodiscard]] Ns length(const std::vector<Ns>& durations) const {
    return std::ranges::max(graph_.replay(durations));
  }
  [[nodiscard]] std::size_t broken() const { return graph_.broken(); }

 private:
  using Found = std::optional<std::uint32_t>;

  [[nodiscard]] Found find(int dp, int stage, const std::string& type, int sequence) const {
    const auto found = index_.find({dp, stage, type, sequence});
    return found == index_.end() ? std::nullopt : Found(found->second);
  }
  void follow(Found op, Found before) {
    if (op && before) before_[*op].push_back(*before);
  }

  /// All replicas have the structure of the first one.
  void connect_rank(int dp, int stage) {
    std::vector<const PipelineOp*> reference;
    for (const PipelineOp& op : ops)
      if (op.dp == 0 && op.stage == stage) reference.push_back(&op);
    std::ranges::sort(reference, {},
                      [](const PipelineOp* op) { return std::tuple(op->start, op->sequence, op->type); });
    const auto here = [&](const PipelineOp* op) { return find(dp, stage, op->type, op->sequence); };
    const auto chain = [&](const std::set<std::string>& types) {
      std::vector<const PipelineOp*> chosen;
      for (const PipelineOp* op : reference)
        if (types.contains(op->type)) chosen.push_back(op);
      for (std::size_t k = 1; k < chosen.size(); ++k) follow(here(chosen[k]), here(chosen[k - 1]));
      return chosen;
    };
    const auto compute = chain({"forward-compute", "backward-compute"});
    for (const char* type : {"forward-send", "forward-recv", "backward-send", "backward-recv"}) chain({type});
    const auto batches = std::ranges::count(reference, "forward-compute", &PipelineOp::type);
    for (const std::string direction : {"forward", "backward"})
      for (int k = 0; k < batches; ++k) {
        const Found work = find(dp, stage, direction + "-compute", k);
        follow(work, find(dp, stage, direction + "-recv", k));
        follow(find(dp, stage, direction + "-send", k), work);
        if (k > 0) follow(find(dp, stage, direction + "-recv", k), find(dp, stage, direction + "-compute", k - 1));
      }
    const auto backward = std::ranges::find(compute, "backward-compute", &PipelineOp::type) - compute.begin();
    if (backward >= 2) {
      const Found warm_up = here(compute[static_cast<std::size_t>(backward - 2)]);
      follow(find(dp, stage, "backward-recv", 0), warm_up);
      follow(find(dp, stage, "backward-send", 0), warm_up);
    }
    chain({"params-all-gather", "grads-reduce-scatter"});
    follow(find(dp, stage, "forward-compute", 0), find(dp, stage, "params-all-gather", 0));
    const PipelineOp* last = compute.front();
    for (const PipelineOp* op : compute)
      if (op->end() >= last->end()) last = op;
    follow(find(dp, stage, "gc", 0), here(last));
    std::vector<Found> tail{find(dp, stage, "gc", 0), find(dp, stage, "layernorm-grads-all-reduce", 0)};
    if (stage == 0 || stage == stages_ - 1) tail.push_back(find(dp, stage, "embedding-grads-all-reduce", 0));
    const auto scatters = std::ranges::count(reference, "grads-reduce-scatter", &PipelineOp::type);
    for (int k = 0; k < scatters; ++k) tail.push_back(find(dp, stage, "grads-reduce-scatter", k));
    tail.push_back(find(dp, stage, "optimizer-clip-main-grad", 0));
    tail.push_back(find(dp, stage, "optimizer", 0));
    std::erase(tail, std::nullopt);
    for (std::size_t k = 1; k < tail.size(); ++k) follow(tail[k], tail[k - 1]);
  }

  std::map<std::tuple<int, int, std::string, int>, std::uint32_t> index_;
  std::vector<std::vector<std::uint32_t>> before_;
  std::vector<std::uint32_t> group_;
  analysis::ReplayGraph graph_;
  int stages_ = 0;
  int replicas_ = 0;
};

/// Steps of a job, from a CSV file.
inline std::vector<PipelineStep> pipeline_steps(const std::filesystem::path& file) {
  std::istringstream in(plain_text_of(file));
  std::string line;
  std::getline(in, line);
  std::map<int, PipelineStep> steps;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::vector<std::string> row;
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    const auto ns = [](const std::string& seconds) { return static_cast<Ns>(std::llround(std::stod(seconds) * 1e9)); };
    PipelineOp op{std::stoi(row[0]), std::stoi(row[1]), std::stoi(row[3]), row[4],
                  std::stoi(row[7]), ns(row[5]),        ns(row[6])};
    steps[op.step].ops.push_back(std::move(op));
  }
  std::vector<PipelineStep> connected;
  for (auto& [number, step] : steps) {
    step.connect();
    connected.push_back(std::move(step));
  }
  return connected;
}

}  // namespace warpscope::tests
