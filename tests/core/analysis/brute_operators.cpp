#include "tests/core/analysis/brute_operators.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "tests/core/analysis/brute_force.hpp"

namespace warpscope::tests {

std::map<std::string, BruteDelays> brute_operators(const NaiveFile& file) {
  std::map<std::int64_t, const NaiveSlice*> launches;
  for (const NaiveSlice& slice : file.slices)
    if (slice.call() && slice.correlation > 0) launches.emplace(slice.correlation, &slice);
  using Launched = std::tuple<std::int64_t, std::int64_t, std::string>;  // start of launch, start of kernel, name
  std::map<const NaiveSlice*, std::vector<Launched>> operators;
  for (const NaiveSlice& run : file.slices) {
    const auto launch = launches.find(run.correlation);
    if (!is_kernel(run) || launch == launches.end()) continue;
    const NaiveSlice* op = nullptr;
    for (const NaiveSlice& slice : file.slices)
      if (is_op(slice) && slice.name.starts_with("aten::") && slice.tid == launch->second->tid &&
          slice.begin <= launch->second->begin && slice.end() >= launch->second->end() &&
          (op == nullptr || slice.duration <= op->duration))
        op = &slice;
    if (op != nullptr) operators[op].emplace_back(launch->second->begin, run.begin, run.name);
  }
  std::map<std::string, BruteDelays> result;
  for (auto& [op, launched] : operators) {
    std::stable_sort(launched.begin(), launched.end());
    std::string key = op->name + ": ";
    for (const Launched& each : launched) key += (&each == launched.data() ? "" : " -> ") + std::get<2>(each);
    BruteDelays& sums = result[key];
    ++sums.count;
    sums.launch += std::get<0>(launched[0]) - op->begin;
    sums.runtime += std::get<1>(launched[0]) - std::get<0>(launched[0]);
  }
  return result;
}

}  // namespace warpscope::tests
