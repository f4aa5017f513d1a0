#pragma once
// Kinds of collectives, inferred from the names of framework calls and kernels. The kind determines how much data each
// link transfers and whether all ranks leave together. Clock alignment and wait times use only collectives that all
// ranks leave together.
//
// Bus bandwidth is algorithm bandwidth times the per-link traffic of a ring, as defined by nccl-tests
// (doc/PERFORMANCE.md). It can be compared across rank counts and with hardware link speeds.
#include <cstdint>
#include <string_view>

namespace warpscope::analysis {

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  gather,
  scatter,
  barrier,
  send,
  receive,
  send_receive,
  other,
};

/// Returns "allreduce", "send", … or "other".
[[nodiscard]] std::string_view to_string(CollectiveKind kind);

/// Returns the kind for texts, such as "all-reduce"; "" for other.
[[nodiscard]] std::string_view words_of(CollectiveKind kind);

/// Infers the kind from a collective, annotation or kernel name: "_allgather_base", "nccl:all_to_all",
/// "ncclDevKernel_AllReduce_Sum_bf16_RING_LL".
[[nodiscard]] CollectiveKind collective_kind_of(std::string_view name);

/// True for sends and receives between two ranks.
[[nodiscard]] constexpr bool is_point_to_point(CollectiveKind kind) {
  return kind == CollectiveKind::send || kind == CollectiveKind::receive;
}

/// True if no rank can leave before the last one arrives, so all leave together. The root of a broadcast may leave as
/// soon as its data is sent.
[[nodiscard]] bool leaves_together(CollectiveKind kind);

/// Returns the ratio of bus bandwidth to algorithm bandwidth for a group of `ranks`; 0 if bus bandwidth is undefined.
[[nodiscard]] double bus_factor(CollectiveKind kind, std::int64_t ranks);

/// Returns the element size in bytes of a type such as "BFloat16", "c10::Half" or "long int"; 0 if unknown.
[[nodiscard]] std::int64_t element_bytes(std::string_view type);

/// Returns the total number of elements in shapes such as "[[394241]]" or "[[64,128],[3]]", capped at 2^62.
[[nodiscard]] std::int64_t elements_of_shapes(std::string_view shapes);

}  // namespace warpscope::analysis
