#pragma once
// Where a rank runs: what its file says of host, process and threads.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/tracegen/event.hpp"
#include "tests/tracegen/options.hpp"

namespace warpscope::tracegen {

struct Place {
  int rank = 0;
  int written_rank = 0;  ///< what the file claims
  int node = 0;
  int device = 0;  ///< within the node
  std::string host;
  std::string file;  ///< relative path
  std::int64_t pid = 0;
  std::array<std::int64_t, kThreads> tids{};
  std::int64_t start_ns = 0;  ///< of the profiler, since the Unix epoch
  DefectSet defects;

  [[nodiscard]] std::int64_t tid(Thread thread) const { return tids[static_cast<std::size_t>(thread)]; }
};

/// The places of all ranks, in order.
[[nodiscard]] std::vector<Place> places(const Options& options);

/// The time that Kineto writes times relative to: the last multiple of three months before `ns`, in seconds, as ns.
[[nodiscard]] std::int64_t base_time(std::int64_t ns);

}  // namespace warpscope::tracegen
