#pragma once
// Kinds of collectives, by the names that frameworks and kernels give them, and what follows from the kind: whether all
// ranks leave together, which is the base of clocks and wait times, and how much data each link carries.
//
// Bus bandwidth is algorithm bandwidth times the traffic per link of a ring, as NCCL's tests count it
// (nccl-tests, doc/PERFORMANCE.md): it is comparable across numbers of ranks and with the speed of the hardware.
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

/// "allreduce", "send"; "other".
[[nodiscard]] std::string_view to_string(CollectiveKind kind);

/// Kind by the name of a collective, an annotation or a kernel: "_allgather_base", "nccl:all_to_all",
/// "ncclDevKernel_AllReduce_Sum_bf16_RING_LL".
[[nodiscard]] CollectiveKind collective_kind_of(std::string_view name);

/// True for sends and receives between two ranks.
[[nodiscard]] constexpr bool is_point_to_point(CollectiveKind kind) {
  return kind == CollectiveKind::send || kind == CollectiveKind::receive;
}

/// True if no rank can leave before the last one has arrived, so that all leave together. The root of a broadcast may
/// leave as soon as its data is sent.
[[nodiscard]] bool leaves_together(CollectiveKind kind);

/// Bus bandwidth as a multiple of algorithm bandwidth for a group of `ranks`; 0 if it has no meaning.
[[nodiscard]] double bus_factor(CollectiveKind kind, std::int64_t ranks);

/// Bytes of an element by the name of its type: "BFloat16", "c10::Half", "long int"; 0 if unknown.
[[nodiscard]] std::int64_t element_bytes(std::string_view type);

/// Number of elements of shapes such as "[[394241]]" or "[[64,128],[3]]", limited to 2^62.
[[nodiscard]] std::int64_t elements_of_shapes(std::string_view shapes);

}  // namespace warpscope::analysis
