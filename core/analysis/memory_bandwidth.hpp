#pragma once
// How fast copies and sets moved memory, by kind. Each moves its bytes evenly from its begin to its end, so that the
// area below a curve is what was moved; one that the trace gives no length counts as 1 µs long, and one that does not
// say how many bytes it moved is left out.
//
// HTA takes the bandwidth that the trace names, which was computed before times were written down: in traces of whole
// µs it is another than bytes by duration. It is an argument, which is read again from the trace. HTA has copies of all
// devices as one, and keeps every begin and end.
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/gpu_rows.hpp"
#include "core/analysis/registry.hpp"
#include "core/analysis/step_curve.hpp"

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
  /// Of a rank, by device and kind; as HTA counts, by kind. Of the scope's range. O(n log n).
  [[nodiscard]] std::vector<MemoryBandwidth> of(std::uint32_t rank);
  /// What the reader of a table must know: of `rows` rows.
  [[nodiscard]] std::string note(std::size_t rows) const;

 private:
  using Rates = std::unordered_map<trace::SliceOrdinal, double>;
  [[nodiscard]] bool counts(const GpuRow& row) const;
  [[nodiscard]] Rates named_rates(const trace::Rank& rank, std::vector<trace::SliceOrdinal> copies);

  const AnalysisInput& input_;
  const trace::Profile& profile_;
  bool hta_;
  GpuRows rows_;
  std::uint64_t silent_ = 0;  // do not say what they moved
  std::string unread_;        // why bandwidths that HTA takes from the trace are not known
};

/// The bandwidths of one rank, for who draws them.
[[nodiscard]] std::vector<MemoryBandwidth> memory_bandwidths(const trace::Profile& profile, std::uint32_t rank,
                                                             const CancelToken* cancel = nullptr);

}  // namespace warpscope::analysis
