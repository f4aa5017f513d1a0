#pragma once
// `warpscope info PATH [--json]`: summarizes PATH, as text or JSON.
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"

namespace warpscope::cli {

struct InfoOptions {
  std::string path;
  bool json = false;
  bool verify = false;  ///< only check the store: see verify_store.hpp
  LoadFlags load;
};

/// JSON, "schema": 1: nodes[{label, host, ranks, gpus, rank_numbers[]}], ranks, gpus, streams, events, slices,
/// slices_by_category{}, launches, runs, connections, fwdbwd, steps, annotations{family: count}, counters,
/// system_metrics[{node, joined_by_order, folder, files, bytes, series, samples, repeated, interval_ns, begin_ns,
/// end_ns, gaps}], span_ns, load_seconds, resident_bytes and peak_resident_bytes (of the process), bytes_per_slice and
/// slice_bytes (columns, trees and connections when all of them are in memory), resident_slice_bytes (the part in
/// memory now), diagnostics[{code, severity, count, file, offset, example}].
ExitStatus run_info(const InfoOptions& options);

extern const Command kInfoCommand;

}  // namespace warpscope::cli
