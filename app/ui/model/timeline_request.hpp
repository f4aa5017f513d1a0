#pragma once
// Requests from other pages to the Timeline. A page passes a request to the session, and the Timeline takes it when it
// is next drawn (Session::take_request). A newer request replaces a pending one.
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/time.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

/// Rows of system metrics.
struct MetricsRequest {
  std::uint32_t node = 0;              ///< index into Profile::nodes
  std::vector<std::uint32_t> items{};  ///< of NodeMetrics::series()

  friend bool operator==(const MetricsRequest&, const MetricsRequest&) = default;
};

/// Requests a rank's tracks (all or some) or a node's system metrics.
struct RankRequest {
  std::uint32_t rank = 0;               ///< index
  std::vector<std::uint32_t> tracks{};  ///< of the rank; empty: the whole rank
  std::optional<Interval> range{};      ///< ns, absolute; fitted into the view if given
  std::optional<Ns> moment{};           ///< ns, absolute; centered if given
  bool marks_range = false;             ///< mark the range, because the request is about it

  std::optional<MetricsRequest> metrics{};  ///< instead of a rank

  friend bool operator==(const RankRequest&, const RankRequest&) = default;
};

/// Requests a critical path, which the Timeline computes on another thread.
struct PathRequest {
  std::uint32_t rank = 0;  ///< index
  Interval window;
  std::string of;          ///< "ProfilerStep#15 of rank 3"
  bool all_ranks = false;  ///< the path of the whole job; ignores the rank. A window of all time means no window

  friend bool operator==(const PathRequest&, const PathRequest&) = default;
};

/// The Timeline selects and centers a slice, zooms to a time range (ns, absolute) and marks it on all tracks, or
/// highlights the slices that match a filter expression.
using TimelineRequest = std::variant<trace::SliceRef, Interval, std::string, RankRequest>;

}  // namespace warpscope::ui
