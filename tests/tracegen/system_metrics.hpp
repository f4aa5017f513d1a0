#pragma once
// What SageMaker Debugger's agents would write while the job runs: a file for each node and minute, one JSON object a
// line, from half a minute before the recording to half a minute after it.
#include <cstdint>
#include <vector>

#include "tests/tracegen/options.hpp"
#include "tests/tracegen/output.hpp"
#include "tests/tracegen/place.hpp"
#include "tests/tracegen/truth.hpp"

namespace warpscope::tracegen {

/// Writes the files of all nodes and adds what is in them to `truth`. `ends`: of each rank, when recording ended.
void write_system_metrics(const Options& options, const std::vector<Place>& where,
                          const std::vector<std::int64_t>& ends, const OpenFile& open_file, Truth& truth);

}  // namespace warpscope::tracegen
