#include "core/store/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace warpscope::store {

namespace {

enum class Outcome : std::uint8_t { locked, busy, unsupported };

Outcome lock(int descriptor, FileLock::Kind kind) {
  const int wanted = (kind == FileLock::Kind::shared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  while (::flock(descriptor, wanted) != 0) {
    if (errno == EWOULDBLOCK) return Outcome::busy;
    if (errno != EINTR) return Outcome::unsupported;
  }
  return Outcome::locked;
}

}  // namespace

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), held_(other.held_) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(held_, other.held_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<FileLock> FileLock::try_lock(const std::filesystem::path& path, Kind kind) {
  // Exclusive locks of some network file systems ask for a file that is open for writing.
  int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor < 0 && kind == Kind::shared)
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor < 0) return std::nullopt;
  FileLock file(descriptor, false);
  const Outcome outcome = lock(descriptor, kind);
  if (outcome == Outcome::busy) return std::nullopt;
  file.held_ = outcome == Outcome::locked;
  return file;
}

std::optional<FileLock> FileLock::create(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return std::nullopt;
  FileLock file(descriptor, false);
  const Outcome outcome = lock(descriptor, Kind::exclusive);
  // Someone who clears away what the dead left was faster: between the making and the locking it looked like that.
  if (outcome == Outcome::busy || !file.is_at(path)) {
    errno = EEXIST;
    return std::nullopt;
  }
  file.held_ = outcome == Outcome::locked;
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
