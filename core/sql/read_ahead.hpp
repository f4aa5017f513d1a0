#pragma once
// Loads the columns of ranks on another thread, ahead of a query that scans them one after another. Decompressing the
// columns of a store takes about as long as a query's own work on them.
#include <atomic>
#include <cstdint>
#include <thread>

#include "core/trace/profile.hpp"

namespace warpscope::sql {

class ReadAhead {
 public:
  explicit ReadAhead(const trace::Profile& profile) : profile_(profile) {}
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ~ReadAhead() { stop(); }

  /// Starts loading the ranks [first, last), in order, unless it is already loading some. Their number in memory is not
  /// limited: the scan would load them too.
  void start(std::uint32_t first, std::uint32_t last);
  /// Stops after the current lane. Call at the end of each query.
  void stop();

 private:
  void load(std::uint32_t first, std::uint32_t last);

  const trace::Profile& profile_;
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace warpscope::sql
