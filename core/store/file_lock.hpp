#pragma once
// An open file with an advisory lock on it (flock): how instances of the program tell each other that they use a store
// or write one. The system drops the lock when its owner dies, however it dies, so nothing is ever left locked, which a
// file that says "locked" or a process number cannot promise. Locks of one process exclude each other like those of
// two.
#include <cstdint>
#include <filesystem>
#include <optional>

namespace warpscope::store {

/// Owns a descriptor and with it the lock. Move-only.
class FileLock {
 public:
  enum class Kind : std::uint8_t { shared, exclusive };

  /// Locks the file at `path` without waiting; nothing if it is not there, may not be opened, someone holds a lock that
  /// does not go with this one, or the file system knows no locks.
  static std::optional<FileLock> try_lock(const std::filesystem::path& path, Kind kind);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  /// True if `path` still names the very file that is open here.
  [[nodiscard]] bool is_at(const std::filesystem::path& path) const;
  /// Sets the file's modification time to now; fails in silence.
  void touch() const;

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

}  // namespace warpscope::store
