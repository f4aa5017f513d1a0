#pragma once
// Location of a rank: the host, process and threads recorded in its file.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/tracegen/event.hpp"
#include "tests/tracegen/options.hpp"

namespace warpscope::tracegen {

struct Place {
  int rank = 0;
  int written_rank = 0;  ///< rank number in the file
  int node = 0;
  int device = 0;  ///< index within the node
  std::string host;
  std::string file;  ///< relative path
  std::int64_t pid = 0;
  std::array<std::int64_t, kThreads> tids{};
  std::int64_t start_ns = 0;  ///< start of the profiler, since the Unix epoch
  DefectSet defects;

  [[nodiscard]] std::int64_t tid(Thread thread) const { return tids[static_cast<std::size_t>(thread)]; }
};

/// Returns the places of all ranks, in rank order.
[[nodiscard]] std::vector<Place> places(const Options& options);

/// Returns the base time of Kineto's times: the last multiple of three months (7,889,238 s) before `ns`, in ns.
[[nodiscard]] std::int64_t base_time(std::int64_t ns);

}  // namespace warpscope::tracegen
