#include "core/record/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace warpscope::record {

namespace {

/// True if `path` is still the file: the previous owner may have removed it before it was locked here.
bool is_file_at(int file, const std::string& path) {
  struct stat mine {};
  struct stat there {};
  return ::fstat(file, &mine) == 0 && ::stat(path.c_str(), &there) == 0 && mine.st_dev == there.st_dev &&
         mine.st_ino == there.st_ino;
}

std::string owner_in(int file) {
  char text[64];
  const ssize_t length = ::pread(file, text, sizeof text, 0);
  return length > 0 ? "process " + std::string(text, static_cast<std::size_t>(length)) : "another process";
}

}  // namespace

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());
  ::close(file_);
}

Failure FolderLock::take(const std::string& folder, const std::string& node) {
  path_ = folder + "/." + node + ".lock";
  for (;;) {
    const int file = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return std::nullopt;
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      const bool taken = errno == EWOULDBLOCK;
      const std::string owner = taken ? owner_in(file) : "";
      ::close(file);
      if (!taken) return std::nullopt;
      return Error{folder, node + " is already being recorded into this folder by " + owner,
                   "use another folder, or --node if this is another node"};
    }
    if (!is_file_at(file, path_)) {
      ::close(file);
      continue;
    }
    file_ = file;
    const std::string owner = std::to_string(::getpid());
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, owner.data(), owner.size(), 0) < 0) return std::nullopt;
    return std::nullopt;
  }
}

}  // namespace warpscope::record
