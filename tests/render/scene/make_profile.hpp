#pragma once
// Builds small profiles in memory for rendering tests and benchmarks.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::test {

inline constexpr Ns kEpoch = 1'720'000'000'123'456'789;  ///< same magnitude as times in real traces

struct SliceSpec {
  Ns begin = 0;
  Ns duration = 0;
  std::string_view name = "slice";
  trace::Family family = trace::Family::computation;
  std::string_view category = "kernel";
};

struct LaneSpec {
  std::vector<SliceSpec> slices;  ///< sorted by start; non-overlapping unless `kind` is folded
  trace::LaneKind kind = trace::LaneKind::nested;
};

struct TrackSpec {
  trace::TrackKind kind = trace::TrackKind::stream;
  std::string label;
  std::vector<LaneSpec> lanes;
};

/// Position of a slice: (track, lane within it, index).
struct Where {
  std::uint32_t track = 0;
  std::uint32_t lane = 0;
  std::uint32_t index = 0;
};

struct RankSpec {
  std::vector<TrackSpec> tracks;
  std::vector<std::pair<Where, Where>> launches;  ///< launch → GPU activity
  std::vector<trace::Counter> counters;
  std::string host = "host";
  std::vector<std::pair<Where, Where>> graph_edges{};  ///< between nodes of a CUDA graph
};

/// `first` is the source position of the first slice; the others follow consecutively.
[[nodiscard]] trace::Lane make_lane(const LaneSpec& spec, std::uint16_t depth, trace::Dictionary& dictionary,
                                    std::uint64_t first = 0);

/// Builds a rank with one device that owns all stream tracks; every thread launches to it.
[[nodiscard]] std::shared_ptr<trace::Rank> make_rank(const RankSpec& spec, std::int64_t number,
                                                     trace::Dictionary& dictionary);

[[nodiscard]] std::shared_ptr<const trace::Profile> make_profile(const std::vector<RankSpec>& ranks);

/// Returns the first entry of a kind (with this label, unless it is empty), or kNone.
[[nodiscard]] std::uint32_t find_entry(const trace::Profile& profile, trace::TreeKind kind,
                                       std::string_view label = {});

}  // namespace warpscope::test
