#pragma once
// Who called what on a rank's host threads: for each call (operator, annotation, runtime call, Python function) the one
// that it lies in. Calls are known by their ordinals in the rank, so a tree is an array of 4 bytes a slice.
//
// The lanes of a thread already tell the depth, so a call's parent is in the next lane above that has a call which
// encloses it, and a walk along both finds it. Parents stand in upper lanes, hence at smaller ordinals: one pass up or
// down the ordinals carries figures to the leaves or to the roots. O(slices) where calls nest; of those that overlap
// without nesting, O(lanes) each.
//
// Below the limit of lanes calls share one, the folded lane, in the order of their begins: parents come before their
// children there too, and a stack of the open ones tells which encloses the next. No depth is too deep. O(1) a call.
//
// Traces in whole µs have calls of no length; one that begins where an operator ends was most likely its last, cut off.
// It lies in that operator then, though its lane does not show it, and is known apart from the walk.
//
// A backward pass runs on threads of its own, below nothing. Its calls are put below the annotation in whose time they
// lie on the thread that has the steps, so that steps own the kernels of their backward pass too.
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
    /// Calls that begin at this time or later are left out.
    std::optional<Ns> before{};
    /// A backward pass is linked as HTA does: if there is one thread of it, below "## backward ##", else the steps. And
    /// a call of no length lies in a runtime call too that ends where it begins.
    bool hta = false;
  };

  /// Of a rank of the profile, by index. Cancelled, the tree is of no use.
  CallTree(const trace::Profile& profile, std::uint32_t rank, const Choice& choice,
           const CancelToken* cancel = nullptr);

  /// Of all slices of the rank; those on devices, marks, impossible ones and what was left out are none.
  [[nodiscard]] bool is_call(trace::SliceOrdinal slice) const { return parents_[slice] != kNoCall; }
  /// The call in which a call lies, kNone at the top.
  [[nodiscard]] trace::SliceOrdinal parent(trace::SliceOrdinal call) const { return parents_[call]; }
  [[nodiscard]] std::size_t slices() const { return parents_.size(); }  ///< of the rank
  [[nodiscard]] std::size_t bytes() const;                              ///< of memory

  /// Calls visit(call, parent) for each call, parents before their children; `parent` may be kNone.
  template <class Visit>
  void for_each_downward(Visit visit) const {
    for (const Stretch& stretch : stretches_)
      for (trace::SliceOrdinal call = stretch.first; call < stretch.last; ++call)
        if (is_call(call) && !moved_[call]) visit(call, parents_[call]);
    for (const trace::SliceOrdinal call : moves_) visit(call, parents_[call]);
  }
  /// The same, children before their parents.
  template <class Visit>
  void for_each_upward(Visit visit) const {
    for (auto call = moves_.rbegin(); call != moves_.rend(); ++call) visit(*call, parents_[*call]);
    for (auto stretch = stretches_.rbegin(); stretch != stretches_.rend(); ++stretch)
      for (trace::SliceOrdinal call = stretch->last; call-- > stretch->first;)
        if (is_call(call) && !moved_[call]) visit(call, parents_[call]);
  }

  /// By slice: how many calls a call lies in; 0 for what is no call.
  [[nodiscard]] std::vector<std::uint32_t> depths() const;
  /// By slice: how many calls the longest chain from a call down has, the call included; 0 for what is no call.
  [[nodiscard]] std::vector<std::uint32_t> heights() const;

 private:
  static constexpr trace::SliceOrdinal kNoCall = kNone - 1;
  /// The slices of a thread.
  struct Stretch {
    trace::SliceOrdinal first = 0;
    trace::SliceOrdinal last = 0;
  };

  void add_thread(const trace::Profile& profile, const trace::Rank& rank, const trace::Track& track,
                  const Choice& choice);
  /// Puts calls of no length into the calls of the thread's lanes that end where they begin.
  template <class MayHold>
  void place_empty(const trace::Rank& rank, const std::vector<std::uint32_t>& lanes, MayHold may_hold);
  void link_backward(const trace::Profile& profile, const trace::Rank& rank, bool hta);

  std::vector<trace::SliceOrdinal> parents_;
  std::vector<bool> moved_;                 // by slice: whether it is among moves_
  std::vector<trace::SliceOrdinal> moves_;  // calls of no length, after those that they lie in
  std::vector<Stretch> stretches_;          // of a thread after those that its calls were put below
};

/// The tree that others have too who share with `shared` (may be null).
[[nodiscard]] std::shared_ptr<const CallTree> shared_call_tree(const trace::Profile& profile, std::uint32_t rank,
                                                               const CallTree::Choice& choice,
                                                               const CancelToken* cancel, SharedResults* shared);

/// What devices ran for a call: what it launched itself, and what the calls in it did.
struct KernelsBelow {
  std::uint32_t count = 0;
  Ns time = 0;                   ///< sum of durations
  Interval extent = kEmptySpan;  ///< from the begin of the first to the end of the last

  void add(const KernelsBelow& other);
};

/// By slice of the tree's rank: what the rank's `rows` are to the calls that launched them. O(slices + rows).
[[nodiscard]] std::vector<KernelsBelow> kernels_below(const CallTree& tree, const std::vector<GpuRow>& rows);

/// By slice: the call itself if `matches(call)`, else the innermost call around it that does; kNone without one.
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

/// By slice: the outermost of the calls around it, and itself, that match; kNone without one.
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
