#pragma once
// Files that SageMaker Debugger's agents would write during the job: one per node and minute, one JSON object per line,
// from half a minute before the recording to half a minute after it.
#include <cstdint>
#include <vector>

#include "tests/tracegen/options.hpp"
#include "tests/tracegen/output.hpp"
#include "tests/tracegen/place.hpp"
#include "tests/tracegen/truth.hpp"

namespace warpscope::tracegen {

/// Writes the files of all nodes and adds their contents to `truth`. `ends` has the end of recording of each rank.
void write_system_metrics(const Options& options, const std::vector<Place>& where,
                          const std::vector<std::int64_t>& ends, const OpenFile& open_file, Truth& truth);

}  // namespace warpscope::tracegen
