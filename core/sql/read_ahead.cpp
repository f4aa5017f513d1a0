#include "core/sql/read_ahead.hpp"

#include <system_error>

namespace warpscope::sql {

void ReadAhead::start(std::uint32_t first, std::uint32_t last) {
  if (thread_.joinable() || first >= last || std::thread::hardware_concurrency() < 2) return;
  stopped_ = false;
  try {
    thread_ = std::thread([=, this] { load(first, last); });
  } catch (const std::system_error&) {
    // No more threads: the query loads what it needs.
  }
}

void ReadAhead::stop() {
  if (!thread_.joinable()) return;
  stopped_ = true;
  thread_.join();
}

void ReadAhead::load(std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t r = first; r < last; ++r) {
    const trace::Rank& rank = *profile_.ranks[r];
    if (stopped_) return;
    static_cast<void>(rank.launches.all());
    for (const trace::Lane& lane : rank.lanes) {
      if (stopped_) return;
      static_cast<void>(lane.time().whole_resident());
      if (lane.size() > 0) static_cast<void>(lane.name(0));
    }
  }
}

}  // namespace warpscope::sql
