#pragma once
// Kind and message size of the collectives run by communication kernels. In newer traces, both are arguments of the
// kernel or of the record_param_comms call that contains its launch. In older traces, they are inferred from the name
// and input shapes of the `nccl:…` annotation that contains the launch. Profiles do not store arguments, so they are
// reread from the source or the store.
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/call_tree.hpp"
#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::rules {

enum class Communication : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  send_receive,  ///< point to point, or an all-to-all whose kernel has no arguments
  other,
};

/// Returns the name in the singular, such as "all-reduce"; "" for other.
[[nodiscard]] std::string_view to_string(Communication kind);

/// Infers the kind from the name of a kernel, an annotation or a collective: "ncclKernel_AllReduce_…",
/// "nccl:all_to_all", "_allgather_base".
[[nodiscard]] Communication communication_of(std::string_view name);

struct Message {
  Communication kind = Communication::other;
  std::string group;            ///< process group; "" if unknown
  std::int64_t group_size = 0;  ///< ranks; 0 if unknown
  double bytes = 0;             ///< input size of one rank; 0 if unknown
};

struct Messages {
  std::unordered_map<trace::SliceOrdinal, Message> of_kernel;
  std::string unreadable;  ///< first error while reading arguments; "" if there is none

  /// Returns the message of a kernel; if none is recorded, infers it from the kernel name.
  [[nodiscard]] Message of(trace::SliceOrdinal kernel, std::string_view name) const;
};

/// Reads the messages of a rank's communication kernels in one pass over its file. `rank`: index.
[[nodiscard]] Messages read_messages(const analysis::AnalysisInput& input, std::uint32_t rank,
                                     const std::vector<analysis::GpuRow>& kernels, const analysis::CallTree& tree);

}  // namespace warpscope::rules
