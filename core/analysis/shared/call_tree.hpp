#pragma once
// Call tree of a rank's host threads: the parent of each call (operator, annotation, runtime call, Python function).
// Calls are identified by their ordinals in the rank, so a tree is an array of 4 bytes per slice.
//
// A thread's lanes correspond to call depth, so the parent of a call is in the nearest lane above that has an enclosing
// call. Walking both lanes in parallel finds it. Parents are in upper lanes and have smaller ordinals, so a single pass
// over the ordinals propagates values toward the leaves or the roots. O(slices) for nested calls; O(lanes) for each
// call that overlaps without nesting.
//
// Calls deeper than the lane limit share the folded lane, ordered by start. Parents precede their children there too,
// so a stack of open calls yields the enclosing one at any depth. O(1) per call.
//
// Traces with times in whole µs contain calls of length 0. Such a call at the end of an operator was most likely the
// last call inside it, with its duration rounded down. The tree makes it a child of that operator although the lanes do
// not show this, and stores it separately.
//
// A backward pass runs on its own threads, where its calls have no parent. The tree attaches them to the
// enclosing annotation on the thread that runs the steps, so each step includes its backward kernels.
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/shared/gpu_rows.hpp"
#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

class CallTree {
 public:
  static constexpr trace::SliceOrdinal kNone = std::numeric_limits<trace::SliceOrdinal>::max();

  struct Choice {
    /// Leaves out calls that start at or after this time.
    std::optional<Ns> before{};
    /// Links a backward pass as HTA does: only if a single thread runs it, and under "## backward ##" if that
    /// annotation exists, otherwise under the steps. A call of length 0 may then also be a child of a runtime call that
    /// ends where it starts.
    bool hta = false;
  };

  /// Builds the tree of a rank (index). After cancellation, the tree is meaningless.
  CallTree(const trace::Profile& profile, std::uint32_t rank, const Choice& choice,
           const CancelToken* cancel = nullptr);

  /// False for device slices, marks, impossible slices and omitted calls.
  [[nodiscard]] bool is_call(trace::SliceOrdinal slice) const { return parents_[slice] != kNoCall; }
  /// Returns the parent of a call; kNone for calls at the top level.
  [[nodiscard]] trace::SliceOrdinal parent(trace::SliceOrdinal call) const { return parents_[call]; }
  [[nodiscard]] std::size_t slices() const { return parents_.size(); }  ///< in the rank
  [[nodiscard]] std::size_t bytes() const;                              ///< memory

  /// Calls visit(call, parent) for each call, parents before children; `parent` may be kNone.
  template <class Visit>
  void for_each_downward(Visit visit) const {
    for (const Stretch& stretch : stretches_)
      for (trace::SliceOrdinal call = stretch.first; call < stretch.last; ++call)
        if (is_call(call) && !moved_[call]) visit(call, parents_[call]);
    for (const trace::SliceOrdinal call : moves_) visit(call, parents_[call]);
  }
  /// Like for_each_downward(), but visits children before parents.
  template <class Visit>
  void for_each_upward(Visit visit) const {
    for (auto call = moves_.rbegin(); call != moves_.rend(); ++call) visit(*call, parents_[*call]);
    for (auto stretch = stretches_.rbegin(); stretch != stretches_.rend(); ++stretch)
      for (trace::SliceOrdinal call = stretch->last; call-- > stretch->first;)
        if (is_call(call) && !moved_[call]) visit(call, parents_[call]);
  }

  /// Returns the number of ancestors of each slice; 0 for slices that are not calls.
  [[nodiscard]] std::vector<std::uint32_t> depths() const;
  /// Returns, by slice, the number of calls in the longest chain from the slice down to a leaf, including itself; 0 for
  /// slices that are not calls.
  [[nodiscard]] std::vector<std::uint32_t> heights() const;

 private:
  static constexpr trace::SliceOrdinal kNoCall = kNone - 1;
  /// Ordinal range of a thread's slices.
  struct Stretch {
    trace::SliceOrdinal first = 0;
    trace::SliceOrdinal last = 0;
  };

  void add_thread(const trace::Profile& profile, const trace::Rank& rank, const trace::Track& track,
                  const Choice& choice);
  /// Makes each call of length 0 a child of a call in the thread's lanes that ends where it starts.
  template <class MayHold>
  void place_empty(const trace::Rank& rank, const std::vector<std::uint32_t>& lanes, MayHold may_hold);
  void link_backward(const trace::Profile& profile, const trace::Rank& rank, bool hta);

  std::vector<trace::SliceOrdinal> parents_;
  std::vector<bool> moved_;                 // by slice: true if in moves_
  std::vector<trace::SliceOrdinal> moves_;  // calls of length 0, after their parents
  std::vector<Stretch> stretches_;          // threads with parents of other threads' calls come first
};

/// Returns a tree shared through `shared` (may be null).
[[nodiscard]] std::shared_ptr<const CallTree> shared_call_tree(const trace::Profile& profile, std::uint32_t rank,
                                                               const CallTree::Choice& choice,
                                                               const CancelToken* cancel, SharedResults* shared);

/// GPU activity launched by a call and its descendants.
struct KernelsBelow {
  std::uint32_t count = 0;
  Ns time = 0;                   ///< sum of durations
  Interval extent = kEmptySpan;  ///< from the start of the first to the end of the last

  void add(const KernelsBelow& other);
};

/// Returns totals, indexed by slice, of the rank's `rows` launched by each call and its descendants. O(slices + rows).
[[nodiscard]] std::vector<KernelsBelow> kernels_below(const CallTree& tree, const std::vector<GpuRow>& rows);

/// Returns, by slice, the call itself if `matches(call)`, otherwise its innermost ancestor that matches; kNone if there
/// is none.
template <class Matches>
[[nodiscard]] std::vector<trace::SliceOrdinal> innermost(const CallTree& tree, Matches matches) {
  std::vector<trace::SliceOrdinal> found(tree.slices(), CallTree::kNone);
  tree.for_each_downward([&](trace::SliceOrdinal call, trace::SliceOrdinal parent) {
    if (matches(call))
      found[call] = call;
    else if (parent != CallTree::kNone)
      found[call] = found[parent];
  });
  return found;
}

/// Returns, by slice, the outermost match among the call and its ancestors; kNone if there is none.
template <class Matches>
[[nodiscard]] std::vector<trace::SliceOrdinal> outermost(const CallTree& tree, Matches matches) {
  std::vector<trace::SliceOrdinal> found(tree.slices(), CallTree::kNone);
  tree.for_each_downward([&](trace::SliceOrdinal call, trace::SliceOrdinal parent) {
    if (parent != CallTree::kNone && found[parent] != CallTree::kNone)
      found[call] = found[parent];
    else if (matches(call))
      found[call] = call;
  });
  return found;
}

}  // namespace warpscope::analysis
