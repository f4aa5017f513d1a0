#pragma once
// What PyTorch's memory profiler knows of a device's memory: every change of it, with what the bytes are for. A file of
// its own beside the traces (`export_memory_timeline`), which names no rank. 17 bytes a change.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::trace {

/// What bytes are for, in PyTorch's order; what it does not know is the last.
inline constexpr std::array<std::string_view, 8> kMemoryCategories{
    "Parameter", "Optimizer state", "Input", "Temporary", "Activation", "Gradient", "Autograd", "Unknown"};
inline constexpr std::uint8_t kUnknownMemory = kMemoryCategories.size() - 1;

struct MemoryTimeline {
  std::string path;
  std::uint64_t size = 0;  ///< bytes on disk
  // A change each, by time; equal times in the order of the file. What was there before the recording began changed
  // at the time of the first change.
  std::vector<Ns> times;            ///< since the Unix epoch
  std::vector<std::int64_t> bytes;  ///< gained, or lost
  std::vector<std::uint8_t> categories;

  [[nodiscard]] std::size_t resident_bytes() const {
    return times.capacity() * sizeof(Ns) + bytes.capacity() * sizeof(std::int64_t) + categories.capacity();
  }
};

/// In the order of their paths.
using MemoryTimelines = std::vector<std::shared_ptr<const MemoryTimeline>>;

}  // namespace warpscope::trace
