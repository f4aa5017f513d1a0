#pragma once
// Opens files whose names come from users or their data. Pipes, sockets and devices are never opened, because opening
// or reading one may block forever, and an endless file must not fill the memory.
#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "core/base/descriptor.hpp"
#include "core/base/result.hpp"

namespace warpscope {

struct OpenedFile {
  Descriptor file;
  struct ::stat info {};
};

/// Opens a regular file for reading, without blocking. Errors: directories, pipes, sockets and devices; a missing path;
/// no read permission.
[[nodiscard]] Result<OpenedFile> open_regular_file(const std::string& path);

/// True if nothing is at `path`; false if something is or might be.
[[nodiscard]] bool is_missing(const std::string& path);

/// Describes why reading `path` failed; `code` is an errno value.
[[nodiscard]] Error read_error(const std::string& path, int code);

/// Largest size of a file that is meant to be small, such as settings and rules: 16 MiB.
inline constexpr std::uint64_t kLargestSmallFile = std::uint64_t{16} << 20;

/// Returns the contents of a regular file. Errors: those of open_regular_file(); more than `largest` bytes.
[[nodiscard]] Result<std::string> read_small_file(const std::string& path, std::uint64_t largest = kLargestSmallFile);

}  // namespace warpscope
