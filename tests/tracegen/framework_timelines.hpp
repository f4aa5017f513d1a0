#pragma once
// Framework timelines that SageMaker Debugger's hooks would write for a job with one process per GPU: steps, forward
// and backward passes, data loading, operators, and the GPU activity that the operators launch. Each process rotates
// its file once.
#include <cstdint>

#include "tests/tracegen/output.hpp"

namespace warpscope::tracegen {

struct TimelineOptions {
  int nodes = 2;
  int processes = 4;  ///< per node, one GPU each
  int steps = 6;
  std::int64_t start_us = 1'594'662'605'425'850;  ///< since the Unix epoch
  std::int64_t step_us = 100'000;
  int slow_step = -1;         ///< takes three times as long in all processes
  bool named_by_rank = true;  ///< files contain the rank, not the process id
};

/// Slices per step and process: the step, forward, backward, the loader's fetch, an operator, its kernel.
inline constexpr int kTimelineSlicesPerStep = 6;

/// Writes the files of all processes below "profiler-output/framework/pevents".
void write_framework_timelines(const TimelineOptions& options, const OpenFile& open_file);

}  // namespace warpscope::tracegen
