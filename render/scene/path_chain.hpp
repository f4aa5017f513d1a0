#pragma once
// A critical path prepared for drawing and navigation. The path's thousands of edges are condensed into two lists.
// Links lead from one slice to another (launch → GPU activity, GPU activity → next, GPU activity → waiting call, call →
// next call) and are drawn as arrows. Segments are parts of the path with a single bottleneck, which users can step
// through. Time inside a slice needs no arrow because the slice is highlighted.
//
// The path covers one rank or the whole job. If it covers the job, arrows also lead from the rank that arrived last in
// a collective to the rank where the path continues. Times are as recorded by each rank, like those of slices.
//
// The chain is built once per path, on the thread that computed the path, and queried each time the view moves. It uses
// 64 bytes per link.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/critical_path/critical_path.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {
struct JobPath;
struct JobPathSegment;
enum class Stretch : std::uint8_t;
}  // namespace warpscope::analysis

namespace warpscope::scene {

/// An edge from one slice to another, or from a slice to itself if it does not wait for another.
struct PathLink {
  Ns left = 0;     ///< absolute time in ns when it leaves the first slice
  Ns reached = 0;  ///< time when it reaches the second slice; earlier than `left` only if clocks differ
  trace::SliceOrdinal from = 0;
  trace::SliceOrdinal to = 0;
  std::uint32_t from_lane = 0;
  std::uint32_t to_lane = 0;
  std::uint32_t index = 0;  ///< index of the edge in the path
  analysis::EdgeKind kind = analysis::EdgeKind::dependency;
  Ns weight = 0;                ///< ns added to the path; 0: a zero-length dependency
  std::uint32_t from_rank = 0;  ///< indices
  std::uint32_t to_rank = 0;

  [[nodiscard]] bool changes_rank() const { return from_rank != to_rank; }
};

/// A part of the path: a GPU activity, a delay, or the calls of a thread until the path leaves the thread.
struct PathSegment {
  Interval time;
  Ns weight = 0;  ///< ns added to the path
  analysis::BoundBy bound = analysis::BoundBy::nothing;
  std::uint32_t first = 0;        ///< first edge in the path
  std::uint32_t last = 0;         ///< one past the last edge
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
  /// `rank` is an index into the profile's ranks. O(edges · log lanes).
  PathChain(const trace::Profile& profile, std::uint32_t rank, const analysis::CriticalPath& path);
  /// A path across ranks. O(segments · log lanes).
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
  /// Returns the time on the path with bottleneck `bound`, in ns.
  [[nodiscard]] Ns bound_by(analysis::BoundBy bound) const { return bounds_[static_cast<std::size_t>(bound)]; }
  /// Lanes with a slice on the path, ascending.
  [[nodiscard]] std::span<const PathLane> lanes() const { return lanes_; }

  /// Returns a range of link indices that contains all links overlapping [begin, end], and few others. O(log links).
  [[nodiscard]] trace::IndexRange near(Interval time) const;
  /// Returns the segment that contains an edge, or the preceding segment if no segment does. O(log segments).
  [[nodiscard]] std::optional<std::size_t> segment_of(std::uint32_t edge) const;
  /// Returns the first segment that ends after `time`. O(segments).
  [[nodiscard]] std::optional<std::size_t> segment_at(Ns time) const;
  /// Time that a slice itself adds to the path, and its bottleneck.
  struct Part {
    Ns weight = 0;
    analysis::BoundBy bound = analysis::BoundBy::nothing;
  };
  /// Returns a slice's part of the path; nullopt if the slice is not on the path.
  [[nodiscard]] std::optional<Part> part_of(trace::SliceRef slice) const;

 private:
  struct SlicePart {
    trace::SliceRef slice;
    Part part;
  };

  void add_segment(const trace::Rank& rank, const analysis::CriticalLink& edge, std::uint32_t index, Interval time);
  void add_parts(std::uint32_t rank, const analysis::CriticalPath& path);
  void add_job_segment(const trace::Profile& profile, const analysis::JobPathSegment& segment, std::uint32_t index);
  /// Adds an edge between two slices; no-op if they are the same slice.
  void add_job_link(const trace::Profile& profile, trace::SliceRef from, Ns left, trace::SliceRef to, Ns reached,
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
  std::array<Ns, analysis::kBounds> bounds_{};
  // Used while building segments: the last segment's track and heaviest edge.
  std::uint32_t track_ = 0;
  Ns heaviest_ = 0;
};

/// Returns the short label of an edge, such as "launch", "gap" or "wait".
[[nodiscard]] std::string_view words_of(analysis::EdgeKind kind);
/// Returns the label of a bottleneck, such as "computation" or "launch delays".
[[nodiscard]] std::string_view words_of(analysis::BoundBy bound);
/// Returns the bottleneck of a segment of the job's path.
[[nodiscard]] analysis::BoundBy bound_of(analysis::Stretch what);
/// Returns the family whose color represents a bottleneck: runtime calls for launch delays, waits for gaps.
[[nodiscard]] trace::Family family_of(analysis::BoundBy bound);

}  // namespace warpscope::scene
