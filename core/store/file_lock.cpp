#include "core/store/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace warpscope::store {

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<FileLock> FileLock::try_lock(const std::filesystem::path& path, Kind kind) {
  // Some network file systems require write access for exclusive locks.
  int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor < 0 && kind == Kind::shared)
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor < 0) return std::nullopt;
  FileLock file(descriptor);
  const int wanted = (kind == Kind::shared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  while (::flock(descriptor, wanted) != 0)
    if (errno != EINTR) return std::nullopt;
  return file;
}

bool FileLock::is_at(const std::filesystem::path& path) const {
  struct stat own {};
  struct stat there {};
  return ::fstat(descriptor_, &own) == 0 && ::stat(path.c_str(), &there) == 0 && own.st_ino == there.st_ino &&
         own.st_dev == there.st_dev;
}

void FileLock::touch() const { static_cast<void>(::futimens(descriptor_, nullptr)); }

}  // namespace warpscope::store
