#pragma once
// Damage to a file, as a bad disk or an interrupted copy does it.
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace warpscope::tests {

/// Makes the byte at `at` another one.
inline void change_byte(const std::filesystem::path& file, std::uint64_t at) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(at));
  const int byte = stream.get();
  stream.seekp(static_cast<std::streamoff>(at));
  stream.put(static_cast<char>(byte ^ 0x5A));
}

}  // namespace warpscope::tests
