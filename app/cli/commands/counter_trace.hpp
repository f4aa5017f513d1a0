#pragma once
// Writes the queue depth and memory bandwidth of a rank as counter events in the Chrome trace format, which any trace
// viewer can display. The names are HTA's: {"ph":"C","name":"Queue Length","pid":0,"id":7,"ts":12.345,"args":{"Queue
// Length":3}}, and {…,"name":"Memcpy HtoD",…,"args":{"Memcpy BW":14.4}} in GB/s. Times use the original trace's time
// base, so viewers can align the two traces.
#include <cstdint>
#include <string>

#include "core/analysis/shared/memory_bandwidth.hpp"
#include "core/analysis/shared/queue_lengths.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::cli {

class CounterTrace {
 public:
  /// `rank` is an index. `events`: as in AnalysisInput. O(n log n).
  CounterTrace(const trace::Profile& profile, std::uint32_t rank, const CancelToken* cancel,
               const ingest::EventLookup* events = nullptr);

  /// Appends the next part of the file; returns false at the end.
  bool append(std::string& out);
  /// Returns the total number of samples.
  [[nodiscard]] std::uint64_t size() const;

 private:
  struct Series {
    std::string before;  ///< text of an event up to its time
    std::string middle;  ///< text between time and value
    const analysis::StepCurve* curve;
    double divisor;
  };

  std::vector<analysis::QueueLength> queues_;
  std::vector<analysis::MemoryBandwidth> bandwidths_;
  std::vector<Series> series_;
  Ns zero_;           ///< origin of the file's times
  std::string head_;  ///< emptied when appended
  bool comma_due_ = false;
  bool ended_ = false;
  std::size_t at_ = 0;
  std::size_t sample_ = 0;
};

}  // namespace warpscope::cli
