#pragma once
// An open regular file, read by position, with its identity. pread in blocks of a few hundred KiB is faster than mmap
// and does not count toward resident memory. If the file shrinks, reads end early instead of raising SIGBUS.
#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/base/descriptor.hpp"
#include "core/base/file_group.hpp"
#include "core/base/result.hpp"

namespace warpscope::ingest {

/// State of a file when it was opened, used to detect changes.
struct FileStamp {
  std::uint64_t size = 0;        ///< bytes on disk
  std::int64_t modified_ns = 0;  ///< modification time
  std::uint64_t inode = 0;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Converts the result of stat().
[[nodiscard]] FileStamp stamp_of(const struct ::stat& info);
/// Returns a group's stamp, with its hash in place of the inode.
[[nodiscard]] FileStamp stamp_of(const GroupStamp& group);
/// Returns the current stamp of the file or group at `path`; nullopt if it does not exist.
[[nodiscard]] std::optional<FileStamp> stamp_at(const std::string& path);

class FileSource {
 public:
  /// Opens a regular file for reading. Errors: directories, pipes, sockets and devices (which are not opened, so a pipe
  /// without a writer does not block), a missing path, no read permission.
  static Result<FileSource> open(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const FileStamp& stamp() const { return stamp_; }

  /// Reads bytes at `offset` until the buffer is full or the file ends; returns 0 at the end. Errors: I/O errors; a
  /// file that ends before `offset` but was longer when opened.
  [[nodiscard]] Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const;
  /// Same, but returns up to `most` bytes as a string.
  [[nodiscard]] Result<std::string> text_at(std::uint64_t offset, std::size_t most) const;

 private:
  FileSource(Descriptor file, std::string path, FileStamp stamp)
      : file_(std::move(file)), path_(std::move(path)), stamp_(stamp) {}

  Descriptor file_;
  std::string path_;
  FileStamp stamp_;
};

}  // namespace warpscope::ingest
