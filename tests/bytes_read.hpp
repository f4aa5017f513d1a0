#pragma once
// Counts the bytes that this process reads, for tests that check that something is not read.
#include <cstdint>
#include <fstream>
#include <string>

namespace warpscope::tests {

/// Bytes returned by all read calls of the process so far, cached or not.
inline std::uint64_t bytes_read() {
  std::ifstream figures("/proc/self/io");
  std::string name;
  std::uint64_t bytes = 0;
  figures >> name >> bytes;
  return bytes;
}

}  // namespace warpscope::tests
