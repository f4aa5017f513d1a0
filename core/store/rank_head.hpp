#pragma once
// The head of a rank in a store: the positions of its columns, and all data not stored in columns.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/store/format.hpp"
#include "core/store/rows.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::store {

// A row in the head.
struct RowHead {
  std::uint32_t size = 0;
  std::uint32_t near = 0;
  SectionRef times;
  SectionRef labels;
  SectionRef offsets;
  bool of_lane = false;
  bool has_sums = false;
  std::uint8_t families = 1;        ///< bit f: family f occurs
  std::uint8_t family_columns = 0;  ///< see rows.hpp

  [[nodiscard]] bool whole() const { return near == blocks_of(size); }
  [[nodiscard]] bool several_families() const { return (families & (families - 1)) != 0; }
};

struct LaneHead {
  trace::LaneKind kind{};
  std::uint16_t depth = 0;
  std::uint8_t families = 0;
  std::uint8_t family_columns = 0;
  std::size_t row = 0;
};

struct CounterHead {
  std::string name;
  std::string unit;
  std::uint64_t size = 0;
};

struct RankHead {
  SectionRef strings, trees, near, counters, launches, forward_backward, graph_edges, transfers;
  std::uint64_t launch_count = 0;
  std::uint64_t forward_backward_count = 0;
  std::uint64_t graph_edge_count = 0;
  std::uint64_t transfer_count = 0;
  std::vector<RowHead> rows;
  std::vector<LaneHead> lanes;
  std::vector<CounterHead> counter_heads;
  trace::BusyCurve curve;
  std::vector<trace::Step> steps;                                    ///< names are indices in the strings
  std::vector<std::pair<std::uint64_t, std::uint64_t>> by_category;  ///< (index in the strings, count)
};

/// Serializes a head and the fields of `rank` that are stored entirely in the head.
[[nodiscard]] std::vector<std::uint8_t> write_head(const RankHead& head, const trace::Rank& rank);
/// Reads a head and the fields of `rank` that are stored in it. Returns false if the head is inconsistent. `body`: size
/// of the rank's body in bytes.
[[nodiscard]] bool read_head(std::span<const std::uint8_t> bytes, std::uint64_t body, RankHead& head,
                             trace::Rank& rank);

}  // namespace warpscope::store
