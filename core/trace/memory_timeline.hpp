#pragma once
// A device's memory use as recorded by PyTorch's memory profiler: every change, with its category. It is read from a
// separate file next to the traces (`export_memory_timeline`), which does not record the rank. Takes 17 bytes per
// change.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::trace {

/// Categories in PyTorch's order; the last one is for unknown categories.
inline constexpr std::array<std::string_view, 8> kMemoryCategories{
    "Parameter", "Optimizer state", "Input", "Temporary", "Activation", "Gradient", "Autograd", "Unknown"};
inline constexpr std::uint8_t kUnknownMemory = kMemoryCategories.size() - 1;

struct MemoryTimeline {
  std::string path;
  std::uint64_t size = 0;  ///< bytes on disk
  // Changes sorted by time; ties in file order. Memory allocated before the recording started is stored as a change at
  // the time of the first change.
  std::vector<Ns> times;            ///< since the Unix epoch
  std::vector<std::int64_t> bytes;  ///< allocated, or freed if negative
  std::vector<std::uint8_t> categories;

  [[nodiscard]] std::size_t resident_bytes() const {
    return times.capacity() * sizeof(Ns) + bytes.capacity() * sizeof(std::int64_t) + categories.capacity();
  }
};

/// Sorted by path.
using MemoryTimelines = std::vector<std::shared_ptr<const MemoryTimeline>>;

}  // namespace warpscope::trace
