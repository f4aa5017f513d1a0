#pragma once
// All files that the program writes are opened here; tests/core/layers_test.cpp checks this. Other users may have put
// a link or a pipe at a path in a shared folder. New files therefore get a random name in the same folder and replace
// the old file only when they are complete, and files that are appended to must be regular files.
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/descriptor.hpp"
#include "core/base/result.hpp"

namespace warpscope {

/// Suffix of temporary names; each X is a random letter or digit.
inline constexpr const char* kDraftEnding = ".tmp-XXXXXX";

struct DraftFile {
  std::string path;
  Descriptor file;
};
/// Creates an empty file next to `path`, open for reading and writing. `mode`: permissions, restricted by the umask. On
/// failure, the descriptor is empty and errno is set.
[[nodiscard]] DraftFile create_draft(const std::string& path, mode_t mode);

/// Returns the file behind the symbolic links at `path`, which may not exist yet. Errors: a loop; a link of another
/// user in a folder that everyone can write to, such as /tmp, as with fs.protected_symlinks.
[[nodiscard]] Result<std::filesystem::path> behind_links(const std::filesystem::path& path);

/// Whether to wait until the file is on the disk, so that it survives a power failure.
enum class Sync : std::uint8_t { no, yes };

/// A file that is written as a whole. Without finish(), the previous file remains and the temporary file is removed.
class NewFile {
 public:
  /// Starts writing the file behind the links at `path`. Errors: `path` is a folder, pipe or device; the file cannot be
  /// created.
  static Result<NewFile> create(const std::filesystem::path& path);

  NewFile(NewFile&&) noexcept = default;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  [[nodiscard]] int descriptor() const { return draft_.file.get(); }
  /// Path of the temporary file, for libraries that open a file themselves.
  [[nodiscard]] const std::string& draft() const { return draft_.path; }
  /// Errors: disk full.
  [[nodiscard]] Failure write(std::string_view text);
  /// Replaces the previous file. Call once.
  [[nodiscard]] Failure finish(Sync sync);
  /// Returns the error for an errno value.
  [[nodiscard]] Error error(int number) const;

 private:
  NewFile(std::string named, std::string target, DraftFile draft);

  std::string named_;
  std::string target_;
  DraftFile draft_;
};

/// Replaces the file at `path` with a file that contains `text`. Same errors as NewFile.
[[nodiscard]] Failure replace_file(const std::filesystem::path& path, std::string_view text, Sync sync = Sync::no);

enum class Writing : std::uint8_t { append, update };

/// Opens the file at `path` for appending, or for reading and writing; creates it if necessary. Never waits. Errors:
/// the file is not a regular file, or is also accessible by a link.
[[nodiscard]] Result<Descriptor> open_regular(const std::string& path, Writing writing);

}  // namespace warpscope
