#include <algorithm>

#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

const std::map<std::string, double> kExact{
    {"sum (us)", 0.001}, {"max (us)", 0.001}, {"min (us)", 0.001}, {"stddev", 0.001}, {"mean (us)", 0.001}};

std::vector<analysis::Setting> with(std::vector<analysis::Setting> settings, std::vector<analysis::Setting> more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

/// Without the rows of no time: HTA has a combination where one type begins at the very time at which another ends,
/// depending on how its sort leaves equal times (B22).
CsvFrame without_nothing(const CsvFrame& types) {
  return select(types, [&](std::size_t row) { return types.number(row, "sum") > 0; });
}

void check_types(const OracleSet& set, const std::string& file, std::vector<analysis::Setting> settings) {
  const CsvFrame ours = run_as_csv(*set.profile(), "gpu_kernel_breakdown", with(set.as_hta(), std::move(settings)));
  const CsvFrame theirs = without_nothing(set.answer(file));
  // Of times in ns HTA drops what is below a µs of each stretch between two changes (B23).
  std::size_t runs = 0;
  for (const auto& rank : set.profile()->ranks) runs += rank->counts.runs;
  const double dropped = set.exact ? 0 : static_cast<double>(2 * runs);
  check_equal(
      ours, theirs,
      {.keys = {"kernel_type"}, .columns = {{"sum", dropped + 1e-6}, {"percentage", set.exact ? 0.0501 : 2.0}}});
  for (std::size_t row = 0; row < ours.rows() && row < theirs.rows(); ++row)
    CHECK(ours.text(row, "kernel_type") == theirs.text(row, "kernel_type"));
}

}  // namespace

TEST_CASE("gpu_kernel_breakdown matches HTA with --hta", "[oracle]") {
  const Differences differ{{"triton", "B9"}};
  const std::vector<analysis::Setting> all{{"num_kernels", "0"}};
  const std::vector<analysis::Setting> no_memory{{"include_memory", "false"}};
  check_sets("gpu_kernel_breakdown.0.csv", differ,
             [&](const OracleSet& set) { check_types(set, "gpu_kernel_breakdown.0.csv", {}); });
  check_sets("gpu_kernel_breakdown_all.0.csv", differ,
             [&](const OracleSet& set) { check_types(set, "gpu_kernel_breakdown_all.0.csv", all); });
  check_sets("gpu_kernel_breakdown_nomem.0.csv", differ,
             [&](const OracleSet& set) { check_types(set, "gpu_kernel_breakdown_nomem.0.csv", no_memory); });
  const auto check_kernels = [](const OracleSet& set, const std::string& file,
                                const std::vector<analysis::Setting>& settings) {
    check_equal(run_as_csv(*set.profile(), "gpu_kernel_breakdown", with(set.as_hta(), settings), "kernels"),
                set.answer(file), {.keys = {"name", "kernel_type", "rank"}, .columns = kExact});
  };
  check_sets("gpu_kernel_breakdown.1.csv", differ,
             [&](const OracleSet& set) { check_kernels(set, "gpu_kernel_breakdown.1.csv", {}); });
  check_sets("gpu_kernel_breakdown_all.1.csv", differ,
             [&](const OracleSet& set) { check_kernels(set, "gpu_kernel_breakdown_all.1.csv", all); });
  check_sets("gpu_kernel_breakdown_nomem.1.csv", differ,
             [&](const OracleSet& set) { check_kernels(set, "gpu_kernel_breakdown_nomem.1.csv", no_memory); });
}

namespace {

/// How long each combination of types was at work on one device: for every stretch between two begins or ends, what is
/// at work is counted.
void add_types(const std::vector<const NaiveSlice*>& runs, std::map<std::string, std::int64_t>& sums) {
  std::map<std::int64_t, std::map<std::string, int>> changes;
  for (const NaiveSlice* run : runs) {
    ++changes[run->begin][brute_type(*run)];
    --changes[run->end()][brute_type(*run)];
  }
  std::map<std::string, int> active;
  std::int64_t from = 0;
  for (const auto& [time, change] : changes) {
    std::string name;
    for (const char* type : {"COMPUTATION", "COMMUNICATION", "MEMORY"})
      if (active[type] > 0) name += (name.empty() ? "" : " overlapping ") + std::string(type);
    if (!name.empty()) sums[name] += time - from;
    for (const auto& [type, count] : change) active[type] += count;
    from = time;
  }
}

struct BruteKernel {
  std::vector<std::int64_t> durations;
  [[nodiscard]] std::int64_t sum() const {
    std::int64_t all = 0;
    for (const std::int64_t each : durations) all += each;
    return all;
  }
};

/// The names beyond the first ten, or beyond those that take 80 % of the time, as one.
std::map<std::string, BruteKernel> brute_fold(const std::map<std::string, BruteKernel>& kernels) {
  if (kernels.size() <= 10) return kernels;
  std::vector<std::pair<std::int64_t, std::string>> order;
  double total = 0;
  for (const auto& [name, kernel] : kernels) {
    order.emplace_back(-kernel.sum(), name);
    total += static_cast<double>(kernel.sum());
  }
  std::sort(order.begin(), order.end());
  std::map<std::string, BruteKernel> folded;
  double told = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const BruteKernel& kernel = kernels.at(order[i].second);
    std::vector<std::int64_t>& into = folded[i < 10 && told < 0.8 * total ? order[i].second : "others"].durations;
    into.insert(into.end(), kernel.durations.begin(), kernel.durations.end());
    told += static_cast<double>(kernel.sum());
  }
  return folded;
}

void check_kernel(const CsvFrame& ours, std::size_t row, const BruteKernel& kernel) {
  const auto count = static_cast<double>(kernel.durations.size());
  const double mean = in_us(kernel.sum()) / count;
  double squares = 0;
  for (const std::int64_t each : kernel.durations) squares += (in_us(each) - mean) * (in_us(each) - mean);
  CHECK(ours.number(row, "sum (us)") == Approx(in_us(kernel.sum())));
  CHECK(ours.number(row, "count") == count);
  CHECK(ours.number(row, "max (us)") ==
        Approx(in_us(*std::max_element(kernel.durations.begin(), kernel.durations.end()))));
  CHECK(ours.number(row, "min (us)") ==
        Approx(in_us(*std::min_element(kernel.durations.begin(), kernel.durations.end()))));
  CHECK(ours.number(row, "mean (us)") == Approx(mean));
  CHECK(ours.number(row, "stddev") == Approx(count < 2 ? 0 : std::sqrt(squares / (count - 1))).margin(1e-6));
}

}  // namespace

TEST_CASE("gpu_kernel_breakdown agrees with the traces' text", "[oracle]") {
  bool folded = false;
  for (const OracleSet& set : oracle_sets()) {
    INFO(set.name);
    const Brute& brute = set.brute();
    const auto profile = set.profile();
    const CsvFrame types = run_as_csv(*profile, "gpu_kernel_breakdown");
    const CsvFrame kernels = run_as_csv(*profile, "gpu_kernel_breakdown", {}, "kernels");
    std::map<std::string, std::int64_t> sums;
    const auto rows = rows_by(kernels, {"name", "kernel_type", "rank"});
    std::size_t expected = 0;
    for (const NaiveFile* file : brute.files()) {
      std::map<std::int64_t, std::vector<const NaiveSlice*>> by_device;
      std::map<std::string, std::map<std::string, BruteKernel>> by_type;
      for (const NaiveSlice& slice : file->slices) {
        if (!slice.run()) continue;
        by_device[slice.pid].push_back(&slice);
        by_type[brute_type(slice)][slice.name].durations.push_back(slice.duration);
      }
      for (const auto& [device, runs] : by_device) add_types(runs, sums);
      for (const auto& [type, all] : by_type) {
        const std::map<std::string, BruteKernel> told = brute_fold(all);
        folded |= told.size() < all.size();
        for (const auto& [name, kernel] : told) {
          const std::string key = name + " | " + type + " | " + std::to_string(rank_of(*file, *profile));
          INFO(key);
          ++expected;
          const auto row = rows.find(key);
          CHECK(row != rows.end());
          if (row != rows.end()) check_kernel(kernels, row->second, kernel);
        }
      }
    }
    CHECK(kernels.rows() == expected);
    std::erase_if(sums, [](const auto& each) { return each.second == 0; });
    CHECK(types.rows() == sums.size());
    std::int64_t total = 0;
    for (const auto& [type, sum] : sums) total += sum;
    for (std::size_t row = 0; row < types.rows(); ++row) {
      const std::int64_t sum = sums[types.text(row, "kernel_type")];
      CHECK(types.number(row, "sum") == Approx(in_us(sum)));
      CHECK(types.number(row, "percentage") == Approx(100 * static_cast<double>(sum) / static_cast<double>(total)));
      if (row > 0) CHECK(types.number(row - 1, "sum") >= types.number(row, "sum"));
    }
  }
  CHECK((oracle_sets().empty() || folded));
}
