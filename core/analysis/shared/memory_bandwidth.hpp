#pragma once
// How fast copies and sets moved memory, by kind. Each moves its bytes evenly from its begin to its end, so that the
// area below a curve is what was moved; one that the trace gives no length counts as 1 µs long, and one that does not
// say how many bytes it moved is left out.
//
// Traces in whole µs tell short copies badly: one of 1.6 µs has a length of 1 or 2. They also name each copy's
// bandwidth, which was computed before times were cut. There a copy is as fast as its trace says, and as long as its
// bytes take at that rate, wherever that is within 1 µs of the length that was written down.
//
// HTA takes the bandwidth that the trace names whatever it is. It has copies of all devices as one, and keeps every
// begin and end. The bandwidth is an argument, which is read again from the trace.
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/step_curve.hpp"

namespace warpscope::analysis {

/// Of one kind of copy on one device.
struct MemoryBandwidth {
  std::uint32_t device = 0;  ///< index into Rank::devices; as HTA counts, one of them
  std::string kind;          ///< as HTA calls them: "Memcpy HtoD", "Memset", "Memcpy Unknown"
  StepCurve rate;            ///< bytes per second
  std::uint64_t count = 0;   ///< copies or sets
};

class MemoryBandwidths {
 public:
  /// Of an analysis that has the common parameters.
  MemoryBandwidths(const AnalysisInput& input, const KernelClasses::Choice& choice);

  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return rows_.ranks(); }
  /// Of a rank, by device and kind; as HTA counts, by kind. Of the scope's range. Never null. O(n log n).
  [[nodiscard]] std::shared_ptr<const std::vector<MemoryBandwidth>> of(std::uint32_t rank);
  /// What the reader of a table must know: of `rows` rows.
  [[nodiscard]] std::string note(std::size_t rows) const;

 private:
  using Rates = std::unordered_map<trace::SliceOrdinal, double>;
  enum class Told : std::uint8_t {
    measured,  ///< bytes by duration
    named,     ///< as the trace says
    unfit,     ///< bytes by duration, since what the trace says does not fit that
  };
  /// What a copy moves, and when.
  struct Moving {
    Interval time;
    double rate = 0;  ///< bytes per second
    Told told = Told::measured;
  };
  /// How many copies and sets …
  struct Counts {
    std::uint64_t silent = 0;   ///< do not say what they moved
    std::uint64_t by_name = 0;  ///< are copies by their names only
    std::uint64_t named = 0;    ///< are as fast as the trace says, since their lengths are in whole µs
    std::uint64_t unfit = 0;    ///< would be, but that their lengths say otherwise
    std::string unread{};       ///< why bandwidths that the trace names are not known

    void add(const Counts& other);
  };
  struct OfRank {
    std::vector<MemoryBandwidth> bandwidths{};
    Counts counts{};
  };
  [[nodiscard]] OfRank compute(std::uint32_t rank) const;
  [[nodiscard]] bool counts(const GpuRow& row) const;
  [[nodiscard]] bool in_range(Interval time) const;
  /// What the trace says, in GB/s. `unread`: why it could not be read.
  [[nodiscard]] Rates named_rates(const trace::Rank& rank, const std::vector<GpuRow>& rows, std::string& unread) const;
  [[nodiscard]] Moving moving_of(const GpuRow& row, std::uint64_t bytes, const Rates& named, Ns next) const;

  const AnalysisInput& input_;
  const trace::Profile& profile_;
  bool hta_;
  GpuRows rows_;
  Counts counts_;  // of the ranks so far
};

/// The bandwidths of one rank, for who draws them. `events`: as AnalysisInput's.
[[nodiscard]] std::vector<MemoryBandwidth> memory_bandwidths(const trace::Profile& profile, std::uint32_t rank,
                                                             const CancelToken* cancel = nullptr,
                                                             const ingest::EventLookup* events = nullptr);

}  // namespace warpscope::analysis
