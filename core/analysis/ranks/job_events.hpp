#pragma once
// Communication kernels on all ranks, with the properties of their collectives: process group, kind, size, sequence
// number. All rank comparisons start here.
//
// Traces before PyTorch 2.3 record no process groups. Their kernels are grouped by stream instead, and each group may
// contain collectives from several process groups. Streams are numbered in order of first use, because stream ids
// differ between ranks.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/analysis/ranks/collective_kind.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

struct CommunicationEvent {
  Interval time;                       ///< as recorded
  std::int64_t sequence = -1;          ///< in its group; -1 if unknown
  std::int64_t in_elements = -1;       ///< that the rank passes in; -1 if unknown
  std::int64_t out_elements = -1;      ///< that the rank receives; -1 if unknown
  std::int32_t element_bytes = 0;      ///< 0 if unknown
  std::uint32_t rank = 0;              ///< index
  trace::SliceOrdinal slice = 0;       ///< its kernel
  std::uint32_t run = 0;               ///< index into the rank's GPU activity (GpuRows without a range)
  std::uint32_t step = kNoIndex;       ///< index into Rank::steps: the step that launched it
  std::uint32_t group = kNoIndex;      ///< index into JobEvents::groups
  std::uint32_t signature = kNoIndex;  ///< index into JobEvents::signatures
};

/// A process group, a pair of ranks in one (for sends and receives), or a stream if groups are not recorded.
struct CollectiveGroup {
  std::uint32_t recording = 0;
  std::string name{};        ///< "0", "stream-0"
  std::int64_t size = 0;     ///< number of ranks; 0 if unknown
  std::int64_t source = -1;  ///< of sends and receives: rank numbers; -1 if unknown
  std::int64_t destination = -1;
  bool recorded = true;  ///< false: a stream
  bool point_to_point = false;
};

/// Properties shared by all ranks of a collective.
struct CollectiveSignature {
  CollectiveKind kind = CollectiveKind::other;
  std::string type{};          ///< of an element: "BFloat16"; "" if unknown
  std::int64_t elements = -1;  ///< that each rank passes in; -1 if unknown or different
  std::string kernel{};        ///< name of the kernel, if groups are not recorded
};

struct JobEvents {
  std::vector<CommunicationEvent> events;  ///< by rank, then by start
  std::vector<std::uint32_t> first;        ///< by rank index: its first event; one more entry at the end
  std::vector<CollectiveGroup> groups;
  std::vector<CollectiveSignature> signatures;
  std::vector<std::uint64_t>
      unknown_group;  ///< by rank index: number of kernels without a process group although others have one
  bool groups_recorded = false;
  std::string unreadable;  ///< the first error reading arguments; "" without errors

  [[nodiscard]] std::size_t ranks() const { return first.empty() ? 0 : first.size() - 1; }
};

/// Collects communication events from the ranks in `rows`, which must not have a range. O(n) for n GPU activities, plus
/// a pass over each rank's file.
[[nodiscard]] JobEvents job_events(const AnalysisInput& input, const GpuRows& rows);

}  // namespace warpscope::analysis
