#include "core/store/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace warpscope::store {

Descriptor locked_file(const std::filesystem::path& path, LockKind kind) {
  // Some network file systems require write access for exclusive locks.
  Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  if (!file && kind == LockKind::shared)
    file = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  const int wanted = (kind == LockKind::shared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  while (file && ::flock(file.get(), wanted) != 0)
    if (errno != EINTR) return Descriptor();
  return file;
}

}  // namespace warpscope::store
