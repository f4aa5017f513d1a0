#pragma once
// Communication kernel arguments that describe the collective: process group, operation, sequence number. Profiles do
// not store them, so they are reread from the source or the store (core/ingest/load/event_lookup.hpp).
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/trace/string_table.hpp"

namespace warpscope::analysis {

struct CollectiveArguments {
  NameId group = 0;                ///< name, size and ranks of the process group in lines; 0 if unknown
  NameId operation = 0;            ///< "allreduce"; 0 if unknown
  NameId type = 0;                 ///< of an element: "BFloat16"; 0 if unknown
  std::int64_t sequence = -1;      ///< in its group; -1 if unknown
  std::int64_t in_elements = -1;   ///< that the rank passes in; -1 if unknown
  std::int64_t out_elements = -1;  ///< that the rank receives; -1 if unknown
  std::int64_t source = -1;        ///< of a send or receive, as recorded; -1 if unknown
  std::int64_t destination = -1;
  bool point_to_point = false;
};

/// Maps each kernel to its arguments; omits kernels without any of these arguments.
using ArgumentsOfCollectives = std::unordered_map<trace::SliceOrdinal, CollectiveArguments>;

/// A rank's communication kernels and the arguments found for them.
struct KernelsOfRank {
  std::uint32_t rank = 0;
  std::vector<trace::SliceOrdinal> kernels{};
  ArgumentsOfCollectives found{};
};

/// Reads the arguments of communication kernels on `ranks` in one pass over their file; all ranks must be in the same
/// file. Kernels without a process group, such as those on ROCm, require a second pass per rank. They get their
/// arguments from the record_param_comms call that encloses their launch or, before PyTorch 2.3, their operation and
/// size from the innermost enclosing `nccl:…` annotation. Interns strings in `texts`. Returns the same errors as
/// EventLookup::read_ranks; `found` then contains the kernels read before the error.
[[nodiscard]] Failure read_collective_arguments(const AnalysisInput& input, std::span<KernelsOfRank> ranks,
                                                StringTable& texts);

}  // namespace warpscope::analysis
