#pragma once
// Corrupts files in the way a bad disk or an interrupted copy does.
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace warpscope::tests {

/// Changes the byte at `at` to a different value.
inline void change_byte(const std::filesystem::path& file, std::uint64_t at) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(at));
  const int byte = stream.get();
  stream.seekp(static_cast<std::streamoff>(at));
  stream.put(static_cast<char>(byte ^ 0x5A));
}

}  // namespace warpscope::tests
