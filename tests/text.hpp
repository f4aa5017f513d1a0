// Text helpers and program output for tests.
#pragma once

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace warpscope::tests {

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

inline std::string read_whole(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Returns the standard output of `command`, plus "\nfailed" if its exit status is not 0.
inline std::string output_of(const std::string& command) {
  std::string output;
  ::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 65536> piece{};
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), pipe)) output.append(piece.data(), size);
  return ::pclose(pipe) == 0 ? output : output + "\nfailed";
}

}  // namespace warpscope::tests
