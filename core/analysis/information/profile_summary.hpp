#pragma once
// What a profile holds, counted: the figures of `info`, of the top bar and of the Information page.
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
  std::size_t streams = 0;   ///< distinct (rank, device, stream) that ran something
  std::uint64_t events = 0;  ///< entries of traceEvents
  std::uint64_t slices = 0;  ///< complete ones, as read
  std::map<std::string, std::uint64_t> slices_by_category;
  std::uint64_t launches = 0;     ///< host calls with at least one run
  std::uint64_t runs = 0;         ///< kernels + memcpy + memset; jobs of MTIA but for waits
  std::uint64_t connections = 0;  ///< runs with a launch in the same rank
  std::uint64_t forward_backward = 0;
  std::size_t steps = 0;                             ///< distinct names of steps over all ranks
  std::map<std::string, std::uint64_t> annotations;  ///< host annotations by family
  std::size_t counters = 0;
  Ns span_ns = 0;
  std::size_t slice_bytes = 0;           ///< columns, trees, connections and counters of ranks when all is in memory
  std::size_t resident_slice_bytes = 0;  ///< what of them is in memory now, with the room that columns have to spare
  std::size_t name_bytes = 0;            ///< the string table

  /// slice_bytes a slice, 0 without slices: the same from traces, from what is kept of them and from a converted one.
  [[nodiscard]] double bytes_per_slice() const;
};

/// What a profile takes in memory: slices, trees, connections, counters, system metrics and memory timelines; names
/// aside.
struct MemoryUse {
  std::size_t now = 0;    ///< bytes in memory; the rest waits on the disk
  std::size_t whole = 0;  ///< when all of it is in memory

  /// "1.2 MiB", "1.2 MiB of 24.0 MiB": how the Load page, Information and `info` all tell it.
  [[nodiscard]] std::string text() const;
};
/// O(ranks · lanes).
[[nodiscard]] MemoryUse memory_use(const trace::Profile& profile);

/// O(ranks · tracks + steps).
[[nodiscard]] ProfileSummary summarize(const trace::Profile& profile);

/// A row a rank: node, rank, source, devices, streams, slices, runs, connections, GPU utilisation over what of the
/// profile's span its trace covers.
[[nodiscard]] Table ranks_table(const trace::Profile& profile);

}  // namespace warpscope::analysis
