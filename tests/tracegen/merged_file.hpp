#pragma once
// Merges the files of a job's ranks into one, like tools that prepare traces for viewers of single files. In each
// tool's output, ids collide in a different way, and at most one time base is kept. Works on the text of Kineto files,
// so that tests can compare the contents that a reader finds in both versions.
//
//   sglang     "pid": "[TP00-DP01] 83"; metadata of the first file; ids untouched
//   tracelens  args.rank; pid, id and correlation moved by the rank times a power of ten; no metadata, no Python frames
//   veomni     "name": "[R3] aten::mm", also of metadata events; pid and tid moved by 1000 times the rank; events
//              sorted by time; ids untouched
//   pid        "pid": 3 for host and GPU, named "Rank 3"; no metadata; flow ids moved by the rank times 2^32
//   unlabeled  the events one after the other; metadata of the first file
#include <span>
#include <string>
#include <vector>

#include "tests/tracegen/options.hpp"
#include "tests/tracegen/output.hpp"
#include "tests/tracegen/place.hpp"

namespace warpscope::tracegen {

/// Returns the merged file. Throws std::runtime_error if a text is not a trace. Empty texts are left out.
[[nodiscard]] std::string merged_file(const Options& options, std::span<const Place> places,
                                      std::span<const std::string> texts);

/// Writes it as "merged.pt.trace.json", with the ending of the options' format.
void write_merged(const Options& options, std::span<const Place> places, std::span<const std::string> texts,
                  const OpenFile& open_file);

}  // namespace warpscope::tracegen
