// Checks the table of README.md here against the files next to the traces: no cell is empty, "–" appears exactly where
// HTA has no result, each bug in a cell is explained, and each analysis has a test of its values.
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/oracle/oracle.hpp"
#include "tests/shared_dir.hpp"

namespace fs = std::filesystem;
using namespace warpscope;
using namespace warpscope::tests;

namespace {

const std::string kNoAnswer = "–";

/// What the file of HTA's answers begins with, by the table's name of the analysis.
const std::map<std::string, std::string> kAnswers{
    {"temporal_breakdown", "temporal_breakdown.csv"},
    {"comm_comp_overlap", "comm_comp_overlap.csv"},
    {"gpu_kernel_breakdown, types", "gpu_kernel_breakdown.0.csv"},
    {"gpu_kernel_breakdown, kernels", "gpu_kernel_breakdown.1.csv"},
    {"idle_time_breakdown", "idle_time_breakdown.0.csv"},
    {"gpu_user_annotation_breakdown, gpu", "gpu_user_annotation_breakdown.csv"},
    {"gpu_user_annotation_breakdown, cpu", "cpu_user_annotation_breakdown.csv"},
    {"gpu_kernels_with_user_annotations", "gpu_kernels_with_user_annotations.csv"},
    {"potential_stragglers", "potential_stragglers_2.json"},
    {"cuda_kernel_launch_stats", "cuda_kernel_launch_stats.csv"},
    {"queue_length_time_series", "queue_length_time_series.csv"},
    {"queue_length_summary", "queue_length_summary.csv"},
    {"time_blocked_on_full_queue", "time_blocked_on_full_queue.csv"},
    {"memory_bw_time_series", "memory_bw_time_series.csv"},
    {"memory_bw_summary", "memory_bw_summary.csv"},
    {"call_graph", "call_graph_columns.csv"},
    {"aten_op_kernels_and_delay", "aten_op_kernels_and_delay.csv"},
    {"frequent_cuda_kernel_sequences", "frequent_cuda_kernel_sequences."},
    {"cupti_counters", "cupti_counter_data_with_operators.0.csv"},
    {"critical_path", "critical_path."},
};

std::string text_of_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

using TableCells = std::vector<std::vector<std::string>>;

/// The rows of the table whose header begins with these cells, the header first.
TableCells table_of(const std::string& text, const std::string& header) {
  TableCells rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (rows.empty() ? !line.starts_with(header) : !line.starts_with("|")) {
      if (!rows.empty()) break;
      continue;
    }
    if (line.starts_with("|--")) continue;
    std::vector<std::string>& cells = rows.emplace_back();
    std::istringstream parts(line.substr(1));
    for (std::string cell; std::getline(parts, cell, '|');) {
      cell.erase(0, cell.find_first_not_of(' '));
      cell.erase(cell.find_last_not_of(' ') + 1);
      cells.push_back(cell);
    }
  }
  return rows;
}

/// "B12" and the like.
std::set<std::string> faults_in(const std::string& text) {
  std::set<std::string> faults;
  for (std::size_t at = text.find('B'); at != text.npos; at = text.find('B', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end > at + 1) faults.insert(text.substr(at, end - at));
  }
  return faults;
}

/// Those that have a paragraph of their own: "- **B12, B14** …".
std::set<std::string> explained_faults(const std::string& text) {
  std::set<std::string> faults;
  for (std::size_t at = text.find("\n- **B"); at != text.npos; at = text.find("\n- **B", at + 1))
    faults.merge(faults_in(text.substr(at, text.find("**", at + 5) - at)));
  return faults;
}

bool has_answer(const fs::path& oracle, const std::string& set, const std::string& answer) {
  const std::string prefix = set.ends_with('*') ? set.substr(0, set.size() - 1) : set + "/";
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(oracle)) {
    const std::string name = fs::relative(file.path(), oracle).generic_string();
    if (name.starts_with(prefix) && file.path().filename().string().starts_with(answer)) return true;
  }
  return false;
}

/// The texts of the tests, here and of the analyses.
std::string all_tests() {
  std::string text;
  for (const char* folder : {"tests/oracle", "tests/core/analysis"})
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(source_dir() / folder))
      if (file.path().string().ends_with("_test.cpp")) text += text_of_file(file.path());
  return text;
}

}  // namespace

TEST_CASE("each cell in the table of analyses and sets has a result or a reason") {
  const std::string readme = text_of_file(source_dir() / "tests" / "oracle" / "README.md");
  const TableCells table = table_of(readme, "| analysis | dlrm8 |");
  REQUIRE(table.size() == kAnswers.size() + 1);
  const std::set<std::string> explained = explained_faults(readme);
  const auto shared = shared_dir();
  const bool answers = shared && fs::is_directory(*shared / "oracle");
  if (!answers) WARN("skipped, no shared folder with HTA's answers");
  for (std::size_t row = 1; row < table.size(); ++row) {
    INFO(table[row][0]);
    REQUIRE(kAnswers.contains(table[row][0]));
    REQUIRE(table[row].size() == table[0].size());
    for (std::size_t column = 1; column < table[row].size(); ++column) {
      const std::string& cell = table[row][column];
      INFO(table[0][column] << ": " << cell);
      const std::set<std::string> faults = faults_in(cell);
      CHECK((cell == kNoAnswer || cell.starts_with("equal") || cell.starts_with("hta") || !faults.empty()));
      for (const std::string& fault : faults) CHECK(explained.contains(fault));
      if (answers)
        CHECK((cell != kNoAnswer) == has_answer(*shared / "oracle", table[0][column], kAnswers.at(table[row][0])));
    }
  }
}

TEST_CASE("each analysis that differs from HTA's has a test of its own results") {
  const std::string readme = text_of_file(source_dir() / "tests" / "oracle" / "README.md");
  const std::string tests = all_tests();
  std::set<std::string> tested;
  for (const std::vector<std::string>& row : table_of(readme, "| ours | tested by |")) {
    if (row[0] == "ours") continue;
    REQUIRE(row.size() == 2);
    INFO(row[0] << ": " << row[1]);
    CHECK(tests.find("TEST_CASE(\"" + row[1] + "\"") != std::string::npos);
    tested.insert(row[0]);
  }
  for (const auto& [name, answer] : kAnswers) {
    INFO(name);
    CHECK(tested.contains(name.substr(0, name.find(','))));
  }
}
