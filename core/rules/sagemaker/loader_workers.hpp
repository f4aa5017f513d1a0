#pragma once
// Data loader worker processes, for SageMaker Debugger's Dataloader rule. The rule compares the number of workers with
// the number of cores on the node. Framework timelines record workers; PyTorch's profiler does not.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

struct LoaderWorkers {
  std::string node;
  std::uint32_t rank = 0;   ///< index of a rank with workers
  Interval time;            ///< from the first to the last second with workers
  std::size_t seconds = 0;  ///< number of seconds with workers
  double median = 0;        ///< median number of workers in these seconds
  std::size_t cores = 0;    ///< 0 if unknown
};

/// Counts each node's workers for every second in which a worker starts loading a batch, as AWS does.
[[nodiscard]] std::vector<LoaderWorkers> loader_workers(Facts& facts);

/// Checks whether there are too few or too many workers for the number of cores. Returns nullopt if there are no
/// workers.
[[nodiscard]] std::optional<Outcome> judge_workers(const RuleInput& input);

/// Returns tables of workers per node and of batch loading times, both in the workers and in the training loop.
[[nodiscard]] std::vector<Detail> loading_details(Facts& facts);

}  // namespace warpscope::rules
