#pragma once
// The tree of tracks in the timeline, in a fixed order: node → CPU, GPUs → process → device → stream, launching host
// threads, other threads. Memory, network and disk come last within a node. Built when a profile is assembled; the
// window stores only which entries are expanded.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpscope::trace {

enum class TreeKind : std::uint8_t {
  node,             ///< algo-1
  node_gpus,        ///< "GPUs": mean utilization of the node's devices
  process,          ///< HOST-0 PID-123 (rank 3)
  gpu_utilisation,  ///< of one device
  gpu_device,       ///< group of streams
  stream,           ///< lanes of a stream
  gpu_host,         ///< group of threads that launch to the device
  thread,           ///< lanes of a thread
  threads,          ///< group of threads that launch nothing
  curves,           ///< group of curves computed for a device: queue depths, bandwidths
  curve,            ///< one such curve
  counters,         ///< group of counters of a rank
  counter,          ///< one series
  metric_group,     ///< metric of all cores or GPUs of a node: their mean, with each of them below
  metrics,          ///< group of a node's other metrics
  metric,           ///< one metric series
};

struct TreeEntry {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  TreeKind kind = TreeKind::node;
  std::uint16_t level = 0;  ///< depth in the tree
  bool opens = true;        ///< expanded when a profile is first shown
  std::uint64_t key = 0;    ///< stable across profiles of the same directory; for folding, pinning and hiding
  std::string label;
  std::string note;              ///< muted text next to the label: host name, GPU model, "communication"
  std::string where{};           ///< its rank and device, for display outside the tree
  std::uint32_t parent = kNone;  ///< index into TrackTree::entries
  std::uint32_t end = 0;         ///< one past the index of its last descendant
  std::uint32_t node = kNone;    ///< index into Profile::nodes
  std::uint32_t rank = kNone;    ///< index into Profile::ranks
  std::uint32_t item = kNone;    ///< stream, thread: Rank::tracks; device entries: Rank::devices; counter:
                                 ///< Rank::counters; curve: Profile::curves; metric: NodeMetrics::series() of its node;
                                 ///< metric group: the Metric
};

/// Entries in display order (depth first): descendants of entry i are [i + 1, entries[i].end).
struct TrackTree {
  std::vector<TreeEntry> entries;

  /// Returns the entry of a rank's track, or kNone.
  [[nodiscard]] std::uint32_t find_track(std::uint32_t rank, std::uint32_t track) const;
};

/// With at least this many ranks, each rank is initially folded into one thin row.
inline constexpr std::size_t kManyRanks = 64;
/// Above this many ranks, nodes are initially folded too.
inline constexpr std::size_t kMostRanksOfOpenNodes = 256;

class Profile;
/// Requires profile.ranks, nodes and node_of_rank.
[[nodiscard]] TrackTree build_track_tree(const Profile& profile);

}  // namespace warpscope::trace
