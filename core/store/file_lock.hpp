#pragma once
// An open file with an advisory lock (flock). Instances of the program use it to mark a store as in use or being
// written. The system releases the lock when its owner dies for any reason; lock files and process ids do not guarantee
// this. Locks within one process exclude each other too.
#include <cstdint>
#include <filesystem>
#include <optional>

namespace warpscope::store {

/// Owns a descriptor and its lock. Move-only.
class FileLock {
 public:
  enum class Kind : std::uint8_t { shared, exclusive };

  /// Locks the file at `path` without waiting. nullopt if it does not exist, cannot be opened or has a conflicting
  /// lock, or if the file system does not support locks.
  static std::optional<FileLock> try_lock(const std::filesystem::path& path, Kind kind);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  /// True if `path` still refers to the open file.
  [[nodiscard]] bool is_at(const std::filesystem::path& path) const;
  /// Sets the file's modification time to now; ignores errors.
  void touch() const;

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

}  // namespace warpscope::store
