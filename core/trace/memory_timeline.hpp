#pragma once
// A device's memory as recorded by PyTorch's memory profiler: every change with its category. It comes from a separate
// file beside the traces (`export_memory_timeline`), which does not contain a rank. 17 bytes per change.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::trace {

/// Categories in PyTorch's order; the last is for unknown ones.
inline constexpr std::array<std::string_view, 8> kMemoryCategories{
    "Parameter", "Optimizer state", "Input", "Temporary", "Activation", "Gradient", "Autograd", "Unknown"};
inline constexpr std::uint8_t kUnknownMemory = kMemoryCategories.size() - 1;

struct MemoryTimeline {
  std::string path;
  std::uint64_t size = 0;  ///< bytes on disk
  // Changes sorted by time; ties in file order. Memory allocated before the recording started is a change at the time
  // of the first change.
  std::vector<Ns> times;            ///< since the Unix epoch
  std::vector<std::int64_t> bytes;  ///< gained, or lost if negative
  std::vector<std::uint8_t> categories;

  [[nodiscard]] std::size_t resident_bytes() const {
    return times.capacity() * sizeof(Ns) + bytes.capacity() * sizeof(std::int64_t) + categories.capacity();
  }
};

/// Sorted by path.
using MemoryTimelines = std::vector<std::shared_ptr<const MemoryTimeline>>;

}  // namespace warpscope::trace
