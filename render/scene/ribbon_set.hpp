#pragma once
// Collectives matched across ranks, as the Timeline draws them: each is a ribbon through the kernels of its ranks.
// Times are as recorded, like those of the slices. Wait times are measured on the common clock and drawn inside the
// kernel of the waiting rank, so clock differences do not affect them.
//
// A view shows the longest ribbons in its time range. A tournament tree over the ribbons, ordered by start, finds them
// in O(k log n), whether the frame shows a step or the whole job. The set uses 48 bytes per kernel.
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/time.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::scene {

/// A lane with kernels that belong to ribbons.
struct RibbonPlace {
  std::uint32_t rank = 0;  ///< index
  std::uint32_t lane = 0;

  friend auto operator<=>(const RibbonPlace&, const RibbonPlace&) = default;
};

/// The kernel of one rank.
struct RibbonRun {
  trace::SliceRef slice;
  Interval time;            ///< as recorded
  Ns wait = 0;              ///< from its start until the last rank arrives
  std::uint32_t place = 0;  ///< index into RibbonSet::places(); set by RibbonSet
  float lateness = 0;       ///< 0: as early as the first rank, 1: as late as the last; set by RibbonSet
};

struct Ribbon {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  Interval time;            ///< from the first start to the last end, as recorded
  Ns skew = 0;              ///< the longest wait
  std::uint32_t first = 0;  ///< its first run
  std::uint32_t count = 0;
  std::uint32_t id = 0;          ///< chosen by the caller
  std::uint32_t early = kNone;   ///< runs, counted from `first`: the earliest, the median and the last to arrive
  std::uint32_t median = kNone;  ///< kNone if waits are unknown
  std::uint32_t last = kNone;
  bool late = false;  ///< the others wait for the last rank, not by design
};

class RibbonSet {
 public:
  RibbonSet() = default;
  explicit RibbonSet(std::shared_ptr<const trace::Profile> profile) : profile_(std::move(profile)) {}

  /// Meaning of a ribbon's wait times.
  enum class Waits : std::uint8_t {
    late,       ///< the others wait for the last rank
    by_design,  ///< ranks of different roles, such as pipeline stages: none is early or late
    unknown,    ///< RibbonRun::wait is meaningless
  };
  /// Adds a ribbon. `runs` are in rank order; fewer than two are ignored. `id` is a unique number chosen by the caller;
  /// call in ascending order of ids.
  void add(std::uint32_t id, std::span<const RibbonRun> runs, Waits waits);
  /// Call after the last add(). O(n log n).
  void finish();

  [[nodiscard]] bool empty() const { return ribbons_.empty(); }
  [[nodiscard]] const std::vector<Ribbon>& ribbons() const { return ribbons_; }  ///< by start
  [[nodiscard]] const std::vector<RibbonPlace>& places() const { return places_; }
  [[nodiscard]] std::span<const RibbonRun> runs_of(const Ribbon& ribbon) const {
    return std::span(runs_).subspan(ribbon.first, ribbon.count);
  }
  /// Returns an index into ribbons(), or Ribbon::kNone. O(1).
  [[nodiscard]] std::uint32_t find(std::uint32_t id) const;
  /// Returns the indices of up to `most` ribbons that intersect `range`: the longest, longest first. O(most · log n).
  [[nodiscard]] std::vector<std::uint32_t> largest_in(Interval range, std::size_t most) const;

 private:
  struct Node {
    Ns longest = -1;
    Ns latest = 0;  // end
  };

  std::shared_ptr<const trace::Profile> profile_;
  std::vector<Ribbon> ribbons_;
  std::vector<RibbonRun> runs_;
  std::vector<RibbonPlace> places_;   // sorted
  std::vector<std::uint32_t> by_id_;  // index into ribbons_
  std::vector<Node> tree_;            // node k over children 2k and 2k + 1
  std::uint32_t leaves_ = 0;
};

/// Ranks that arrive within this time of each other are treated as simultaneous, because the ends of collectives and
/// launches vary by this much.
inline constexpr Ns kEvenArrival = 20'000;

}  // namespace warpscope::scene
