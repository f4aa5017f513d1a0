// Scripts written for HTA's tables can read ours: its columns come first in our CSV, in its order, except those that
// README.md here lists as missing.
#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct Answer {
  std::string file;  ///< HTA's
  std::string analysis;
  std::string part{};
  std::vector<analysis::Setting> settings{};
};

std::vector<std::string> header_of(const CsvFrame& frame) {
  std::vector<std::string> header(frame.columns().size());
  for (const auto& [name, place] : frame.columns()) header[place] = name;
  return header;
}

/// What HTA has and we do not: the place of an event among all of its file, and what pandas adds.
bool is_missing(const Answer& answer, const std::string& column) {
  if (answer.analysis == "call_graph") return false;
  return column.empty() || column == "index" || column == "event_index";
}

}  // namespace

TEST_CASE("HTA's columns come first in CSV, in its order", "[oracle]") {
  const analysis::Setting ids{"correlation", "true"};
  const std::vector<Answer> answers{
      {"temporal_breakdown.csv", "temporal_breakdown"},
      {"comm_comp_overlap.csv", "comm_comp_overlap"},
      {"gpu_kernel_breakdown.0.csv", "gpu_kernel_breakdown"},
      {"gpu_kernel_breakdown.1.csv", "gpu_kernel_breakdown", "kernels"},
      {"idle_time_breakdown.0.csv", "idle_time_breakdown", "idle-time-breakdown"},
      {"idle_time_breakdown.1.csv", "idle_time_breakdown", "idle-intervals"},
      {"gpu_user_annotation_breakdown.csv", "gpu_user_annotation_breakdown"},
      {"gpu_kernels_with_user_annotations.csv", "gpu_kernels_with_user_annotations", "", {ids}},
      {"cuda_kernel_launch_stats.csv", "cuda_kernel_launch_stats", "", {ids}},
      {"queue_length_time_series.csv", "queue_length_time_series"},
      {"queue_length_summary.csv", "queue_length_summary"},
      {"time_blocked_on_full_queue.csv", "time_blocked_on_full_queue"},
      {"memory_bw_time_series.csv", "memory_bw_time_series"},
      {"memory_bw_summary.csv", "memory_bw_summary"},
      {"call_graph_columns.csv", "call_graph"},
      {"aten_op_kernels_and_delay.csv", "aten_op_kernels_and_delay"},
      {"frequent_cuda_kernel_sequences.ProfilerStep.csv", "frequent_cuda_kernel_sequences"}};
  for (const char* name : {"dlrm8", "mi300_resnet_ddp"}) {
    const OracleSet* set = oracle_set(name);
    if (set == nullptr) return;
    for (const Answer& answer : answers) {
      if (!set->has(answer.file)) continue;
      INFO(set->name << ", " << answer.file);
      std::vector<std::string> theirs = header_of(set->answer(answer.file));
      std::erase_if(theirs, [&](const std::string& column) { return is_missing(answer, column); });
      std::vector<std::string> ours =
          header_of(run_as_csv(*set->profile(), answer.analysis, answer.settings, answer.part));
      REQUIRE(ours.size() >= theirs.size());
      ours.resize(theirs.size());
      CHECK(ours == theirs);
    }
  }
}

TEST_CASE("launches and annotated kernels have the correlation ids that HTA has", "[oracle]") {
  for (const char* name : {"cuda_kernel_launch_stats", "gpu_kernels_with_user_annotations"}) {
    check_sets(std::string(name) + ".csv", {}, [&](const OracleSet& set) {
      std::vector<analysis::Setting> settings = set.as_hta();
      settings.emplace_back("correlation", "true");
      const auto ids = [](const CsvFrame& frame) {
        std::multiset<std::string> keys;
        for (std::size_t row = 0; row < frame.rows(); ++row) keys.insert(frame.key(row, {"rank", "correlation"}));
        return keys;
      };
      const CsvFrame ours = run_as_csv(*set.profile(), name, settings);
      const CsvFrame theirs = set.answer(std::string(name) + ".csv");
      CHECK(ours.rows() == theirs.rows());
      if (theirs.rows() > 0) CHECK(ids(ours) == ids(theirs));
    });
  }
}
