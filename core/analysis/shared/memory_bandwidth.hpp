#pragma once
// Memory bandwidth of memcpys and memsets by kind. Each operation is assumed to transfer its bytes evenly from start to
// end, so the area under a curve is the number of bytes moved. Operations without a duration are treated as 1 µs long;
// those without a byte count are excluded.
//
// Traces with times in whole µs are inaccurate for short memcpys: the duration of a 1.6 µs memcpy is recorded as 1 or 2
// µs. However, they record the bandwidth, which was computed before times were rounded. For such traces, a memcpy uses
// its recorded bandwidth and the duration implied by it and the byte count, if that is within 1 µs of the recorded
// duration.
//
// HTA always uses the recorded bandwidth, merges memcpys of all devices, and keeps every start and end. The recorded
// bandwidth is an event argument and must be reread from the trace.
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/step_curve.hpp"

namespace warpscope::analysis {

/// Bandwidth of one kind of memory operation on one device.
struct MemoryBandwidth {
  std::uint32_t device = 0;  ///< index into Rank::devices; with hta, any of them
  std::string kind;          ///< in HTA's terms: "Memcpy HtoD", "Memset", "Memcpy Unknown"
  StepCurve rate;            ///< bytes per second
  std::uint64_t count = 0;   ///< memcpys or memsets
};

class MemoryBandwidths {
 public:
  /// Uses the scope and the shared results of `input`.
  MemoryBandwidths(const AnalysisInput& input, const KernelClasses::Choice& choice);

  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return rows_.ranks(); }
  /// Returns the bandwidths of a rank in the scope's range, by device and kind; with hta, by kind. Never null. O(n log
  /// n).
  [[nodiscard]] std::shared_ptr<const std::vector<MemoryBandwidth>> of(std::uint32_t rank);
  /// Returns the note for a table with `rows` rows.
  [[nodiscard]] std::string note(std::size_t rows) const;

 private:
  using Rates = std::unordered_map<trace::SliceOrdinal, double>;
  enum class Told : std::uint8_t {
    measured,  ///< bytes / duration
    named,     ///< as recorded in the trace
    unfit,     ///< bytes / duration, since the recorded rate contradicts the duration
  };
  /// Rate and time of a memory operation.
  struct Moving {
    Interval time;
    double rate = 0;  ///< bytes per second
    Told told = Told::measured;
  };
  /// Memcpy and memset counts by bandwidth source.
  struct Counts {
    std::uint64_t silent = 0;   ///< without a byte count
    std::uint64_t by_name = 0;  ///< memcpys by name only
    std::uint64_t named = 0;    ///< with the recorded bandwidth, since durations are in whole µs
    std::uint64_t unfit = 0;    ///< with a recorded bandwidth that contradicts the duration
    std::string unread{};       ///< why recorded bandwidths could not be read

    void add(const Counts& other);
  };
  struct OfRank {
    std::vector<MemoryBandwidth> bandwidths{};
    Counts counts{};
  };
  [[nodiscard]] OfRank compute(std::uint32_t rank) const;
  [[nodiscard]] bool counts(const std::optional<Interval>& range, const GpuRow& row) const;
  [[nodiscard]] static bool overlaps(const std::optional<Interval>& range, Interval time);
  /// Reads the recorded bandwidths, in GB/s. On failure, sets `unread` to the reason.
  [[nodiscard]] Rates named_rates(const trace::Rank& rank, const std::vector<GpuRow>& rows, std::string& unread) const;
  [[nodiscard]] Moving moving_of(const GpuRow& row, std::uint64_t bytes, const Rates& named, Ns next) const;

  const AnalysisInput& input_;
  const trace::Profile& profile_;
  bool hta_;
  GpuRows rows_;
  Counts counts_;  // for the ranks so far
};

/// Returns the bandwidths of one rank, for drawing. `events`: as in AnalysisInput.
[[nodiscard]] std::vector<MemoryBandwidth> memory_bandwidths(const trace::Profile& profile, std::uint32_t rank,
                                                             const CancelToken* cancel = nullptr,
                                                             const ingest::EventLookup* events = nullptr);

}  // namespace warpscope::analysis
