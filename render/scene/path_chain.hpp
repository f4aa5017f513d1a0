#pragma once
// A critical path in a shape to draw and to walk along. Of its thousands of edges two things are of use to who looks:
// the links, which lead from one slice to another (launch → run, run → next run, run → who waited for it, call → next
// call) and are drawn as arrows; and the segments, stretches that one thing bounds, which are gone through one by one.
// What time a slice itself takes needs no arrow: the slice is highlighted.
//
// Built once per path, on the thread that found it; 56 bytes a link. Asked each time the view moves.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/critical_path/critical_path.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::scene {

/// From a slice to another; also to itself where it waits for nothing else.
struct PathLink {
  Ns left = 0;     ///< when it leaves the first: ns, absolute
  Ns reached = 0;  ///< when it reaches the second: not before it left, but for clocks that differ
  trace::SliceOrdinal from = 0;
  trace::SliceOrdinal to = 0;
  std::uint32_t from_lane = 0;
  std::uint32_t to_lane = 0;
  std::uint32_t index = 0;  ///< of the edge in the path
  analysis::EdgeKind kind = analysis::EdgeKind::dependency;
  Ns weight = 0;  ///< ns that it adds to the path; 0: it only says what waited for what
};

/// A stretch of the path: a run, a delay, or what a thread did until the path left it.
struct PathSegment {
  Interval time;
  Ns weight = 0;  ///< ns that it adds to the path
  analysis::BoundBy bound = analysis::BoundBy::nothing;
  std::uint32_t first = 0;        ///< edges of the path
  std::uint32_t last = 0;         ///< one past
  trace::SliceOrdinal slice = 0;  ///< in which most of it lies; of a delay what came late
  std::uint32_t lane = 0;         ///< of the slice; of a thread the first of its track
  bool delay = false;             ///< between two slices
};

class PathChain {
 public:
  PathChain() = default;
  /// Of a rank (index) of the profile. O(edges · log lanes).
  PathChain(const trace::Profile& profile, std::uint32_t rank, const analysis::CriticalPath& path);

  [[nodiscard]] std::uint32_t rank() const { return rank_; }
  [[nodiscard]] Ns length() const { return length_; }
  /// From its first begin to its last end.
  [[nodiscard]] Interval time() const { return time_; }
  /// In the order of the path.
  [[nodiscard]] std::span<const PathLink> links() const { return links_; }
  [[nodiscard]] std::span<const PathSegment> segments() const { return segments_; }
  /// ns of the path that are bound by each.
  [[nodiscard]] Ns bound_by(analysis::BoundBy bound) const { return bounds_[static_cast<std::size_t>(bound)]; }
  /// Lanes of the rank with a slice of it, ascending.
  [[nodiscard]] std::span<const std::uint32_t> lanes() const { return lanes_; }

  /// Indices of links, of which those that overlap [begin, end] are a part; few others are in it. O(log links).
  [[nodiscard]] trace::IndexRange near(Interval time) const;
  /// The segment that an edge lies in, else the one before it. O(log segments).
  [[nodiscard]] std::optional<std::size_t> segment_of(std::uint32_t edge) const;
  /// The first segment that ends after `time`. O(log segments).
  [[nodiscard]] std::optional<std::size_t> segment_at(Ns time) const;
  /// What a slice itself adds to the path, and what bounds it there; nothing if the path does not lead through it.
  struct Part {
    Ns weight = 0;
    analysis::BoundBy bound = analysis::BoundBy::nothing;
  };
  [[nodiscard]] std::optional<Part> part_of(trace::SliceOrdinal slice) const;

 private:
  struct SlicePart {
    trace::SliceOrdinal slice = 0;
    Part part;
  };

  void add_segment(const trace::Rank& rank, const analysis::CriticalLink& edge, std::uint32_t index, Interval time);
  void add_parts(const analysis::CriticalPath& path);

  std::uint32_t rank_ = 0;
  Ns length_ = 0;
  Interval time_;
  std::vector<PathLink> links_;
  std::vector<Ns> ended_;   // of links: the latest end up to each
  std::vector<Ns> begins_;  // the earliest begin from each on
  std::vector<PathSegment> segments_;
  std::vector<SlicePart> parts_;  // by slice
  std::vector<std::uint32_t> lanes_;
  std::array<Ns, analysis::kBounds> bounds_{};
  // While segments are made: the track of the last one, and the heaviest edge in it.
  std::uint32_t track_ = 0;
  Ns heaviest_ = 0;
};

/// "launch delay", "gap between runs", "wait": what an arrow of this kind says; a few words.
[[nodiscard]] std::string_view words_of(analysis::EdgeKind kind);
/// "computation", "delay of launches": what bounds the path there.
[[nodiscard]] std::string_view words_of(analysis::BoundBy bound);
/// The family whose colour stands for it: delays of launches have that of runtime calls, gaps that of waits.
[[nodiscard]] trace::Family family_of(analysis::BoundBy bound);

}  // namespace warpscope::scene
