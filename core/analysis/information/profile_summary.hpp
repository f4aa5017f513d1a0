#pragma once
// Counts the contents of a profile, for `info`, the top bar and the Information page.
#include <cstdint>
#include <map>
#include <string>

#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct ProfileSummary {
  std::size_t nodes = 0;
  std::size_t ranks = 0;
  std::size_t gpus = 0;
  std::size_t streams = 0;   ///< distinct (rank, device, stream) with GPU activity
  std::uint64_t events = 0;  ///< entries of traceEvents
  std::uint64_t slices = 0;  ///< complete events, as read
  std::map<std::string, std::uint64_t> slices_by_category;
  std::uint64_t launches = 0;     ///< host calls that launched GPU activity
  std::uint64_t runs = 0;         ///< kernels, memcpys and memsets; also MTIA jobs other than waits
  std::uint64_t connections = 0;  ///< GPU activity launched on the same rank
  std::uint64_t forward_backward = 0;
  std::size_t steps = 0;                             ///< a step on several ranks counts once
  std::map<std::string, std::uint64_t> annotations;  ///< host annotations by family
  std::size_t counters = 0;
  Ns span_ns = 0;
  std::size_t slice_bytes = 0;           ///< columns, trees, connections and counters of all ranks, fully loaded
  std::size_t resident_slice_bytes = 0;  ///< part of slice_bytes in memory now, plus spare capacity of columns

  /// Returns slice_bytes per slice; 0 if there are no slices. The result is the same for traces, their store and a
  /// converted profile.
  [[nodiscard]] double bytes_per_slice() const;
};

/// Memory used by a profile: slices, trees, connections, counters, system metrics and memory timelines, but not names.
struct MemoryUse {
  std::size_t now = 0;    ///< bytes in memory; the rest is on disk
  std::size_t whole = 0;  ///< bytes when fully loaded

  /// Returns "1.2 MiB" or "1.2 MiB of 24.0 MiB loaded", as shown by `info` and on the Load and Information pages.
  [[nodiscard]] std::string text() const;
};
/// O(ranks · lanes).
[[nodiscard]] MemoryUse memory_use(const trace::Profile& profile);

/// Number and total size of a profile's trace files. A merged file counts once for all its ranks.
struct TraceFiles {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};
[[nodiscard]] TraceFiles trace_files(const trace::Profile& profile);

/// O(ranks · tracks + steps).
[[nodiscard]] ProfileSummary summarize(const trace::Profile& profile);

/// One row per rank: node, rank, source, devices, streams, slices, GPU activity, connections.
[[nodiscard]] Table ranks_table(const trace::Profile& profile);

}  // namespace warpscope::analysis
