#pragma once
// A critical path prepared for drawing and navigation. The path's thousands of edges are condensed into two lists.
// Links lead from one slice to another (launch → GPU activity, GPU activity → next, GPU activity → waiting call) and
// are drawn as arrows, also from the rank that arrived last in a collective to the rank where the path continues.
// Segments are parts of the path of one class, which users can step through. Time inside a slice needs no arrow because
// the slice is highlighted. Times are as recorded by each rank, like those of slices.
//
// The chain is built once per path, on the thread that computed the path, and queried each time the view moves. It uses
// 64 bytes per link.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/critical_path/job_path.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::scene {

enum class PathLinkKind : std::uint8_t { launch, gap, wait };

/// An edge from one slice to another, or from a slice to itself if it does not wait for another.
struct PathLink {
  Ns left = 0;     ///< absolute time in ns when it leaves the first slice
  Ns reached = 0;  ///< time when it reaches the second slice; earlier than `left` only if clocks differ
  trace::SliceOrdinal from = 0;
  trace::SliceOrdinal to = 0;
  std::uint32_t from_lane = 0;
  std::uint32_t to_lane = 0;
  std::uint32_t index = 0;  ///< index of the path's segment
  PathLinkKind kind = PathLinkKind::wait;
  Ns weight = 0;                ///< ns added to the path; 0: a zero-length dependency
  std::uint32_t from_rank = 0;  ///< indices
  std::uint32_t to_rank = 0;

  [[nodiscard]] bool changes_rank() const { return from_rank != to_rank; }
};

/// A segment of the path that has a slice.
struct PathSegment {
  Interval time;
  Ns weight = 0;  ///< ns added to the path
  analysis::TimeLabel what = analysis::TimeLabel::unknown;
  std::uint32_t index = 0;        ///< of the path's segment
  trace::SliceOrdinal slice = 0;  ///< slice with most of the segment's time; for a delay, the slice that started late
  std::uint32_t lane = 0;         ///< lane of the slice; for a thread, the first lane of its track
  bool delay = false;             ///< true if the segment lies between two slices
  std::uint32_t rank = 0;         ///< index
};

/// A lane of a rank. `rank` is an index into the profile's ranks.
struct PathLane {
  std::uint32_t rank = 0;
  std::uint32_t lane = 0;

  friend auto operator<=>(const PathLane&, const PathLane&) = default;
};

/// Time that the path spends on a rank. `rank` is an index.
struct PathRank {
  std::uint32_t rank = 0;
  Ns time = 0;
};

class PathChain {
 public:
  PathChain() = default;
  /// O(segments · log lanes).
  PathChain(const trace::Profile& profile, const analysis::JobPath& path);

  /// Ranks on the path, in descending order of their time.
  [[nodiscard]] std::span<const PathRank> ranks() const { return ranks_; }
  [[nodiscard]] bool changes_rank() const { return ranks_.size() > 1; }
  [[nodiscard]] Ns length() const { return length_; }
  /// From the earliest start to the latest end.
  [[nodiscard]] Interval time() const { return time_; }
  /// In path order.
  [[nodiscard]] std::span<const PathLink> links() const { return links_; }
  [[nodiscard]] std::span<const PathSegment> segments() const { return segments_; }
  /// Returns the time on the path of a class, in ns.
  [[nodiscard]] Ns time_of(analysis::TimeLabel what) const { return times_[static_cast<std::size_t>(what)]; }
  /// Lanes with a slice on the path, ascending.
  [[nodiscard]] std::span<const PathLane> lanes() const { return lanes_; }

  /// Returns a range of link indices that contains all links overlapping [begin, end], and few others. O(log links).
  [[nodiscard]] trace::IndexRange near(Interval time) const;
  /// Returns the first segment that ends after `time`. O(segments).
  [[nodiscard]] std::optional<std::size_t> segment_at(Ns time) const;
  /// Time that a slice itself adds to the path, and its class.
  struct Part {
    Ns weight = 0;
    analysis::TimeLabel what = analysis::TimeLabel::unknown;
  };
  /// Returns a slice's part of the path; nullopt if the slice is not on the path.
  [[nodiscard]] std::optional<Part> part_of(trace::SliceRef slice) const;

 private:
  struct SlicePart {
    trace::SliceRef slice;
    Part part;
  };

  void add_segment(const trace::Profile& profile, const analysis::JobPathSegment& segment, std::uint32_t index);
  /// Adds an edge between two slices; no-op if they are the same slice.
  void add_link(const trace::Profile& profile, trace::SliceRef from, Ns left, trace::SliceRef to, Ns reached,
                PathLink more);
  /// Sorts the added links and prepares queries.
  void finish();

  Ns length_ = 0;
  Interval time_;
  std::vector<PathLink> links_;
  std::vector<Ns> ended_;   // latest end of links up to each index
  std::vector<Ns> begins_;  // earliest start of links from each index on
  std::vector<PathSegment> segments_;
  std::vector<SlicePart> parts_;  // sorted by slice
  std::vector<PathLane> lanes_;
  std::vector<PathRank> ranks_;
  analysis::LabelTimes times_{};
};

/// Returns the short label of an edge, such as "launch", "gap" or "wait".
[[nodiscard]] std::string_view words_of(PathLinkKind kind);

}  // namespace warpscope::scene
