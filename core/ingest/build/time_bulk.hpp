#pragma once
// Finds the bulk of the times in a file. A single corrupt timestamp can stretch a trace by decades; everything that is
// relative to the profile's time span (utilization, zoom to fit, bins) would then describe only the gap.
//
// The bulk starts with the densest group of times, where groups are more than kLongestGap apart. It grows to the
// nearest group until the times outside are few and the next gap is long. Few: at most kFewTimes or kFewShare of all
// times, and fewer than those in the bulk. Long: longer than the bulk so far (and than kLongestGap). Therefore, regular
// sparse recordings, such as one slice every two days, and recordings split into comparable parts are a single bulk.
#include <cstdint>
#include <map>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::ingest {

class TimeBulk {
 public:
  static constexpr Ns kLongestGap = Ns{86'400} * 1'000'000'000;  ///< a day, as for clocks of ranks
  static constexpr std::uint64_t kFewTimes = 10;
  static constexpr std::uint64_t kFewShare = 100;  ///< 1/100

  TimeBulk() = default;
  TimeBulk(const TimeBulk&) = delete;
  TimeBulk& operator=(const TimeBulk&) = delete;

  /// Adds a time, with the end of what starts at it: a long slice is no gap. Fast if times are roughly ascending.
  void add(Ns begin, Ns end) {
    if (last_ == nullptr || begin >> kCellBits != key_) [[unlikely]]
      find(begin);
    last_->times = cover(last_->times, {begin, begin});
    last_->end = end > last_->end ? end : last_->end;
    ++last_->count;
  }
  void add(Ns time) { add(time, time); }
  void add(const TimeBulk& other);

  /// Returns the first and the last time in the bulk, both included; kEmptySpan if there are no times. O(groups log
  /// groups).
  [[nodiscard]] Interval bulk() const;
  /// Returns the total length of the gaps in `bulk` that are longer than kLongestGap.
  [[nodiscard]] Ns gaps(Interval bulk) const;

 private:
  static constexpr int kCellBits = 46;  // cells of 19.5 hours; a gap longer than kLongestGap is never within a cell
  struct Cell {
    Interval times = kEmptySpan;  // both included
    Ns end = kEmptySpan.end;      // the latest end
    std::uint64_t count = 0;
  };
  struct Group {
    Interval times;  // both included
    Ns end;
    std::uint64_t count;
  };
  void find(Ns begin);
  /// Returns the groups of times that are more than kLongestGap apart, in order.
  [[nodiscard]] std::vector<Group> groups() const;

  std::map<Ns, Cell> cells_;  // by time >> kCellBits
  Cell* last_ = nullptr;      // the cell of the last time added
  Ns key_ = 0;                // its key
};

}  // namespace warpscope::ingest
