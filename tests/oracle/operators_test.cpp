// The operators table against PyTorch's own key_averages() (see README.md here).
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/base/table_writers.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

namespace fs = std::filesystem;

struct TorchSet {
  std::string answers;
  std::string traces;
  bool first_rank = false;
};

const std::vector<TorchSet> kTorchSets{{"dlrm_rank0", "dlrm8", true},
                                       {"mi300_resnet", "mi300_resnet_ddp", false},
                                       {"tb_resnet50_w4", "resnet50_torch1.9", false}};
const TorchSet kTorchRounded{"ns_resolution", "ns_resolution", false};

const std::vector<std::string> kTorchTimes{"self_cpu_us",  "cpu_total_us",  "cpu_avg_us",
                                           "self_cuda_us", "cuda_total_us", "cuda_avg_us"};
const std::vector<std::string> kTorchNumbers{"calls", "cpu_mem", "self_cpu_mem", "cuda_mem", "self_cuda_mem"};

CsvFrame ours_of(const fs::path& shared, const TorchSet& set, std::vector<analysis::Setting> settings) {
  const auto profile = load(shared / "traces" / set.traces);
  settings.emplace_back("row_limit", "0");
  return run_as_csv(*profile, "operators", std::move(settings), {},
                    set.first_rank ? analysis::Scope{{0}, {}} : analysis::Scope{});
}

std::vector<std::string> operator_keys(const CsvFrame& frame, const std::string& group_column) {
  std::vector<std::string> keys;
  for (std::size_t row = 0; row < frame.rows(); ++row)
    keys.push_back(frame.text(row, "name") + '\n' + frame.text(row, "device") +
                   (group_column.empty() ? "" : '\n' + frame.text(row, group_column)));
  return keys;
}

/// Names of rows with a different value, "" for missing rows.
std::vector<std::string> rows_that_differ(const CsvFrame& mine, const CsvFrame& theirs) {
  REQUIRE(mine.rows() == theirs.rows());
  std::vector<std::string> names;
  std::map<std::string, std::size_t> row_of;
  for (std::size_t row = 0; row < mine.rows(); ++row)
    row_of[mine.text(row, "name") + '\n' + mine.text(row, "device")] = row;
  for (std::size_t row = 0; row < theirs.rows(); ++row) {
    const auto found = row_of.find(theirs.text(row, "name") + '\n' + theirs.text(row, "device"));
    if (found == row_of.end()) {
      names.emplace_back();
      continue;
    }
    // The oracle rounds averages to 0.001 µs, some halves down.
    const bool equal = std::ranges::all_of(kTorchTimes, [&](const std::string& column) {
      return std::abs(mine.number(found->second, column) - theirs.number(row, column)) < 0.0011;
    });
    if (!equal || mine.text(found->second, "calls") != theirs.text(row, "calls"))
      names.push_back(theirs.text(row, "name"));
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("operators matches PyTorch's key_averages, by name, by shape and by stack", "[oracle]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  for (const TorchSet& set : kTorchSets) {
    const fs::path folder = *shared / "oracle" / "key_averages" / set.answers;
    for (const auto& [file, group, column] :
         {std::tuple("key_averages.csv", "name", ""), std::tuple("key_averages_shapes.csv.gz", "shape", "input_shapes"),
          std::tuple("key_averages_stack5.csv.gz", "stack:5", "stack")}) {
      if (!fs::exists(folder / file)) continue;
      CAPTURE(set.answers, file);
      const CsvFrame theirs = CsvFrame::read(folder / file);
      const CsvFrame mine = ours_of(*shared, set, {{"group", group}});
      REQUIRE(operator_keys(mine, column) == operator_keys(theirs, column));
      for (std::size_t row = 0; row < theirs.rows(); ++row) {
        CAPTURE(theirs.text(row, "name"));
        for (const std::string& name : kTorchTimes)
          REQUIRE(std::abs(mine.number(row, name) - theirs.number(row, name)) < 0.0011);
        for (const std::string& name : kTorchNumbers) REQUIRE(mine.number(row, name) == theirs.number(row, name));
      }
    }
  }
}

TEST_CASE("operators nests exactly where PyTorch rounded times to a quarter of a microsecond", "[oracle]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  const CsvFrame theirs = CsvFrame::read(*shared / "oracle" / "key_averages" / "ns_resolution" / "key_averages.csv");
  const CsvFrame mine = ours_of(*shared, kTorchRounded, {});
  const std::vector<std::string> names = rows_that_differ(mine, theirs);
  CHECK(std::ranges::find(names, std::string()) == names.end());
  CHECK(names.size() == 14);
  // Self times of all rows add up to the time of the outermost events; the oracle's sum counts 95.907 µs twice.
  double self = 0;
  double oracles = 0;
  for (std::size_t row = 0; row < mine.rows(); ++row) self += mine.number(row, "self_cpu_us");
  for (std::size_t row = 0; row < theirs.rows(); ++row) oracles += theirs.number(row, "self_cpu_us");
  CHECK(self == Approx(712'600.186).margin(0.001));
  CHECK(oracles - self == Approx(95.907).margin(0.01));
}
