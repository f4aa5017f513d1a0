#include "core/store/store_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace warpscope::store {

Failure StoreBytes::damage() const {
  const MutexLock lock(mutex_);
  return damage_;
}

void StoreBytes::note_damage(const Error& error) const {
  const MutexLock lock(mutex_);
  if (!damage_) damage_ = error;
}

bool FileBytes::read(std::uint64_t offset, std::span<std::uint8_t> into) const {
  while (!into.empty()) {
    const ::ssize_t got = ::pread(descriptor(), into.data(), into.size(), static_cast<::off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into = into.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return true;
}

bool FileBytes::write(std::uint64_t offset, std::span<const std::uint8_t> bytes) const {
  while (!bytes.empty()) {
    const ::ssize_t put = ::pwrite(descriptor(), bytes.data(), bytes.size(), static_cast<::off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
  return true;
}

std::uint64_t FileBytes::size() const {
  struct stat status {};
  return ::fstat(descriptor(), &status) == 0 ? static_cast<std::uint64_t>(std::max<::off_t>(0, status.st_size)) : 0;
}

Result<std::shared_ptr<const FileBytes>> open_file_bytes(const std::string& path) {
  // O_NONBLOCK: do not wait for the other end if the path is a pipe.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return Error{path, std::string("cannot be opened: ") + std::strerror(errno), ""};
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return Error{path, "is not a regular file", ""};
  return std::make_shared<const FileBytes>(path, std::move(file));
}

}  // namespace warpscope::store
