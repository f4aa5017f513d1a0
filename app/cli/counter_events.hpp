#pragma once
// Queue depth and memory bandwidth of a rank as counter events of the Chrome trace format, which any trace viewer
// draws. The names are HTA's: {"ph":"C","name":"Queue Length","pid":0,"id":7,"ts":12.345,"args":{"Queue Length":3}},
// and {…,"name":"Memcpy HtoD",…,"args":{"Memcpy BW":14.4}} in GB/s.
#include <cstdint>
#include <string>

#include "core/analysis/shared/memory_bandwidth.hpp"
#include "core/analysis/shared/queue_lengths.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::cli {

class CounterEvents {
 public:
  /// `rank` is an index. `events`: as in AnalysisInput. O(n log n).
  CounterEvents(const trace::Profile& profile, std::uint32_t rank, const CancelToken* cancel,
                const ingest::EventLookup* events = nullptr);

  /// Appends the next batch, comma-separated; false at the end.
  bool append(std::string& out);
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
  Ns zero_;  ///< zero of the file's times
  std::size_t at_ = 0;
  std::size_t sample_ = 0;
};

/// Time zero of the rank's file, in ns since the Unix epoch: its baseTimeNanoseconds, unless its times are absolute.
[[nodiscard]] Ns file_zero(const trace::Rank& rank);

}  // namespace warpscope::cli
