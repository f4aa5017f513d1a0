#include "tests/core/analysis/brute_patterns.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/core/analysis/brute_calls.hpp"
#include "tests/core/analysis/table_rows.hpp"

namespace warpscope::tests {

void add_brute_patterns(BrutePatterns& patterns, const NaiveFile& file, const std::string& part, std::size_t least) {
  const BruteCalls all(file);
  std::map<const NaiveSlice*, const NaiveSlice*> parents;
  std::map<std::int64_t, const NaiveSlice*> launches;
  for (std::size_t i = 0; i < all.calls.size(); ++i) parents.emplace(all.calls[i], all.parents[i]);
  for (const NaiveSlice& slice : file.slices)
    if (slice.call() && slice.correlation > 0) launches.emplace(slice.correlation, &slice);
  std::map<const NaiveSlice*, std::vector<const NaiveSlice*>> runs_of;
  for (const NaiveSlice& run : file.slices) {
    const auto launch = launches.find(run.correlation);
    if (!run.run() || launch == launches.end()) continue;
    const NaiveSlice* outermost = nullptr;
    for (const NaiveSlice* call = launch->second; call != nullptr; call = parents.at(call))
      if (call->name.find(part) != std::string::npos) outermost = call;
    if (outermost != nullptr) runs_of[outermost].push_back(&run);
  }
  for (auto& [call, runs] : runs_of) {
    if (runs.size() < least) continue;
    std::ranges::sort(runs, {}, [](const NaiveSlice* run) { return std::pair(run->begin, run->end()); });
    std::string key = call->name;
    std::int64_t time = 0;
    for (const NaiveSlice* run : runs) {
      key += "|" + run->name;
      time += run->duration;
    }
    BrutePattern& pattern = patterns[key];
    ++pattern.count;
    pattern.kernels += time;
    pattern.calls += call->duration;
  }
}

BrutePatterns told_patterns(const trace::Profile& profile, const std::string& part, std::size_t least) {
  const Table table =
      std::move(tables_of(profile, "frequent_cuda_kernel_sequences",
                          {{"operator_name", part}, {"min_pattern_len", std::to_string(least)}, {"names", "0"}})[0]);
  BrutePatterns told;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    told[std::string(table.at(row, 0).text())] = {table.at(row, 1).integer(), table.at(row, 2).integer(),
                                                  table.at(row, 3).integer()};
    if (row > 0) CHECK(table.at(row, 1).integer() <= table.at(row - 1, 1).integer());
  }
  CHECK(told.size() == table.rows());
  return told;
}

}  // namespace warpscope::tests
