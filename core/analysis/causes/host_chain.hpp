#pragma once
// What a rank's host does on the way to its next launch, at every moment: one chain over all of its threads.
//
// Each moment before a launch belongs to the thread that makes the launch: its innermost call (operator, annotation,
// runtime call, Python function) at that moment. While that thread records nothing, as an autograd thread that is not
// yet started, the thread of the launch before counts, then the thread of the steps. A call inside a data loader's or
// compiler's call counts as that. So each ns has one kind of work and one call, and work on threads that launch nothing
// never counts. O(S log S) for S host slices on launching threads.
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/host_work.hpp"
#include "core/base/progress.hpp"

namespace warpscope::analysis {

/// A call that takes much longer than others with the same name on the same thread.
///
/// Compares self times, which exclude nested calls. A call is a stall if its self time exceeds both 1 ms and the median
/// for its name plus ten robust standard deviations. A robust standard deviation is 1.4826 times the median absolute
/// deviation, which is clamped to at least 5 % of the median and at least 1 µs. Skips calls that wait for the GPU, the
/// first call of each name (it may load libraries and modules), and names with fewer than 8 calls.
struct HostStall {
  trace::SliceOrdinal slice = 0;
  NameId name = 0;
  std::uint32_t track = 0;  ///< index into Rank::tracks
  Interval time;
  Ns self = 0;   ///< ns
  Ns usual = 0;  ///< median self time for the name on its thread, in ns
  friend bool operator==(const HostStall&, const HostStall&) = default;
};

/// A period with one kind of work in one call.
struct HostPiece {
  static constexpr trace::SliceOrdinal kNoCall = ~trace::SliceOrdinal{0};

  Interval time;  ///< as recorded
  trace::SliceOrdinal call = kNoCall;
  HostWork work = HostWork::unrecorded;
};

class HostChain {
 public:
  /// `rank`: index. `rows`: all of the rank's GPU activity.
  /// `range`: the time of interest, for a chain that is asked for little; stalls are then unknown and `rows` unused.
  HostChain(const trace::Profile& profile, std::uint32_t rank, const GpuRows::Rows& rows, const HostWorkNames& names,
            const CancelToken* cancel = nullptr, const std::optional<Interval>& range = {});
  HostChain(const HostChain&) = delete;
  HostChain& operator=(const HostChain&) = delete;
  ~HostChain();

  /// Calls visit(const HostPiece&) for the pieces of `range`, clipped to it, in time order. They cover the range.
  /// O(visited) if ranges ascend, otherwise O(log pieces + visited).
  template <class Visit>
  void for_each(Interval range, Visit visit) const {
    Ns at = range.begin;
    auto piece = first_after(at);
    for (; piece != pieces_.end() && piece->time.begin < range.end; ++piece) {
      if (piece->time.begin > at) visit(HostPiece{{at, piece->time.begin}});
      at = std::max(at, piece->time.begin);
      const Ns until = std::min(piece->time.end, range.end);
      visit(HostPiece{{at, until}, piece->call, piece->work});
      at = until;
    }
    if (at < range.end) visit(HostPiece{{at, range.end}});
    if (piece != pieces_.begin()) near_.store(static_cast<std::size_t>(piece - pieces_.begin()) - 1, kRelaxed);
  }
  /// Disjoint, by start; gaps between them are unrecorded.
  [[nodiscard]] std::span<const HostPiece> pieces() const { return pieces_; }
  /// On launching threads, by start.
  [[nodiscard]] const std::vector<HostStall>& stalls() const { return stalls_; }

 private:
  static constexpr std::memory_order kRelaxed = std::memory_order_relaxed;

  /// Returns the first piece that ends after `time`.
  [[nodiscard]] std::vector<HostPiece>::const_iterator first_after(Ns time) const;

  std::vector<HostPiece> pieces_;
  std::vector<HostStall> stalls_;
  mutable std::atomic<std::size_t> near_ = 0;  // where the last range ended
};

}  // namespace warpscope::analysis
