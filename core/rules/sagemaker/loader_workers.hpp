#pragma once
// Processes of data loaders, for SageMaker Debugger's Dataloader rule, which compares their number with the cores of
// the node. Framework timelines record them; PyTorch's profiler does not.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

struct LoaderWorkers {
  std::string node;
  std::uint32_t rank = 0;   ///< index of a process with workers
  Interval time;            ///< from the first to the last second with workers
  std::size_t seconds = 0;  ///< with workers
  double median = 0;        ///< workers in such a second
  std::size_t cores = 0;    ///< 0 if unknown
};

/// Counts the workers of each node in every second in which one starts to load a batch, as AWS does.
[[nodiscard]] std::vector<LoaderWorkers> loader_workers(Facts& facts);

/// Judges whether there are too few or too many workers for the cores. Nullopt without workers.
[[nodiscard]] std::optional<Outcome> judge_workers(const RuleInput& input);

/// Tables of the processes of each node, and of the time to load a batch: in the processes, and for the training loop.
[[nodiscard]] std::vector<Detail> loading_details(Facts& facts);

}  // namespace warpscope::rules
